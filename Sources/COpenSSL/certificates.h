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

// Whether `identifier` is that of `certificate`, issued by `issuer`; 1 when it is.
static inline int llv_ocsp_identifies(
    OSSL_LIB_CTX *library, OCSP_CERTID *identifier, const X509 *certificate, const X509 *issuer
) {
    ASN1_OBJECT *algorithm = NULL;
    if (OCSP_id_get0_info(NULL, &algorithm, NULL, NULL, identifier) != 1) return 0;
    EVP_MD *digest = EVP_MD_fetch(library, OBJ_nid2sn(OBJ_obj2nid(algorithm)), NULL);
    OCSP_CERTID *own = digest == NULL ? NULL : OCSP_cert_id_new(
        digest, X509_get_issuer_name(certificate), X509_get0_pubkey_bitstr(issuer),
        X509_get0_serialNumber(certificate));
    int result = own != NULL && OCSP_id_cmp(own, identifier) == 0;
    OCSP_CERTID_free(own);
    EVP_MD_free(digest);
    return result;
}

#endif
