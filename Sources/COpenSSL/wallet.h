// SPDX-License-Identifier: Apache-2.0
//
// The digest that KWallet puts into its files. C, for Swift does not import what OpenSSL calls deprecated.

#ifndef LLV_COPENSSL_WALLET_H
#define LLV_COPENSSL_WALLET_H

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stddef.h>

enum { LLV_WALLET_DIGEST_SIZE = 20 };

// KWallet's own SHA-1 was written for processors that have the high byte of a number first. On others it reads the words of the
// text, and writes those of the digest, with their bytes in reverse order; the rounds are those of SHA-1, and are OpenSSL's.
static inline void llv_wallet_sha1(const void *text, size_t count, void *digest) {
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char *output = (unsigned char *)digest;
    unsigned char block[SHA_CBLOCK];
    SHA_CTX state;
    // The text, a mark, zeros, and the number of bits in the last eight bytes.
    size_t padded = (count / SHA_CBLOCK + 1 + (count % SHA_CBLOCK >= SHA_CBLOCK - 8)) * SHA_CBLOCK;
    unsigned long long bits = (unsigned long long)count * 8;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    SHA1_Init(&state);
    for (size_t start = 0; start < padded; start += SHA_CBLOCK) {
        for (size_t index = 0; index < SHA_CBLOCK; index++) {
            size_t place = start + index;
            unsigned char byte = 0;
            if (place < count) byte = bytes[place];
            else if (place == count) byte = 0x80;
            else if (place >= padded - 8) byte = (unsigned char)(bits >> 8 * (padded - 1 - place));
            block[index ^ 3] = byte;
        }
        SHA1_Transform(&state, block);
    }
#pragma GCC diagnostic pop
    SHA_LONG words[] = {state.h0, state.h1, state.h2, state.h3, state.h4};
    for (size_t index = 0; index < LLV_WALLET_DIGEST_SIZE; index++) {
        output[index] = (unsigned char)(words[index / 4] >> 8 * (index % 4));
    }
    OPENSSL_cleanse(words, sizeof words);
    OPENSSL_cleanse(block, sizeof block);
    OPENSSL_cleanse(&state, sizeof state);
}

#endif
