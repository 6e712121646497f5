// SPDX-License-Identifier: Apache-2.0
//
// What KeychainCertificates needs of OpenSSL and Swift cannot import: typed stacks, which are macros, "reuse" parsing,
// whose argument says in which library context, and parameters named by macros (see shim.h).

#ifndef LLV_COPENSSL_CERTIFICATES_H
#define LLV_COPENSSL_CERTIFICATES_H

#include <limits.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>

// The certificate that is all of the bytes and would be written as them; or NULL.
// Parsing frees what it was given when it fails, and then leaves NULL.
static inline X509 *llv_x509_parse(OSSL_LIB_CTX *library, const unsigned char *bytes, size_t count) {
    X509 *certificate = count <= LONG_MAX ? X509_new_ex(library, NULL) : NULL;
    unsigned char *encoded = NULL;
    const unsigned char *position = bytes;
    if (certificate == NULL || d2i_X509(&certificate, &position, (long)count) == NULL) {
        X509_free(certificate);
        return NULL;
    }
    int encoded_count = i2d_X509(certificate, &encoded);
    int is_same = position == bytes + count && encoded_count >= 0 && (size_t)encoded_count == count
        && memcmp(encoded, bytes, count) == 0;
    OPENSSL_free(encoded);
    // Parsed anew from its parts, not from the bytes it remembers.
    if (is_same) is_same = i2d_re_X509_tbs(certificate, NULL) > 0;
    if (is_same) {
        encoded = NULL;
        encoded_count = i2d_X509(certificate, &encoded);
        is_same = encoded_count >= 0 && (size_t)encoded_count == count && memcmp(encoded, bytes, count) == 0;
        OPENSSL_free(encoded);
    }
    if (!is_same) {
        X509_free(certificate);
        return NULL;
    }
    return certificate;
}

// Writes 04, x, y of a key on a curve; how many bytes, or 0.
static inline size_t llv_ec_uncompressed_point(const EVP_PKEY *key, unsigned char *point, size_t capacity) {
    BIGNUM *x = NULL, *y = NULL;
    size_t result = 0;
    size_t size = ((size_t)EVP_PKEY_get_bits(key) + 7) / 8;
    if (size > 0 && 1 + 2 * size <= capacity && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_EC_PUB_X, &x) == 1
        && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_EC_PUB_Y, &y) == 1
        && BN_bn2binpad(x, point + 1, (int)size) == (int)size
        && BN_bn2binpad(y, point + 1 + size, (int)size) == (int)size) {
        point[0] = 4;
        result = 1 + 2 * size;
    }
    BN_free(x);
    BN_free(y);
    return result;
}

#endif
