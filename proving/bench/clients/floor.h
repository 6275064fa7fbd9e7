// The tables of a casino at full speed: each has one message under way, coin_in and end in turn.
// http.c and socket.c bring the wire; this brings rounds, window, counts and the report.
#ifndef FLOOR_H
#define FLOOR_H

#include "digest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUFFER 16384

typedef enum { GREETING, LEFTOVER, COIN, END, DONE } Stage;

typedef struct {
    int fd, port;
    char path[100], device[48];
    HmacKey key;
    bool has_key, upgraded;
    Stage stage;
    long long round, sequence;
    int id, told;
    int64_t sent_ns;
    size_t have;
    char buffer[BUFFER + 1];
} Table;

typedef struct {
    void (*open)(Table *table);                                    // connected: say hello, or wait for the challenge
    void (*say)(Table *table, const char *body, size_t length);    // send one message
    void (*hear)(Table *table);                                    // read the buffer, call floor_heard for each answer
} Wire;

int floor_main(const Wire *wire, int count, char **words);
void floor_heard(Table *table, const char *answer);
void floor_lost(Table *table, const char *why);
const char *floor_time(int seconds_ago);  // ISO 8601, to the millisecond

#endif
