// SPDX-License-Identifier: Apache-2.0
//
// For keys of ML-KEM (FIPS 203) and ML-DSA (FIPS 204), which OpenSSL has since 3.5. Everything is asked for by name when
// the program runs, so one program, compiled against the headers of 3.0, works with both. C for the reasons told in keys.h.

#ifndef LLV_COPENSSL_LATTICE_H
#define LLV_COPENSSL_LATTICE_H

#include "keys.h"

// The names of parameters that the headers of 3.0 do not have.
#define LLV_LATTICE_SEED "seed"
#define LLV_LATTICE_CONTEXT "context-string"

static inline int llv_lattice_is_offered(OSSL_LIB_CTX *library, const char *name) {
    EVP_KEYMGMT *management = EVP_KEYMGMT_fetch(library, name, NULL);
    int result = management != NULL;
    EVP_KEYMGMT_free(management);
    return result;
}

static inline EVP_PKEY *llv_lattice_generate(OSSL_LIB_CTX *library, const char *name) {
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_end()};
    return llv_keys_generate(library, name, parameters, NULL);
}

static inline EVP_PKEY *llv_lattice_of_seed(
    OSSL_LIB_CTX *library, const char *name, const void *seed, size_t count
) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(LLV_LATTICE_SEED, (void *)seed, count),
        OSSL_PARAM_construct_end(),
    };
    return llv_keys_from_data(library, name, EVP_PKEY_KEYPAIR, parameters);
}

// The expanded private key, as FIPS 203 and 204 encode it.
static inline EVP_PKEY *llv_lattice_private(
    OSSL_LIB_CTX *library, const char *name, const void *bytes, size_t count
) {
    return EVP_PKEY_new_raw_private_key_ex(library, name, NULL, (const unsigned char *)bytes, count);
}

static inline EVP_PKEY *llv_lattice_public(
    OSSL_LIB_CTX *library, const char *name, const void *bytes, size_t count
) {
    return EVP_PKEY_new_raw_public_key_ex(library, name, NULL, (const unsigned char *)bytes, count);
}

static inline int llv_lattice_seed(EVP_PKEY *key, void *output, size_t count) {
    size_t written = 0;
    return EVP_PKEY_get_octet_string_param(key, LLV_LATTICE_SEED, (unsigned char *)output, count, &written) == 1
        && written == count;
}

// Pure ML-DSA with a context; one of no bytes is the usual one.
static inline int llv_lattice_sign(
    OSSL_LIB_CTX *library, EVP_PKEY *key, void *output, size_t *count, const void *context, size_t context_count,
    const void *input, size_t input_count
) {
    static const unsigned char nothing = 0;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(
            LLV_LATTICE_CONTEXT, (void *)(context != NULL ? context : &nothing), context_count),
        OSSL_PARAM_construct_end(),
    };
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    int result = state != NULL && EVP_DigestSignInit_ex(state, NULL, NULL, library, NULL, key, parameters) == 1
        && EVP_DigestSign(state, (unsigned char *)output, count,
            input != NULL ? (const unsigned char *)input : &nothing, input_count) == 1;
    EVP_MD_CTX_free(state);
    return result;
}

static inline int llv_lattice_verify(
    OSSL_LIB_CTX *library, EVP_PKEY *key, const void *signature, size_t count, const void *context,
    size_t context_count, const void *input, size_t input_count
) {
    static const unsigned char nothing = 0;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(
            LLV_LATTICE_CONTEXT, (void *)(context != NULL ? context : &nothing), context_count),
        OSSL_PARAM_construct_end(),
    };
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    int result = state != NULL && EVP_DigestVerifyInit_ex(state, NULL, NULL, library, NULL, key, parameters) == 1
        && EVP_DigestVerify(state, signature != NULL ? (const unsigned char *)signature : &nothing, count,
            input != NULL ? (const unsigned char *)input : &nothing, input_count) == 1;
    EVP_MD_CTX_free(state);
    return result;
}

static inline int llv_lattice_encapsulate(
    OSSL_LIB_CTX *library, EVP_PKEY *key, void *encapsulated, size_t encapsulated_count, void *secret,
    size_t secret_count
) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    size_t written = encapsulated_count, shared = secret_count;
    int result = context != NULL && EVP_PKEY_encapsulate_init(context, NULL) == 1
        && EVP_PKEY_encapsulate(context, (unsigned char *)encapsulated, &written, (unsigned char *)secret, &shared) == 1
        && written == encapsulated_count && shared == secret_count;
    EVP_PKEY_CTX_free(context);
    return result;
}

static inline int llv_lattice_decapsulate(
    OSSL_LIB_CTX *library, EVP_PKEY *key, void *secret, size_t secret_count, const void *encapsulated,
    size_t encapsulated_count
) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    size_t shared = secret_count;
    int result = context != NULL && EVP_PKEY_decapsulate_init(context, NULL) == 1
        && EVP_PKEY_decapsulate(context, (unsigned char *)secret, &shared,
            (const unsigned char *)encapsulated, encapsulated_count) == 1
        && shared == secret_count;
    EVP_PKEY_CTX_free(context);
    return result;
}

#endif
