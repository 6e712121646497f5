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

// Stacks. A pushed element belongs to the stack; one that finds no room is freed.
static inline STACK_OF(X509) *llv_x509_stack_new(void) { return sk_X509_new_null(); }
static inline void llv_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
static inline int llv_x509_stack_count(const STACK_OF(X509) *stack) { return stack ? sk_X509_num(stack) : 0; }
static inline X509 *llv_x509_stack_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}

static inline int llv_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    if (certificate != NULL && sk_X509_push(stack, certificate) > 0) return 1;
    X509_free(certificate);
    return 0;
}

static inline STACK_OF(X509_CRL) *llv_x509_crl_stack_new(void) { return sk_X509_CRL_new_null(); }
static inline void llv_x509_crl_stack_free(STACK_OF(X509_CRL) *stack) { sk_X509_CRL_pop_free(stack, X509_CRL_free); }

static inline int llv_x509_crl_stack_push(STACK_OF(X509_CRL) *stack, X509_CRL *list) {
    if (sk_X509_CRL_push(stack, list) > 0) return 1;
    X509_CRL_free(list);
    return 0;
}

// The list that is all of the bytes, or NULL.
static inline X509_CRL *llv_x509_crl_parse(OSSL_LIB_CTX *library, const unsigned char *bytes, size_t count) {
    X509_CRL *list = count <= LONG_MAX ? X509_CRL_new_ex(library, NULL) : NULL;
    const unsigned char *position = bytes;
    if (list == NULL || d2i_X509_CRL(&list, &position, (long)count) == NULL || position != bytes + count) {
        X509_CRL_free(list);
        return NULL;
    }
    return list;
}

// Adds the certificates of another store; 1 on success.
static inline int llv_x509_store_add_all(X509_STORE *store, X509_STORE *other) {
    STACK_OF(X509) *certificates = X509_STORE_get1_all_certs(other);
    int result = certificates != NULL;
    for (int i = 0; result && i < sk_X509_num(certificates); i++) {
        result = X509_STORE_add_cert(store, sk_X509_value(certificates, i));
    }
    sk_X509_pop_free(certificates, X509_free);
    return result;
}

// The certificates of a store, or NULL; the caller frees the stack with what is in it.
static inline STACK_OF(X509) *llv_x509_store_all(X509_STORE *store) { return X509_STORE_get1_all_certs(store); }

// Whether the responder's key signed the response, with a digest that still means something; 1 when it did.
static inline int llv_ocsp_is_signed_by(OSSL_LIB_CTX *library, const OCSP_BASICRESP *response, EVP_PKEY *key) {
    const X509_ALGOR *algorithm = OCSP_resp_get0_tbs_sigalg(response);
    int digest = NID_undef;
    if (OBJ_find_sigid_algs(OBJ_obj2nid(algorithm->algorithm), &digest, NULL) != 1) return 0;
    if (digest == NID_md4 || digest == NID_md5 || digest == NID_sha1) return 0;
    return ASN1_item_verify_ex(
        ASN1_ITEM_rptr(OCSP_RESPDATA), algorithm, OCSP_resp_get0_signature(response),
        OCSP_resp_get0_respdata(response), NULL, key, library, NULL) == 1;
}

// Whether `identifier` is that of `certificate`, issued by `issuer`; 1 when it is. (It is read only, whatever its type.)
static inline int llv_ocsp_identifies(
    OSSL_LIB_CTX *library, const OCSP_CERTID *identifier, const X509 *certificate, const X509 *issuer
) {
    ASN1_OBJECT *algorithm = NULL;
    if (OCSP_id_get0_info(NULL, &algorithm, NULL, NULL, (OCSP_CERTID *)identifier) != 1) return 0;
    EVP_MD *digest = EVP_MD_fetch(library, OBJ_nid2sn(OBJ_obj2nid(algorithm)), NULL);
    OCSP_CERTID *own = digest == NULL ? NULL : OCSP_cert_id_new(
        digest, X509_get_issuer_name(certificate), X509_get0_pubkey_bitstr(issuer),
        X509_get0_serialNumber(certificate));
    int result = own != NULL && OCSP_id_cmp(own, identifier) == 0;
    OCSP_CERTID_free(own);
    EVP_MD_free(digest);
    return result;
}

