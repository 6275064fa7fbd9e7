// Tables over WebSocket: challenge, hello with its proof, then text frames.
#include "floor.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

static void say(Table *table, const char *body, size_t length) { send_text(table->fd, body, length); }

static void open_table(Table *table) { ask_upgrade(table->fd, table->path, NULL); }

static void answer_challenge(Table *table, const char *nonce) {
    char message[400], proof[DIGEST_TEXT], body[320];
    int length = (int)strcspn(nonce + 1, "\"");
    int said = snprintf(message, sizeof message, "%.*s|%s|%s|2.0.0", length, nonce + 1, table->path, table->device);
    hmac_text(&table->key, message, (size_t)said, proof);
    said = snprintf(body, sizeof body,
                    "{\"id\":%d,\"do\":\"hello\",\"device\":\"%s\",\"version\":\"2.0.0\",\"profile\":\"card\",\"proof\":\"%s\"}",
                    ++table->id, table->device, proof);
    say(table, body, (size_t)said);
}

static void heard_text(Table *table, const char *text) {
    const char *nonce = table->stage == GREETING ? field(text, "nonce") : NULL;
    if (nonce != NULL) answer_challenge(table, nonce);
    else floor_heard(table, text);
}

static size_t heard_frame(Table *table, Frame frame, char *payload) {
    char after = payload[frame.length];
    payload[frame.length] = '\0';
    switch (frame.kind) {
        case FRAME_TEXT: heard_text(table, payload); break;
        case FRAME_PING: send_pong(table->fd, payload, frame.length); break;
        case FRAME_CLOSE: floor_lost(table, "the server closed the connection"); break;
        case FRAME_NONE: break;
    }
    payload[frame.length] = after;
    return frame.consumed;
}

static void hear(Table *table) {
    size_t eaten = 0;
    if (!table->upgraded && !(table->upgraded = was_upgraded(table->buffer, &table->have))) return;
    while (table->stage != DONE) {
        Frame frame = next_frame(table->buffer + eaten, table->have - eaten);
        if (frame.kind == FRAME_NONE) break;
        eaten += heard_frame(table, frame, table->buffer + (frame.payload - table->buffer));
    }
    if (eaten == 0) return;
    memmove(table->buffer, table->buffer + eaten, table->have - eaten);
    table->have -= eaten;
}

static const Wire WEBSOCKET = {open_table, say, hear};

int main(int count, char **words) { return floor_main(&WEBSOCKET, count, words); }
