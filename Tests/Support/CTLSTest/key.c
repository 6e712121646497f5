// SPDX-License-Identifier: Apache-2.0

// Methods are the old way to put a key of one's own behind OpenSSL's interface, and go with version 4; a provider,
// which takes their place, would be ten times as long.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "key.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static RSA_METHOD *rsa_method;
static EC_KEY_METHOD *ec_method;
static int rsa_index, ec_index;

static int sign_rsa(int count, const unsigned char *input, unsigned char *signature, RSA *rsa, int padding) {
    const llt_tls_client *client = RSA_get_ex_data(rsa, rsa_index);
    size_t size = (size_t)RSA_size(rsa);
    int signing;
    switch (padding) {
    case RSA_NO_PADDING: signing = LLT_TLS_RSA_NUMBER; break;
    case RSA_PKCS1_PADDING: signing = LLT_TLS_RSA_PKCS1; break;
    default: return -1;
    }
    if (client == NULL || !client->sign(client->context, signing, input, (size_t)count, signature, &size)) return -1;
    return (int)size;
}

static int decrypt_rsa(int count, const unsigned char *input, unsigned char *output, RSA *rsa, int padding) {
    (void)count, (void)input, (void)output, (void)rsa, (void)padding;
    return -1;
}

static int sign_ec(int type, const unsigned char *digest, int count, unsigned char *signature, unsigned int *length,
                   const BIGNUM *inverse, const BIGNUM *r, EC_KEY *key) {
    (void)type, (void)inverse, (void)r;
    const llt_tls_client *client = EC_KEY_get_ex_data(key, ec_index);
    size_t size = (size_t)ECDSA_size(key);
    if (client == NULL || !client->sign(client->context, LLT_TLS_ECDSA, digest, (size_t)count, signature, &size))
        return 0;
    *length = (unsigned int)size;
    return 1;
}

// Never freed: the keys that use them may outlive any test.
static void make_methods(void) {
    rsa_method = RSA_meth_dup(RSA_PKCS1_OpenSSL());
    RSA_meth_set_priv_enc(rsa_method, sign_rsa);
    RSA_meth_set_priv_dec(rsa_method, decrypt_rsa);
    rsa_index = RSA_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    ec_method = EC_KEY_METHOD_new(EC_KEY_OpenSSL());
    EC_KEY_METHOD_set_sign(ec_method, sign_ec, NULL, NULL);
    ec_index = EC_KEY_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

static EVP_PKEY *rsa_key(EVP_PKEY *other, const llt_tls_client *client) {
    BIGNUM *n = NULL, *e = NULL;
    EVP_PKEY *key = EVP_PKEY_new();
    RSA *rsa = RSA_new();
    if (key == NULL || rsa == NULL || EVP_PKEY_get_bn_param(other, OSSL_PKEY_PARAM_RSA_N, &n) != 1 ||
        EVP_PKEY_get_bn_param(other, OSSL_PKEY_PARAM_RSA_E, &e) != 1 || RSA_set0_key(rsa, n, e, NULL) != 1) {
        BN_free(n);
        BN_free(e);
    } else if (RSA_set_method(rsa, rsa_method) == 1 && RSA_set_ex_data(rsa, rsa_index, (void *)client) == 1 &&
               EVP_PKEY_assign_RSA(key, rsa) == 1) {
        return key;
    }
    RSA_free(rsa);
    EVP_PKEY_free(key);
    return NULL;
}

static EVP_PKEY *ec_key(EVP_PKEY *other, const llt_tls_client *client) {
    unsigned char point[65];
    size_t size = 0;
    EVP_PKEY *key = EVP_PKEY_new();
    EC_KEY *ec = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    if (key != NULL && ec != NULL &&
        EVP_PKEY_get_octet_string_param(other, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point), &size) == 1 &&
        EC_KEY_oct2key(ec, point, size, NULL) == 1 && EC_KEY_set_method(ec, ec_method) == 1 &&
        EC_KEY_set_ex_data(ec, ec_index, (void *)client) == 1 && EVP_PKEY_assign_EC_KEY(key, ec) == 1)
        return key;
    EC_KEY_free(ec);
    EVP_PKEY_free(key);
    return NULL;
}

EVP_PKEY *llt_tls_key(EVP_PKEY *other, const llt_tls_client *client) {
    pthread_once(&once, make_methods);
    if (EVP_PKEY_is_a(other, "RSA")) return rsa_key(other, client);
    return EVP_PKEY_is_a(other, "EC") ? ec_key(other, client) : NULL;
}