// What an OCSP server is asked about a certificate: how many bytes, or 0; the caller frees them with OPENSSL_free. SHA-1 is the
// digest that every server knows (RFC 5019), and only a name here. Without a nonce, which most servers ignore.
static inline int llv_ocsp_request(
    OSSL_LIB_CTX *library, const X509 *certificate, const X509 *issuer, unsigned char **output
) {
    *output = NULL;
    EVP_MD *digest = EVP_MD_fetch(library, "SHA1", NULL);
    OCSP_REQUEST *request = OCSP_REQUEST_new();
    OCSP_CERTID *identifier = digest == NULL ? NULL : OCSP_cert_id_new(
        digest, X509_get_issuer_name(certificate), X509_get0_pubkey_bitstr(issuer),
        X509_get0_serialNumber(certificate));
    int result = 0;
    if (request != NULL && identifier != NULL && OCSP_request_add0_id(request, identifier) != NULL) {
        identifier = NULL;
        result = i2d_OCSP_REQUEST(request, output);
    }
    OCSP_CERTID_free(identifier);
    OCSP_REQUEST_free(request);
    EVP_MD_free(digest);
    return result < 0 ? 0 : result;
}

// PKCS#12. A file is a row of safes, each a PKCS#7 structure with a row of bags in it.
enum {
    LLV_SAFE_OTHER = 0,
    LLV_SAFE_PLAIN = 1,
    LLV_SAFE_ENCRYPTED = 2,
};

static inline int llv_pkcs12_safe_kind(const PKCS7 *safe) {
    if (PKCS7_type_is_data(safe)) return safe->d.data == NULL ? LLV_SAFE_OTHER : LLV_SAFE_PLAIN;
    if (!PKCS7_type_is_encrypted(safe)) return LLV_SAFE_OTHER;
    return safe->d.encrypted == NULL || safe->d.encrypted->enc_data == NULL ? LLV_SAFE_OTHER : LLV_SAFE_ENCRYPTED;
}

static inline const X509_ALGOR *llv_pkcs12_safe_algorithm(const PKCS7 *safe) {
    return safe->d.encrypted->enc_data->algorithm;
}

static inline int llv_pkcs12_safe_count(const STACK_OF(PKCS7) *safes) { return safes ? sk_PKCS7_num(safes) : 0; }
static inline PKCS7 *llv_pkcs12_safe(const STACK_OF(PKCS7) *safes, int index) { return sk_PKCS7_value(safes, index); }
static inline void llv_pkcs12_safes_free(STACK_OF(PKCS7) *safes) { sk_PKCS7_pop_free(safes, PKCS7_free); }

static inline int llv_pkcs12_bag_count(const STACK_OF(PKCS12_SAFEBAG) *bags) {
    return bags ? sk_PKCS12_SAFEBAG_num(bags) : 0;
}
static inline PKCS12_SAFEBAG *llv_pkcs12_bag(const STACK_OF(PKCS12_SAFEBAG) *bags, int index) {
    return sk_PKCS12_SAFEBAG_value(bags, index);
}
static inline void llv_pkcs12_bags_free(STACK_OF(PKCS12_SAFEBAG) *bags) {
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}

// The file that is all of the bytes, or NULL.
static inline PKCS12 *llv_pkcs12_parse(OSSL_LIB_CTX *library, const unsigned char *bytes, size_t count) {
    PKCS12 *file = count <= LONG_MAX ? PKCS12_init_ex(NID_pkcs7_data, library, NULL) : NULL;
    const unsigned char *position = bytes;
    if (file == NULL || d2i_PKCS12(&file, &position, (long)count) == NULL || position != bytes + count) {
        PKCS12_free(file);
        return NULL;
    }
    return file;
}

enum {
    LLV_MAC_NONE = 0,
    LLV_MAC_PKCS12 = 1,
    LLV_MAC_OTHER = 2,
};

// What protects the file's contents from change, and how many rounds it takes to find out.
static inline int llv_pkcs12_mac_kind(const PKCS12 *file, int64_t *rounds) {
    const X509_ALGOR *algorithm = NULL;
    const ASN1_INTEGER *iterations = NULL;
    *rounds = 1;
    if (!PKCS12_mac_present(file)) return LLV_MAC_NONE;
    PKCS12_get0_mac(NULL, &algorithm, NULL, &iterations, file);
    if (iterations != NULL && ASN1_INTEGER_get_int64(rounds, iterations) != 1) *rounds = INT64_MAX;
    int digest = algorithm == NULL ? NID_undef : OBJ_obj2nid(algorithm->algorithm);
    return digest != NID_undef && EVP_get_digestbynid(digest) != NULL ? LLV_MAC_PKCS12 : LLV_MAC_OTHER;
}

