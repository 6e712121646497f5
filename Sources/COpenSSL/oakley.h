// SPDX-License-Identifier: Apache-2.0
//
// Keys of the second Oakley group (RFC 2409 §6.2), which OpenSSL knows the prime of and has no name for. The shims are C for
// the reasons told in shim.h. Functions that make something give NULL on failure.

#ifndef LLV_COPENSSL_OAKLEY_H
#define LLV_COPENSSL_OAKLEY_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stddef.h>

enum {
    LLV_OAKLEY_SIZE = 128,
    // Twice what the best attack on the group is worth, and more; a longer exponent only takes longer.
    LLV_OAKLEY_EXPONENT_BITS = 256,
};

// A public key of the group out of a number, or its parameters alone where that is NULL.
static inline EVP_PKEY *llv_openssl_oakley_from_number(OSSL_LIB_CTX *library, const BIGNUM *number) {
    unsigned char prime[LLV_OAKLEY_SIZE], generator = 2, point[LLV_OAKLEY_SIZE];
    long bits = LLV_OAKLEY_EXPONENT_BITS;
    OSSL_PARAM parameters[5];
    size_t count = 0;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "DH", NULL);
    EVP_PKEY *key = NULL;
    BIGNUM *modulus = BN_get_rfc2409_prime_1024(NULL);
    int result = context != NULL && modulus != NULL && BN_bn2nativepad(modulus, prime, sizeof prime) > 0
        && (number == NULL || BN_bn2nativepad(number, point, sizeof point) > 0);
    BN_free(modulus);
    parameters[count++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_FFC_P, prime, sizeof prime);
    parameters[count++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_FFC_G, &generator, sizeof generator);
    parameters[count++] = OSSL_PARAM_construct_long(OSSL_PKEY_PARAM_DH_PRIV_LEN, &bits);
    if (number != NULL) {
        parameters[count++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point);
    }
    parameters[count] = OSSL_PARAM_construct_end();
    int selection = number != NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEY_PARAMETERS;
    if (!result || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

static inline EVP_PKEY *llv_openssl_oakley_new_key(OSSL_LIB_CTX *library) {
    EVP_PKEY *group = llv_openssl_oakley_from_number(library, NULL);
    EVP_PKEY_CTX *context = group != NULL ? EVP_PKEY_CTX_new_from_pkey(library, group, NULL) : NULL;
    EVP_PKEY *key = NULL;
    if (context == NULL || EVP_PKEY_keygen_init(context) != 1 || EVP_PKEY_generate(context, &key) != 1) key = NULL;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(group);
    return key;
}

// The key of a big-endian number with any zeros in front. Sets `refused` where the number is not in 2 ... p - 2: with 0, 1 and
// p - 1 everybody knows what comes out.
static inline EVP_PKEY *llv_openssl_oakley_public_key(
    OSSL_LIB_CTX *library, const void *bytes, size_t count, int *refused
) {
    EVP_PKEY *key = NULL;
    BIGNUM *number = BN_bin2bn((const unsigned char *)bytes, (int)count, NULL);
    BIGNUM *last = BN_get_rfc2409_prime_1024(NULL);
    *refused = 0;
    if (number != NULL && last != NULL && BN_sub_word(last, 1) == 1) {
        *refused = BN_cmp(number, BN_value_one()) <= 0 || BN_cmp(number, last) >= 0;
        if (!*refused) key = llv_openssl_oakley_from_number(library, number);
    }
    BN_free(number);
    BN_free(last);
    return key;
}

// Writes the public half of a key, with zeros in front where it is short; 1 on success.
static inline int llv_openssl_oakley_number(const EVP_PKEY *key, void *output) {
    BIGNUM *number = NULL;
    int result = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PUB_KEY, &number) == 1
        && BN_bn2binpad(number, (unsigned char *)output, LLV_OAKLEY_SIZE) == LLV_OAKLEY_SIZE;
    BN_free(number);
    return result;
}

#endif
