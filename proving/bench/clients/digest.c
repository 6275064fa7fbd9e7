#include "digest.h"

#include <string.h>

static void absorb_pad(SHA256_CTX *sha, const uint8_t *secret, size_t length, uint8_t mask) {
    uint8_t pad[64];
    memset(pad, mask, sizeof pad);
    for (size_t i = 0; i < length; i++) pad[i] ^= secret[i];
    SHA256_Init(sha);
    SHA256_Update(sha, pad, sizeof pad);
}

void hmac_key(HmacKey *key, const uint8_t *secret, size_t length) {
    absorb_pad(&key->inner, secret, length, 0x36);
    absorb_pad(&key->outer, secret, length, 0x5c);
}

static void hex_of(const uint8_t digest[DIGEST_BYTES], char text[DIGEST_TEXT]) {
    static const char figure[] = "0123456789abcdef";
    for (int i = 0; i < DIGEST_BYTES; i++) {
        text[2 * i] = figure[digest[i] >> 4];
        text[2 * i + 1] = figure[digest[i] & 15];
    }
    text[DIGEST_TEXT - 1] = '\0';
}

void hmac_text(const HmacKey *key, const void *message, size_t length, char text[DIGEST_TEXT]) {
    uint8_t digest[DIGEST_BYTES];
    SHA256_CTX sha = key->inner;
    SHA256_Update(&sha, message, length);
    SHA256_Final(digest, &sha);
    sha = key->outer;
    SHA256_Update(&sha, digest, sizeof digest);
    SHA256_Final(digest, &sha);
    hex_of(digest, text);
}

void sha256_text(const void *message, size_t length, char text[DIGEST_TEXT]) {
    uint8_t digest[DIGEST_BYTES];
    SHA256_CTX sha;
    SHA256_Init(&sha);
    SHA256_Update(&sha, message, length);
    SHA256_Final(digest, &sha);
    hex_of(digest, text);
}

static int figure_value(char figure) {
    if (figure >= '0' && figure <= '9') return figure - '0';
    if (figure >= 'a' && figure <= 'f') return figure - 'a' + 10;
    return -1;
}

int bytes_of_hex(const char *text, uint8_t *bytes, size_t room) {
    size_t count = strlen(text) / 2;
    if (count > room || strlen(text) % 2 != 0) return -1;
    for (size_t i = 0; i < count; i++) {
        int high = figure_value(text[2 * i]), low = figure_value(text[2 * i + 1]);
        if (high < 0 || low < 0) return -1;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return (int)count;
}
