// SPDX-License-Identifier: Apache-2.0
//
// For keys of every kind. The shims are C for the reasons told in shim.h: parameters keep pointers to their names, and
// numbers are in the machine's byte order. Functions that make something give NULL on failure.

#ifndef LLV_COPENSSL_KEYS_H
#define LLV_COPENSSL_KEYS_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <stddef.h>

// How OpenSSL calls the kinds of key that are no RSA and no curve of NIST's; the numbers are Apple's.
enum {
    LLV_KEYS_ED25519 = 105,
    LLV_KEYS_X25519 = 106,
    LLV_KEYS_ED448 = 107,
    LLV_KEYS_X448 = 108,
};

static inline const char *llv_keys_raw_name(int kind) {
    switch (kind) {
    case LLV_KEYS_ED25519: return "ED25519";
    case LLV_KEYS_X25519: return "X25519";
    case LLV_KEYS_ED448: return "ED448";
    case LLV_KEYS_X448: return "X448";
    default: return NULL;
    }
}

// The curves there are, by the bits of their field.
static inline const char *llv_keys_curve_name(int bits) {
    switch (bits) {
    case 256: return "prime256v1";
    case 384: return "secp384r1";
    case 521: return "secp521r1";
    default: return NULL;
    }
}

static inline void llv_keys_reverse(unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        unsigned char byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}

// Between big-endian and the machine's order, in place.
static inline void llv_keys_turn(unsigned char *bytes, size_t count) {
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    llv_keys_reverse(bytes, count);
#endif
}

// MARK: Making keys

static inline EVP_PKEY *llv_keys_from_data(
    OSSL_LIB_CTX *library, const char *name, int selection, OSSL_PARAM *parameters
) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, NULL);
    EVP_PKEY *key = NULL;
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

// Asked every few milliseconds while a key is made, with `asked`; 0 ends it.
typedef int (*llv_keys_goes_on)(void *asked);

struct llv_keys_question {
    llv_keys_goes_on goes_on;
    void *asked;
};

static inline int llv_keys_ask(EVP_PKEY_CTX *context) {
    struct llv_keys_question *question = (struct llv_keys_question *)EVP_PKEY_CTX_get_app_data(context);
    return question->goes_on(question->asked);
}

static inline EVP_PKEY *llv_keys_generate(
    OSSL_LIB_CTX *library, const char *name, OSSL_PARAM *parameters, struct llv_keys_question *question
) {
    if (name == NULL) return NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, NULL);
    EVP_PKEY *key = NULL;
    if (context != NULL && question != NULL) {
        EVP_PKEY_CTX_set_app_data(context, question);
        EVP_PKEY_CTX_set_cb(context, llv_keys_ask);
    }
    if (context == NULL || EVP_PKEY_keygen_init(context) != 1
        || EVP_PKEY_CTX_set_params(context, parameters) != 1 || EVP_PKEY_generate(context, &key) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

static inline EVP_PKEY *llv_keys_generate_rsa(
    OSSL_LIB_CTX *library, size_t bits, void *asked, llv_keys_goes_on goes_on
) {
    struct llv_keys_question question = {goes_on, asked};
    unsigned int exponent = 65537;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_RSA_BITS, &bits),
        OSSL_PARAM_construct_uint(OSSL_PKEY_PARAM_RSA_E, &exponent),
        OSSL_PARAM_construct_end(),
    };
    return llv_keys_generate(library, "RSA", parameters, &question);
}

static inline EVP_PKEY *llv_keys_generate_ec(OSSL_LIB_CTX *library, int bits) {
    const char *curve = llv_keys_curve_name(bits);
    if (curve == NULL) return NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
        OSSL_PARAM_construct_end(),
    };
    return llv_keys_generate(library, "EC", parameters, NULL);
}

static inline EVP_PKEY *llv_keys_generate_raw(OSSL_LIB_CTX *library, int kind) {
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_end()};
    return llv_keys_generate(library, llv_keys_raw_name(kind), parameters, NULL);
}

static inline EVP_PKEY *llv_keys_raw_private(OSSL_LIB_CTX *library, int kind, const void *bytes, size_t count) {
    return EVP_PKEY_new_raw_private_key_ex(
        library, llv_keys_raw_name(kind), NULL, (const unsigned char *)bytes, count);
}

