#include "wire.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

int64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
int64_t wall_ns(void) { return clock_ns(CLOCK_REALTIME); }
int64_t own_cpu_us(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1000; }

int64_t own_code_us(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_utime.tv_sec * 1000000LL + used.ru_utime.tv_usec;
}

void give_up(const char *what) {
    perror(what);
    exit(1);
}

int connect_loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0) give_up("socket");
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) give_up("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

void send_whole(int fd, const char *bytes, size_t length) {
    // Messages are far smaller than a socket's buffer and one is under way at a time: a short write is a fault.
    if (send(fd, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) give_up("send");
}

const char *field(const char *json, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strchr(json, '"'); at != NULL; at = strchr(at + 1, '"')) {
        if (strncmp(at + 1, name, length) != 0 || at[length + 1] != '"' || at[length + 2] != ':') continue;
        at += length + 3;
        return *at == ' ' ? at + 1 : at;
    }
    return NULL;
}

bool is_true(const char *value) { return value != NULL && strncmp(value, "true", 4) == 0; }

long long number_at(const char *value, long long otherwise) {
    if (value == NULL || (*value != '-' && (*value < '0' || *value > '9'))) return otherwise;
    return strtoll(value, NULL, 10);
}

void ask_upgrade(int fd, const char *path, const char *cookie) {
    char request[1024];
    int length = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n%s%s%s\r\n",
                          path, cookie ? "Cookie: " : "", cookie ? cookie : "", cookie ? "\r\n" : "");
    send_whole(fd, request, (size_t)length);
}

bool was_upgraded(char *buffer, size_t *have) {
    char *end = memmem(buffer, *have, "\r\n\r\n", 4);
    if (end == NULL) return false;
    if (strncmp(buffer, "HTTP/1.1 101", 12) != 0) {
        fprintf(stderr, "no WebSocket: %.*s\n", (int)(end - buffer), buffer);
        exit(1);
    }
    size_t eaten = (size_t)(end + 4 - buffer);
    memmove(buffer, buffer + eaten, *have - eaten);
    *have -= eaten;
    return true;
}

static uint64_t big_endian(const uint8_t *bytes, int count) {
    uint64_t number = 0;
    for (int i = 0; i < count; i++) number = number << 8 | bytes[i];
    return number;
}

static FrameKind kind_of(uint8_t opcode) {
    switch (opcode & 15) {
        case 1: return FRAME_TEXT;
        case 8: return FRAME_CLOSE;
        case 9: return FRAME_PING;
        default: fprintf(stderr, "frame with opcode %d\n", opcode & 15); exit(1);
    }
}

Frame next_frame(const char *buffer, size_t have) {
    const uint8_t *bytes = (const uint8_t *)buffer;
    Frame nothing = {FRAME_NONE, NULL, 0, 0};
    if (have < 2) return nothing;
    int wide = bytes[1] == 126 ? 2 : bytes[1] == 127 ? 8 : 0;
    size_t header = 2 + (size_t)wide;
    if (have < header) return nothing;
    size_t length = wide ? (size_t)big_endian(bytes + 2, wide) : bytes[1];
    if (have - header < length) return nothing;
    return (Frame){kind_of(bytes[0]), buffer + header, length, header + length};
}

static void send_frame(int fd, uint8_t opcode, const char *payload, size_t length) {
    char frame[2048] = {(char)(0x80 | opcode)};
    size_t header;
    if (length > sizeof frame - 8) give_up("frame too long");
    if (length < 126) {
        frame[1] = (char)(0x80 | length);
        header = 6;
    } else {
        frame[1] = (char)(0x80 | 126);
        frame[2] = (char)(length >> 8);
        frame[3] = (char)(length & 255);
        header = 8;
    }
    memcpy(frame + header, payload, length);
    send_whole(fd, frame, header + length);
}

void send_text(int fd, const char *text, size_t length) { send_frame(fd, 1, text, length); }
void send_pong(int fd, const char *payload, size_t length) { send_frame(fd, 10, payload, length); }