// How often a password is hashed to make a key, or what comes to the same; INT64_MAX when that cannot be told.
static inline int64_t llv_pbe_rounds(const X509_ALGOR *algorithm) {
    int64_t rounds = INT64_MAX;
    if (OBJ_obj2nid(algorithm->algorithm) != NID_pbes2) {
        PBEPARAM *parameters =
            (PBEPARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), algorithm->parameter);
        if (parameters == NULL || ASN1_INTEGER_get_int64(&rounds, parameters->iter) != 1) rounds = INT64_MAX;
        PBEPARAM_free(parameters);
        return rounds < 1 ? INT64_MAX : rounds;
    }
    PBE2PARAM *outer = (PBE2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
    if (outer != NULL && OBJ_obj2nid(outer->keyfunc->algorithm) == NID_id_pbkdf2) {
        PBKDF2PARAM *inner =
            (PBKDF2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), outer->keyfunc->parameter);
        if (inner == NULL || ASN1_INTEGER_get_int64(&rounds, inner->iter) != 1) rounds = INT64_MAX;
        PBKDF2PARAM_free(inner);
    } else if (outer != NULL && OBJ_obj2nid(outer->keyfunc->algorithm) == NID_id_scrypt) {
        SCRYPT_PARAMS *inner =
            (SCRYPT_PARAMS *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(SCRYPT_PARAMS), outer->keyfunc->parameter);
        uint64_t cost = 0, block = 0, lanes = 0;
        if (inner != NULL && ASN1_INTEGER_get_uint64(&cost, inner->costParameter) == 1
            && ASN1_INTEGER_get_uint64(&block, inner->blockSize) == 1
            && ASN1_INTEGER_get_uint64(&lanes, inner->parallelizationParameter) == 1
            && cost < 1 << 24 && block < 1 << 12 && lanes < 1 << 12) {
            rounds = (int64_t)(cost * block * lanes);
        }
        SCRYPT_PARAMS_free(inner);
    }
    PBE2PARAM_free(outer);
    return rounds < 1 ? INT64_MAX : rounds;
}

static inline const X509_ALGOR *llv_x509_sig_algorithm(const X509_SIG *encrypted) {
    const X509_ALGOR *algorithm = NULL;
    X509_SIG_get0(encrypted, &algorithm, NULL);
    return algorithm;
}

// The bytes of an attribute of a bag, borrowed from it; 0 when it has none such.
static inline int llv_pkcs12_local_identifier(const PKCS12_SAFEBAG *bag, const unsigned char **bytes) {
    const ASN1_TYPE *value = PKCS12_SAFEBAG_get0_attr(bag, NID_localKeyID);
    if (value == NULL || value->type != V_ASN1_OCTET_STRING) return 0;
    *bytes = ASN1_STRING_get0_data(value->value.octet_string);
    return ASN1_STRING_length(value->value.octet_string);
}

static inline void llv_openssl_free(void *memory) { OPENSSL_free(memory); }

static inline void llv_openssl_clear_free(void *memory, size_t count) { OPENSSL_clear_free(memory, count); }

// No password at all, which in PKCS#12 is another than the empty one.
static inline int llv_pkcs12_verify_mac_without_password(PKCS12 *file) { return PKCS12_verify_mac(file, NULL, 0); }

// The request that is all of the bytes and signed by its own key; 1 when it is.
static inline int llv_x509_request_is_valid(OSSL_LIB_CTX *library, const unsigned char *bytes, size_t count) {
    X509_REQ *request = count <= LONG_MAX ? X509_REQ_new_ex(library, NULL) : NULL;
    const unsigned char *position = bytes;
    int result = request != NULL && d2i_X509_REQ(&request, &position, (long)count) != NULL
        && position == bytes + count;
    if (result) {
        EVP_PKEY *key = X509_REQ_get0_pubkey(request);
        result = key != NULL && X509_REQ_verify_ex(request, key, library, NULL) == 1;
    }
    X509_REQ_free(request);
    return result;
}

// The structures that are all of the bytes, and would be written as them; or NULL.
static inline PKCS8_PRIV_KEY_INFO *llv_pkcs8_parse(const void *bytes, size_t count) {
    const unsigned char *position = (const unsigned char *)bytes;
    unsigned char *encoded = NULL;
    PKCS8_PRIV_KEY_INFO *info = count <= LONG_MAX ? d2i_PKCS8_PRIV_KEY_INFO(NULL, &position, (long)count) : NULL;
    int encoded_count = info == NULL ? -1 : i2d_PKCS8_PRIV_KEY_INFO(info, &encoded);
    int is_same = encoded_count >= 0 && (size_t)encoded_count == count && memcmp(encoded, bytes, count) == 0;
    OPENSSL_clear_free(encoded, encoded_count < 0 ? 0 : (size_t)encoded_count);
    if (is_same) return info;
    PKCS8_PRIV_KEY_INFO_free(info);
    return NULL;
}

