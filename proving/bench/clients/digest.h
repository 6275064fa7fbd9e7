// SHA-256 and HMAC-SHA256, as small as they can be said. A key's two pads are absorbed once and copied per message.
#ifndef DIGEST_H
#define DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_BYTES 32
#define DIGEST_TEXT 65

typedef struct {
    uint32_t state[8];
    uint64_t length;
    uint8_t block[64];
    size_t held;
} Sha256;

typedef struct {
    Sha256 inner;
    Sha256 outer;
} HmacKey;

void sha256_begin(Sha256 *sha);
void sha256_add(Sha256 *sha, const void *bytes, size_t length);
void sha256_end(Sha256 *sha, uint8_t digest[DIGEST_BYTES]);

void hmac_key(HmacKey *key, const uint8_t *secret, size_t length);
void hmac_text(const HmacKey *key, const void *message, size_t length, char text[DIGEST_TEXT]);
void sha256_text(const void *message, size_t length, char text[DIGEST_TEXT]);
int bytes_of_hex(const char *text, uint8_t *bytes, size_t room);

#endif
