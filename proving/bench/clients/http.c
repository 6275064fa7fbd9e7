// Tables over HTTP: one kept-alive connection each, every message signed anew (a roster without a secret: unsigned).
#include "floor.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELLO "{\"id\":0,\"do\":\"hello\",\"device\":\"%s\",\"version\":\"2.0.0\",\"profile\":\"card\"}"

static int signature(Table *table, const char *body, size_t length, char *headers, size_t room) {
    char digest[DIGEST_TEXT], proof[DIGEST_TEXT], signed_text[320];
    long long time = wall_ns() / 1000000, sequence = ++table->sequence;
    sha256_text(body, length, digest);
    int said = snprintf(signed_text, sizeof signed_text, "POST\n%s\n%lld\n%lld\n%s", table->path, time, sequence, digest);
    hmac_text(&table->key, signed_text, (size_t)said, proof);
    return snprintf(headers, room, "X-Device: %s\r\nX-Time: %lld\r\nX-Sequence: %lld\r\nX-Signature: %s\r\n", table->device, time, sequence, proof);
}

static void say(Table *table, const char *body, size_t length) {
    char request[1024], headers[320] = "";
    if (table->has_key) signature(table, body, length, headers, sizeof headers);
    int said = snprintf(request, sizeof request,
                        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%.*s",
                        table->path, headers, length, (int)length, body);
    send_whole(table->fd, request, (size_t)said);
}

static void open_table(Table *table) {
    char body[200];
    int length = snprintf(body, sizeof body, HELLO, table->device);
    say(table, body, (size_t)length);
}

static void hear(Table *table) {
    char *end = memmem(table->buffer, table->have, "\r\n\r\n", 4);
    if (end == NULL) return;
    *end = '\0';
    const char *length_at = strcasestr(table->buffer, "\r\ncontent-length:");
    size_t header = (size_t)(end + 4 - table->buffer), length = length_at ? strtoul(length_at + 17, NULL, 10) : 0;
    *end = '\r';
    if (table->have < header + length) return;
    table->have = 0;
    if (strncmp(table->buffer, "HTTP/1.1 200", 12) != 0) {
        floor_lost(table, length ? table->buffer + header : table->buffer);
        return;
    }
    floor_heard(table, table->buffer + header);
}

static const Wire HTTP = {open_table, say, hear};

int main(int count, char **words) { return floor_main(&HTTP, count, words); }