static inline X509_SIG *llv_x509_sig_parse(const unsigned char *bytes, size_t count) {
    const unsigned char *position = bytes;
    X509_SIG *encrypted = count <= LONG_MAX ? d2i_X509_SIG(NULL, &position, (long)count) : NULL;
    if (encrypted != NULL && position == bytes + count) return encrypted;
    X509_SIG_free(encrypted);
    return NULL;
}

// Whether the point of a key on a curve is the one that its number gives.
static inline int llv_key_halves_belong_together(OSSL_LIB_CTX *library, EVP_PKEY *key) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    int result = context != NULL && EVP_PKEY_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    return result;
}

// Whether the numbers of an RSA key of two primes are those that follow from each other.
static inline int llv_rsa_numbers_fit(const EVP_PKEY *key) {
    static const char *const names[] = {
        OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_D, OSSL_PKEY_PARAM_RSA_FACTOR1,
        OSSL_PKEY_PARAM_RSA_FACTOR2, OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
        OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
    };
    enum { N, E, D, P, Q, DP, DQ, QINV, COUNT };
    BIGNUM *number[COUNT] = {NULL}, *more = NULL;
    BIGNUM *less = BN_secure_new(), *value = BN_secure_new();
    BN_CTX *context = BN_CTX_secure_new();
    int result = less != NULL && value != NULL && context != NULL;
    for (int i = 0; i < COUNT; i++) result = result && EVP_PKEY_get_bn_param(key, names[i], &number[i]) == 1;
    if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_FACTOR3, &more) == 1) result = 0;
    result = result && !BN_is_one(number[P]) && !BN_is_one(number[Q])
        && BN_mul(value, number[P], number[Q], context) == 1 && BN_cmp(value, number[N]) == 0;
    for (int i = 0; i < 2; i++) {
        result = result && BN_sub(less, number[P + i], BN_value_one()) == 1
            && BN_mod_mul(value, number[D], number[E], less, context) == 1 && BN_is_one(value)
            && BN_mod(value, number[D], less, context) == 1 && BN_cmp(value, number[DP + i]) == 0;
    }
    result = result && BN_mod_mul(value, number[Q], number[QINV], number[P], context) == 1 && BN_is_one(value);
    for (int i = 0; i < COUNT; i++) BN_clear_free(number[i]);
    BN_clear_free(more);
    BN_clear_free(less);
    BN_clear_free(value);
    BN_CTX_free(context);
    return result;
}

// Whether a signature with an RSA key is one by it: with a factor that is no prime it is not. (A wrong number alone it
// would not show: OpenSSL checks its result, and computes another way when that is wrong.)
static inline int llv_rsa_signs_for_itself(OSSL_LIB_CTX *library, EVP_PKEY *key) {
    static const unsigned char digest[32] = {1};
    size_t count = (size_t)EVP_PKEY_get_size(key);
    unsigned char *signature = (unsigned char *)OPENSSL_malloc(count);
    EVP_PKEY_CTX *signer = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    EVP_PKEY_CTX *verifier = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    int result = signature != NULL && signer != NULL && verifier != NULL && EVP_PKEY_sign_init(signer) == 1
        && EVP_PKEY_sign(signer, signature, &count, digest, sizeof digest) == 1
        && EVP_PKEY_verify_init(verifier) == 1
        && EVP_PKEY_verify(verifier, signature, count, digest, sizeof digest) == 1;
    EVP_PKEY_CTX_free(signer);
    EVP_PKEY_CTX_free(verifier);
    OPENSSL_free(signature);
    return result;
}

// Whether an error says that an algorithm is not there.
static inline int llv_openssl_is_unsupported(unsigned long error) {
    int library = ERR_GET_LIB(error), reason = ERR_GET_REASON(error);
    if (reason == ERR_R_UNSUPPORTED || reason == ERR_R_FETCH_FAILED) return 1;
    if (library == ERR_LIB_EVP) {
        return reason == EVP_R_UNSUPPORTED_ALGORITHM || reason == EVP_R_UNSUPPORTED_CIPHER
            || reason == EVP_R_UNKNOWN_PBE_ALGORITHM || reason == EVP_R_UNSUPPORTED_PRF
            || reason == EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION || reason == EVP_R_UNKNOWN_CIPHER
            || reason == EVP_R_UNKNOWN_DIGEST;
    }
    return 0;
}

#endif
