// SHA-256 and HMAC-SHA256 by OpenSSL's plain calls: the newer ones look the algorithm up for every message.
// A key's two pads are absorbed once and copied per message.
#ifndef DIGEST_H
#define DIGEST_H

#include <openssl/sha.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_BYTES 32
#define DIGEST_TEXT 65

typedef struct {
    SHA256_CTX inner;
    SHA256_CTX outer;
} HmacKey;

void hmac_key(HmacKey *key, const uint8_t *secret, size_t length);
void hmac_text(const HmacKey *key, const void *message, size_t length, char text[DIGEST_TEXT]);
void sha256_text(const void *message, size_t length, char text[DIGEST_TEXT]);
int bytes_of_hex(const char *text, uint8_t *bytes, size_t room);

#endif