static inline EVP_PKEY *llv_keys_raw_public(OSSL_LIB_CTX *library, int kind, const void *bytes, size_t count) {
    return EVP_PKEY_new_raw_public_key_ex(library, llv_keys_raw_name(kind), NULL, (const unsigned char *)bytes, count);
}

// A key of a point (04, x, y) and, unless NULL, its scalar. The point is checked to be one of the curve; whether the
// scalar is the point's is checked when `check` calls.
static inline EVP_PKEY *llv_keys_ec(
    OSSL_LIB_CTX *library, int bits, const void *point, size_t point_count, const void *scalar, size_t scalar_count
) {
    unsigned char number[66];
    const char *curve = llv_keys_curve_name(bits);
    if (curve == NULL || scalar_count > sizeof number) return NULL;
    OSSL_PARAM parameters[4];
    size_t count = 0;
    parameters[count++] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0);
    parameters[count++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_count);
    if (scalar != NULL) {
        for (size_t i = 0; i < scalar_count; i++) number[i] = ((const unsigned char *)scalar)[i];
        llv_keys_turn(number, scalar_count);
        parameters[count++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number, scalar_count);
    }
    parameters[count] = OSSL_PARAM_construct_end();
    EVP_PKEY *key =
        llv_keys_from_data(library, "EC", scalar != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
    OPENSSL_cleanse(number, sizeof number);
    return key;
}

static inline EC_GROUP *llv_keys_group(OSSL_LIB_CTX *library, int bits) {
    switch (bits) {
    case 256: return EC_GROUP_new_by_curve_name_ex(library, NULL, NID_X9_62_prime256v1);
    case 384: return EC_GROUP_new_by_curve_name_ex(library, NULL, NID_secp384r1);
    case 521: return EC_GROUP_new_by_curve_name_ex(library, NULL, NID_secp521r1);
    default: return NULL;
    }
}

// Writes the point (04, x, y) that a scalar gives; 1 on success. Whether the scalar is in its range is not asked here.
static inline int llv_keys_ec_point_of_scalar(
    OSSL_LIB_CTX *library, int bits, const void *scalar, size_t scalar_count, void *output, size_t count
) {
    EC_GROUP *group = llv_keys_group(library, bits);
    EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
    BN_CTX *space = BN_CTX_secure_new_ex(library);
    BIGNUM *number = BN_bin2bn((const unsigned char *)scalar, (int)scalar_count, NULL);
    int result = point != NULL && space != NULL && number != NULL;
    if (result) {
        BN_set_flags(number, BN_FLG_CONSTTIME);
        // It must be written exactly into the space there is: the point at infinity takes one byte.
        result = EC_POINT_mul(group, point, number, NULL, NULL, space) == 1
            && EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, NULL, 0, space) == count
            && EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, (unsigned char *)output, count, space) == count;
    }
    BN_clear_free(number);
    BN_CTX_free(space);
    EC_POINT_clear_free(point);
    EC_GROUP_free(group);
    return result;
}

// Writes a point (04, x, y) that comes as 02 or 03, x; 1 when there is one.
static inline int llv_keys_ec_uncompressed(
    OSSL_LIB_CTX *library, int bits, const void *compressed, size_t compressed_count, void *output, size_t count
) {
    EC_GROUP *group = llv_keys_group(library, bits);
    EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
    int result = point != NULL
        && EC_POINT_oct2point(group, point, (const unsigned char *)compressed, compressed_count, NULL) == 1
        && EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, NULL, 0, NULL) == count
        && EC_POINT_point2oct(
            group, point, POINT_CONVERSION_UNCOMPRESSED, (unsigned char *)output, count, NULL) == count;
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return result;
}

// 1 when the scalar is within its range and gives the point.
static inline int llv_keys_ec_halves_match(OSSL_LIB_CTX *library, EVP_PKEY *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    int result = context != NULL && EVP_PKEY_private_check(context) == 1 && EVP_PKEY_pairwise_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    return result;
}

// MARK: RSA's numbers, in the order of PKCS#1: n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p

