// What every client needs: the clock, sockets, a little JSON, and WebSocket frames.
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int64_t now_ns(void);      // for durations
int64_t wall_ns(void);     // for what is compared with another program's clock
int64_t own_cpu_us(void);  // user and system time of this program
int64_t own_code_us(void); // without what the kernel does for it

_Noreturn void give_up(const char *what);
int connect_loopback(int port);
void send_whole(int fd, const char *bytes, size_t length);

// The text after `"name":`, or NULL. The servers write compact JSON; a blank after the colon is allowed.
const char *field(const char *json, const char *name);
bool is_true(const char *value);
long long number_at(const char *value, long long otherwise);

// WebSocket, client side. The masking key is 0, which is legal and leaves the payload as it is.
typedef enum { FRAME_NONE, FRAME_TEXT, FRAME_PING, FRAME_CLOSE } FrameKind;
typedef struct {
    FrameKind kind;
    const char *payload;
    size_t length;
    size_t consumed;
} Frame;

void ask_upgrade(int fd, const char *path, const char *cookie);
bool was_upgraded(char *buffer, size_t *have);  // eats the answer; leaves what follows it
Frame next_frame(const char *bytes, size_t have);
void send_text(int fd, const char *text, size_t length);
void send_pong(int fd, const char *payload, size_t length);

#endif
