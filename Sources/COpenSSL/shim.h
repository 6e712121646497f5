// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_COPENSSL_SHIM_H
#define LLV_COPENSSL_SHIM_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stddef.h>

// ERR_R_MALLOC_FAILURE is an expression over other macros; Swift imports none such.
static inline int llv_openssl_is_out_of_memory(unsigned long error) {
    return ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE;
}

// An OSSL_PARAM keeps a pointer to its name, and the names are macros for literals. Swift imports those as String,
// whose pointer lasts no longer than a call. Here they are the literals themselves; OpenSSL writes to none of it.
static inline int llv_openssl_hmac_sha256_init(EVP_MAC_CTX *context, const void *key, size_t key_count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_init(context, (const unsigned char *)key, key_count, parameters);
}

// For the same reason.
static inline int llv_openssl_hkdf_sha256(
    EVP_KDF_CTX *context,
    const void *secret, size_t secret_count,
    const void *salt, size_t salt_count,
    const void *info, size_t info_count,
    void *output, size_t output_count
) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
        OSSL_PARAM_construct_end(),
    };
    return EVP_KDF_derive(context, (unsigned char *)output, output_count, parameters);
}

#endif