enum {
    LLV_KEYS_RSA_PUBLIC_NUMBERS = 2,
    LLV_KEYS_RSA_NUMBERS = 8,
};

static inline const char *llv_keys_rsa_number_name(int which) {
    switch (which) {
    case 0: return OSSL_PKEY_PARAM_RSA_N;
    case 1: return OSSL_PKEY_PARAM_RSA_E;
    case 2: return OSSL_PKEY_PARAM_RSA_D;
    case 3: return OSSL_PKEY_PARAM_RSA_FACTOR1;
    case 4: return OSSL_PKEY_PARAM_RSA_FACTOR2;
    case 5: return OSSL_PKEY_PARAM_RSA_EXPONENT1;
    case 6: return OSSL_PKEY_PARAM_RSA_EXPONENT2;
    case 7: return OSSL_PKEY_PARAM_RSA_COEFFICIENT1;
    default: return NULL;
    }
}

// A key of the first `amount` numbers, big-endian, each where its offset in `bytes` says.
static inline EVP_PKEY *llv_keys_rsa(
    OSSL_LIB_CTX *library, const void *bytes, const size_t *offsets, const size_t *counts, size_t amount
) {
    OSSL_PARAM parameters[LLV_KEYS_RSA_NUMBERS + 1];
    size_t total = 0;
    if (amount > LLV_KEYS_RSA_NUMBERS) return NULL;
    for (size_t i = 0; i < amount; i++) total += counts[i];
    unsigned char *copy = (unsigned char *)OPENSSL_malloc(total);
    if (copy == NULL) return NULL;
    unsigned char *next = copy;
    for (size_t i = 0; i < amount; i++) {
        for (size_t k = 0; k < counts[i]; k++) next[k] = ((const unsigned char *)bytes)[offsets[i] + k];
        llv_keys_turn(next, counts[i]);
        parameters[i] = OSSL_PARAM_construct_BN(llv_keys_rsa_number_name((int)i), next, counts[i]);
        next += counts[i];
    }
    parameters[amount] = OSSL_PARAM_construct_end();
    EVP_PKEY *key = llv_keys_from_data(
        library, "RSA", amount > LLV_KEYS_RSA_PUBLIC_NUMBERS ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
    OPENSSL_clear_free(copy, total);
    return key;
}

// Whether `product` mod `modulus` is `expected`, for numbers whose time must tell nothing.
static inline int llv_keys_is_product(
    const BIGNUM *left, const BIGNUM *right, const BIGNUM *modulus, const BIGNUM *expected, BIGNUM *product,
    BN_CTX *space
) {
    return BN_mod_mul(product, left, right, modulus, space) == 1 && BN_cmp(product, expected) == 0;
}

// 1 when the eight numbers belong together; primes are not tested to be primes. 0 when not, -1 without memory.
static inline int llv_keys_rsa_numbers_match(const void *bytes, const size_t *offsets, const size_t *counts) {
    enum { N, E, D, P, Q, DP, DQ, QI, P1, Q1, T, AMOUNT };
    BIGNUM *number[AMOUNT];
    BN_CTX *space = BN_CTX_secure_new();
    int result = space != NULL ? 1 : -1;
    for (int i = 0; i < AMOUNT; i++) {
        number[i] = i < LLV_KEYS_RSA_NUMBERS
            ? BN_bin2bn((const unsigned char *)bytes + offsets[i], (int)counts[i], NULL) : BN_new();
        if (number[i] == NULL) result = -1; else BN_set_flags(number[i], BN_FLG_CONSTTIME);
    }
    if (result == 1) {
        result = BN_is_odd(number[P]) && BN_is_odd(number[Q]) && BN_cmp(number[P], number[Q]) != 0
            && !BN_is_one(number[P]) && !BN_is_one(number[Q]) && BN_cmp(number[D], number[N]) < 0
            && BN_mul(number[T], number[P], number[Q], space) == 1 && BN_cmp(number[T], number[N]) == 0
            && BN_sub(number[P1], number[P], BN_value_one()) == 1 && BN_sub(number[Q1], number[Q], BN_value_one()) == 1
            && BN_nnmod(number[T], number[D], number[P1], space) == 1 && BN_cmp(number[T], number[DP]) == 0
            && BN_nnmod(number[T], number[D], number[Q1], space) == 1 && BN_cmp(number[T], number[DQ]) == 0
            && llv_keys_is_product(number[DP], number[E], number[P1], BN_value_one(), number[T], space)
            && llv_keys_is_product(number[DQ], number[E], number[Q1], BN_value_one(), number[T], space)
            && BN_cmp(number[QI], number[P]) < 0
            && llv_keys_is_product(number[QI], number[Q], number[P], BN_value_one(), number[T], space);
    }
    for (int i = 0; i < AMOUNT; i++) BN_clear_free(number[i]);
    BN_CTX_free(space);
    return result;
}

// The fewest bytes the number takes; 0 when the key has no such number.
static inline size_t llv_keys_rsa_number_size(const EVP_PKEY *key, int which) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_BN(llv_keys_rsa_number_name(which), NULL, 0),
        OSSL_PARAM_construct_end(),
    };
    if (EVP_PKEY_get_params(key, parameters) != 1 || parameters[0].return_size == OSSL_PARAM_UNMODIFIED) return 0;
    return parameters[0].return_size;
}

