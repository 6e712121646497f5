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

#include "keys.h"
#include "lattice.h"
#include "certificates.h"
#include "cms.h"
#include "oakley.h"
#include "wallet.h"

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

// Puts another key in the place of the one a context has. Errors are of no use to the caller, a forked child.
static inline void llv_openssl_hmac_forget_key(EVP_MAC_CTX *context) {
    static const unsigned char none[32] = {1};
    (void)EVP_MAC_init(context, none, sizeof none, NULL);
}

// For the same reason. `mode` is one of LLV_HKDF_…: both halves of RFC 5869, or one.
enum {
    LLV_HKDF_WHOLE = EVP_KDF_HKDF_MODE_EXTRACT_AND_EXPAND,
    LLV_HKDF_EXTRACT = EVP_KDF_HKDF_MODE_EXTRACT_ONLY,
    LLV_HKDF_EXPAND = EVP_KDF_HKDF_MODE_EXPAND_ONLY,
};

static inline int llv_openssl_hkdf_sha256(
    EVP_KDF_CTX *context, int mode,
    const void *secret, size_t secret_count,
    const void *salt, size_t salt_count,
    const void *info, size_t info_count,
    void *output, size_t output_count
) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
        OSSL_PARAM_construct_end(),
    };
    return EVP_KDF_derive(context, (unsigned char *)output, output_count, parameters);
}

// For the same reason, and so that the pointers are those of EVP_PKEY. NULL when OpenSSL refuses.
static inline EVP_PKEY *llv_openssl_x25519_private_key(OSSL_LIB_CTX *library, const void *bytes, size_t count) {
    return EVP_PKEY_new_raw_private_key_ex(library, "X25519", NULL, (const unsigned char *)bytes, count);
}

static inline EVP_PKEY *llv_openssl_x25519_public_key(OSSL_LIB_CTX *library, const void *bytes, size_t count) {
    return EVP_PKEY_new_raw_public_key_ex(library, "X25519", NULL, (const unsigned char *)bytes, count);
}

static inline EVP_PKEY *llv_openssl_ed25519_private_key(OSSL_LIB_CTX *library, const void *bytes, size_t count) {
    return EVP_PKEY_new_raw_private_key_ex(library, "ED25519", NULL, (const unsigned char *)bytes, count);
}

static inline EVP_PKEY *llv_openssl_ed25519_public_key(OSSL_LIB_CTX *library, const void *bytes, size_t count) {
    return EVP_PKEY_new_raw_public_key_ex(library, "ED25519", NULL, (const unsigned char *)bytes, count);
}

enum {
    LLV_P256_SCALAR_SIZE = 32,
    LLV_P256_POINT_SIZE = 65,
};

// OSSL_PARAM holds numbers in the machine's byte order.
static inline void llv_openssl_copy_number(unsigned char *to, const unsigned char *from) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < LLV_P256_SCALAR_SIZE; i++) to[i] = from[i];
#else
    for (int i = 0; i < LLV_P256_SCALAR_SIZE; i++) to[i] = from[LLV_P256_SCALAR_SIZE - 1 - i];
#endif
}

// A new P-256 key, or NULL.
static inline EVP_PKEY *llv_openssl_p256_new_key(OSSL_LIB_CTX *library) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "EC", NULL);
    EVP_PKEY *key = NULL;
    if (context == NULL || EVP_PKEY_keygen_init(context) != 1
        || EVP_PKEY_CTX_set_params(context, parameters) != 1 || EVP_PKEY_generate(context, &key) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

// The key of a 65-byte point, a 32-byte scalar, or both; NULL when the point is not on the curve.
static inline EVP_PKEY *llv_openssl_p256_key(OSSL_LIB_CTX *library, const void *scalar, const void *point) {
    unsigned char number[LLV_P256_SCALAR_SIZE];
    OSSL_PARAM parameters[4];
    size_t count = 0;
    parameters[count++] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0);
    if (scalar != NULL) {
        llv_openssl_copy_number(number, (const unsigned char *)scalar);
        parameters[count++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, sizeof number);
    }
    if (point != NULL) {
        parameters[count++] =
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, LLV_P256_POINT_SIZE);
    }
    parameters[count] = OSSL_PARAM_construct_end();
    int selection = scalar != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "EC", NULL);
    EVP_PKEY *key = NULL;
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OPENSSL_cleanse(number, sizeof number);
    return key;
}

// Writes the 32 bytes of a P-256 key's scalar; 1 on success.
static inline int llv_openssl_p256_scalar(const EVP_PKEY *key, void *scalar) {
    unsigned char number[LLV_P256_SCALAR_SIZE] = {0};
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, sizeof number),
        OSSL_PARAM_construct_end(),
    };
    int result = EVP_PKEY_get_params(key, parameters) == 1 && parameters[0].return_size == sizeof number;
    if (result) llv_openssl_copy_number((unsigned char *)scalar, number);
    OPENSSL_cleanse(number, sizeof number);
    return result;
}

// Writes the 65 bytes of a P-256 key's point; 1 on success.
static inline int llv_openssl_p256_point(const EVP_PKEY *key, void *point) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, LLV_P256_POINT_SIZE),
        OSSL_PARAM_construct_end(),
    };
    return EVP_PKEY_get_params(key, parameters) == 1 && parameters[0].return_size == LLV_P256_POINT_SIZE;
}

#endif
