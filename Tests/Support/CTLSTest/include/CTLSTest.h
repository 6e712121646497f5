// SPDX-License-Identifier: Apache-2.0
//
// A TLS client of OpenSSL's that has no private key of its own: whoever calls it signs, and whoever calls it trusts.

#ifndef LLT_CTLSTEST_H
#define LLT_CTLSTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What is to be done with the bytes to sign.
enum llt_tls_signing {
    /// ECDSA of a digest, as a sequence of two numbers.
    LLT_TLS_ECDSA,
    /// RSA of a number as large as the modulus: PSS has padded it already.
    LLT_TLS_RSA_NUMBER,
    /// RSA with the padding of PKCS#1 around the bytes.
    LLT_TLS_RSA_PKCS1,
};

/// Signs `input`; there is room for `*signature_size` bytes, which is set to those written.
typedef bool (*llt_tls_sign)(void *context, int signing, const uint8_t *input, size_t input_size, uint8_t *signature,
                             size_t *signature_size);

/// Whether the server with these certificates, its own first, is to be trusted.
typedef bool (*llt_tls_trust)(void *context, const uint8_t *_Nonnull const *_Nonnull certificates,
                              const size_t *certificate_sizes, size_t count);

typedef struct {
    /// The socket in the file system, and the name of the server that is expected behind it.
    const char *path;
    const char *host;
    /// 0x0303 or 0x0304.
    int version;
    /// The client's certificate in DER, if it has one: of an RSA key or of one on P-256.
    const uint8_t *_Nullable certificate;
    size_t certificate_size;
    void *context;
    llt_tls_sign sign;
    llt_tls_trust trust;
} llt_tls_client;

enum llt_tls_result {
    LLT_TLS_DONE,
    /// Nothing was sent: the socket, the certificate or the key could not be used.
    LLT_TLS_NOT_STARTED,
    /// One side has refused the other.
    LLT_TLS_NO_HANDSHAKE,
    /// The handshake seemed done, and then no answer came.
    LLT_TLS_NO_ANSWER,
};

/// Connects, sends `line`, which ends with a line feed, and reads a line, which is put into `answer` with a zero behind
/// it. `reason` is set to OpenSSL's first complaint, if it has any. Waits 20 seconds at most for each step.
int llt_tls_talk(const llt_tls_client *client, const char *line, char *answer, size_t answer_size, char *reason,
                 size_t reason_size);

#pragma clang assume_nonnull end

#endif