static inline int llv_keys_number(const EVP_PKEY *key, const char *name, void *output, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_BN(name, (unsigned char *)output, count),
        OSSL_PARAM_construct_end(),
    };
    if (EVP_PKEY_get_params(key, parameters) != 1 || parameters[0].return_size != count) return 0;
    llv_keys_turn((unsigned char *)output, count);
    return 1;
}

// Writes a number, big-endian; 1 on success.
static inline int llv_keys_rsa_number(const EVP_PKEY *key, int which, void *output, size_t count) {
    return llv_keys_number(key, llv_keys_rsa_number_name(which), output, count);
}

static inline int llv_keys_ec_scalar(const EVP_PKEY *key, void *output, size_t count) {
    return llv_keys_number(key, OSSL_PKEY_PARAM_PRIV_KEY, output, count);
}

// Writes 04, x, y; 1 on success.
static inline int llv_keys_ec_point(const EVP_PKEY *key, void *output, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, output, count),
        OSSL_PARAM_construct_end(),
    };
    return EVP_PKEY_get_params(key, parameters) == 1 && parameters[0].return_size == count;
}

// MARK: Using keys

enum {
    LLV_KEYS_SIGN,
    LLV_KEYS_VERIFY,
    LLV_KEYS_RECOVER,
    LLV_KEYS_ENCRYPT,
    LLV_KEYS_DECRYPT,
    LLV_KEYS_DERIVE,
};

// A context for one operation, to be used as often as wanted. `padding` is one of RSA_…_PADDING, 0 for other keys;
// `digest` may be NULL.
static inline EVP_PKEY_CTX *llv_keys_context(
    OSSL_LIB_CTX *library, EVP_PKEY *key, int operation, int padding, const EVP_MD *digest
) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    int result = 0;
    if (context == NULL) return NULL;
    switch (operation) {
    case LLV_KEYS_SIGN: result = EVP_PKEY_sign_init(context); break;
    case LLV_KEYS_VERIFY: result = EVP_PKEY_verify_init(context); break;
    case LLV_KEYS_RECOVER: result = EVP_PKEY_verify_recover_init(context); break;
    case LLV_KEYS_ENCRYPT: result = EVP_PKEY_encrypt_init(context); break;
    case LLV_KEYS_DECRYPT: result = EVP_PKEY_decrypt_init(context); break;
    case LLV_KEYS_DERIVE: result = EVP_PKEY_derive_init(context); break;
    }
    if (result == 1 && padding != 0) result = EVP_PKEY_CTX_set_rsa_padding(context, padding);
    if (result == 1 && digest != NULL) {
        if (padding == RSA_PKCS1_OAEP_PADDING) {
            result = EVP_PKEY_CTX_set_rsa_oaep_md(context, digest) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1;
        } else {
            result = EVP_PKEY_CTX_set_signature_md(context, digest);
        }
        if (result == 1 && padding == RSA_PKCS1_PSS_PADDING) {
            result = EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
        }
    }
    if (result != 1) {
        EVP_PKEY_CTX_free(context);
        return NULL;
    }
    return context;
}

// Does what the context is for. `count` says how much `output` takes, and then how much it took. 1 on success.
static inline int llv_keys_run(
    EVP_PKEY_CTX *context, int operation, void *output, size_t *count, const void *input, size_t input_count
) {
    static const unsigned char nothing = 0;
    // An input of no bytes may have no address, and OpenSSL takes that for a question about sizes or an error.
    const unsigned char *from = input != NULL ? (const unsigned char *)input : &nothing;
    unsigned char *to = (unsigned char *)output;
    switch (operation) {
    case LLV_KEYS_SIGN: return EVP_PKEY_sign(context, to, count, from, input_count);
    case LLV_KEYS_RECOVER: return EVP_PKEY_verify_recover(context, to, count, from, input_count);
    case LLV_KEYS_ENCRYPT: return EVP_PKEY_encrypt(context, to, count, from, input_count);
    case LLV_KEYS_DECRYPT: return EVP_PKEY_decrypt(context, to, count, from, input_count);
    default: return 0;
    }
}

// 1 when the signature is one of the input.
static inline int llv_keys_verify(
    EVP_PKEY_CTX *context, const void *signature, size_t count, const void *input, size_t input_count
) {
    static const unsigned char nothing = 0;
    return EVP_PKEY_verify(
        context, signature != NULL ? (const unsigned char *)signature : &nothing, count,
        input != NULL ? (const unsigned char *)input : &nothing, input_count);
}

// The same for Ed25519 and Ed448, which sign whole messages.
static inline int llv_keys_edwards_sign(
    OSSL_LIB_CTX *library, EVP_PKEY *key, void *output, size_t *count, const void *input, size_t input_count
) {
    static const unsigned char nothing = 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int result = context != NULL && EVP_DigestSignInit_ex(context, NULL, NULL, library, NULL, key, NULL) == 1
        && EVP_DigestSign(context, (unsigned char *)output, count,
            input != NULL ? (const unsigned char *)input : &nothing, input_count) == 1;
    EVP_MD_CTX_free(context);
    return result;
}

static inline int llv_keys_edwards_verify(
    OSSL_LIB_CTX *library, EVP_PKEY *key, const void *signature, size_t count, const void *input, size_t input_count
) {
    static const unsigned char nothing = 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int result = context != NULL && EVP_DigestVerifyInit_ex(context, NULL, NULL, library, NULL, key, NULL) == 1
        && EVP_DigestVerify(context, signature != NULL ? (const unsigned char *)signature : &nothing, count,
            input != NULL ? (const unsigned char *)input : &nothing, input_count) == 1;
    EVP_MD_CTX_free(context);
    return result;
}

// MARK: Derivations

static inline int llv_keys_x963(
    EVP_KDF *kdf, const char *digest, const void *secret, size_t secret_count, const void *info, size_t info_count,
    void *output, size_t output_count
) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
        OSSL_PARAM_construct_end(),
    };
    // Without information there is no parameter for it: one of no bytes is refused.
    if (info_count == 0) parameters[2] = OSSL_PARAM_construct_end();
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    int result = context != NULL && EVP_KDF_derive(context, (unsigned char *)output, output_count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return result;
}

static inline int llv_keys_pbkdf2(
    EVP_KDF *kdf, const char *digest, const void *password, size_t password_count, const void *salt, size_t salt_count,
    unsigned int rounds, void *output, size_t output_count
) {
    // 1 means PKCS#5 alone, without the lower bounds NIST adds to it; ours are checked before.
    int standard = 1;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)password, password_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
        OSSL_PARAM_construct_uint(OSSL_KDF_PARAM_ITER, &rounds),
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_PKCS5, &standard),
        OSSL_PARAM_construct_end(),
    };
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    int result = context != NULL && EVP_KDF_derive(context, (unsigned char *)output, output_count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return result;
}

// Argon2, by names that OpenSSL's headers have since 3.2; 1 on success.
static inline int llv_keys_argon2(
    EVP_KDF *kdf, const void *password, size_t password_count, const void *salt, size_t salt_count, uint32_t passes,
    uint32_t memory, uint32_t lanes, void *output, size_t output_count
) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)password, password_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
        OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ITER, &passes),
        OSSL_PARAM_construct_uint32("memcost", &memory),
        OSSL_PARAM_construct_uint32("lanes", &lanes),
        OSSL_PARAM_construct_end(),
    };
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    int result = context != NULL && EVP_KDF_derive(context, (unsigned char *)output, output_count, parameters) == 1;
    EVP_KDF_CTX_free(context);
    return result;
}

// Begins an HMAC; 1 on success. A key of no bytes is one too.
static inline int llv_keys_hmac_init(EVP_MAC_CTX *context, const char *digest, const void *key, size_t key_count) {
    static const unsigned char nothing = 0;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_init(
        context, key_count > 0 ? (const unsigned char *)key : &nothing, key_count, parameters);
}

// MARK: AES key wrap (RFC 3394)

// Wraps, or unwraps when `wrapping` is 0; 1 on success, 0 when what is wrapped does not fit the key, -1 when nothing was tried.
static inline int llv_keys_wrap(
    const EVP_CIPHER *cipher, int wrapping, const void *key, const void *input, size_t count, void *output,
    size_t output_count
) {
    int written = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int result = -1;
    if (context != NULL) {
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
        if (EVP_CipherInit_ex2(context, cipher, (const unsigned char *)key, NULL, wrapping, NULL) == 1) {
            result = EVP_CipherUpdate(
                context, (unsigned char *)output, &written, (const unsigned char *)input, (int)count) == 1
                && (size_t)written == output_count;
        }
    }
    EVP_CIPHER_CTX_free(context);
    return result;
}

// MARK: AES-GCM, and ChaCha20-Poly1305, with a tag of 16 bytes at the end; GCM takes an initial vector of any size

enum { LLV_KEYS_TAG_SIZE = 16 };

// Writes `count` bytes and the tag; 1 on success.
static inline int llv_keys_gcm_seal(
    const EVP_CIPHER *cipher, const void *key, const void *vector, size_t vector_count, const void *additional,
    size_t additional_count, const void *plain, size_t count, void *output
) {
    unsigned char *to = (unsigned char *)output;
    int written = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int result = context != NULL && EVP_EncryptInit_ex2(context, cipher, NULL, NULL, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)vector_count, NULL) == 1
        && EVP_EncryptInit_ex2(context, NULL, (const unsigned char *)key, (const unsigned char *)vector, NULL) == 1
        && (additional_count == 0 || EVP_EncryptUpdate(
            context, NULL, &written, (const unsigned char *)additional, (int)additional_count) == 1)
        && (count == 0 || EVP_EncryptUpdate(context, to, &written, (const unsigned char *)plain, (int)count) == 1)
        && EVP_EncryptFinal_ex(context, to + count, &written) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, LLV_KEYS_TAG_SIZE, to + count) == 1;
    EVP_CIPHER_CTX_free(context);
    return result;
}

// Reads `count` bytes and the tag behind them; 1 on success, 0 when the tag is wrong, -1 when nothing could be checked.
// `output` holds unchecked text unless the result is 1.
static inline int llv_keys_gcm_open(
    const EVP_CIPHER *cipher, const void *key, const void *vector, size_t vector_count, const void *additional,
    size_t additional_count, const void *sealed, size_t count, void *output
) {
    const unsigned char *from = (const unsigned char *)sealed;
    unsigned char nothing = 0;
    int written = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int result = context != NULL && EVP_DecryptInit_ex2(context, cipher, NULL, NULL, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)vector_count, NULL) == 1
        && EVP_DecryptInit_ex2(context, NULL, (const unsigned char *)key, (const unsigned char *)vector, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, LLV_KEYS_TAG_SIZE, (void *)(from + count)) == 1
        && (additional_count == 0 || EVP_DecryptUpdate(
            context, NULL, &written, (const unsigned char *)additional, (int)additional_count) == 1)
        && (count == 0 || EVP_DecryptUpdate(context, (unsigned char *)output, &written, from, (int)count) == 1)
        ? 1 : -1;
    if (result == 1 && EVP_DecryptFinal_ex(context, &nothing, &written) != 1) result = 0;
    EVP_CIPHER_CTX_free(context);
    return result;
}

#endif
