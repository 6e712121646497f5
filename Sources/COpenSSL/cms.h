// SPDX-License-Identifier: Apache-2.0
//
// What KeychainExchange needs of OpenSSL's CMS (RFC 5652) and Swift cannot import: typed stacks, which are macros, and
// parsing in a library context of our own (see shim.h).

#ifndef LLV_COPENSSL_CMS_H
#define LLV_COPENSSL_CMS_H

#include <limits.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <string.h>

// The message that is all of the bytes, in DER or BER; or NULL.
// Parsing frees what it was given when it fails, and then leaves NULL.
static inline CMS_ContentInfo *llv_cms_parse(OSSL_LIB_CTX *library, const unsigned char *bytes, size_t count) {
    CMS_ContentInfo *message = count <= INT_MAX ? CMS_ContentInfo_new_ex(library, NULL) : NULL;
    const unsigned char *position = bytes;
    if (message == NULL || d2i_CMS_ContentInfo(&message, &position, (long)count) == NULL
        || position != bytes + count) {
        CMS_ContentInfo_free(message);
        return NULL;
    }
    return message;
}

// Writes the message anew with definite lengths; how many bytes, or 0. The caller frees them with OPENSSL_free.
static inline int llv_cms_restate(
    OSSL_LIB_CTX *library, const unsigned char *bytes, size_t count, unsigned char **output
) {
    *output = NULL;
    CMS_ContentInfo *message = llv_cms_parse(library, bytes, count);
    int result = message == NULL ? 0 : i2d_CMS_ContentInfo(message, output);
    CMS_ContentInfo_free(message);
    return result < 0 ? 0 : result;
}

static inline CMS_SignerInfo *llv_cms_signer_with(
    CMS_ContentInfo *message, const unsigned char *signature, size_t count, int *index
) {
    STACK_OF(CMS_SignerInfo) *signers = message == NULL ? NULL : CMS_get0_SignerInfos(message);
    for (int i = 0; signers != NULL && i < sk_CMS_SignerInfo_num(signers); i++) {
        CMS_SignerInfo *signer = sk_CMS_SignerInfo_value(signers, i);
        const ASN1_OCTET_STRING *own = CMS_SignerInfo_get0_signature(signer);
        if (own != NULL && (size_t)ASN1_STRING_length(own) == count
            && memcmp(ASN1_STRING_get0_data(own), signature, count) == 0) {
            *index = i;
            return signer;
        }
    }
    return NULL;
}

// The place among the signers of the one with that signature; -1 when there is none.
static inline int llv_cms_signer_index(CMS_ContentInfo *message, const unsigned char *signature, size_t count) {
    int index = -1;
    return llv_cms_signer_with(message, signature, count, &index) == NULL ? -1 : index;
}

// Whether the signer with that signature signed the content with the certificate's key; 1 when it did. `content` is what
// the message lacks, or NULL. The order of the signed attributes counts as it stands in `bytes`.
static inline int llv_cms_is_signed(
    OSSL_LIB_CTX *library, const unsigned char *bytes, size_t count, const unsigned char *content, size_t content_count,
    const unsigned char *signature, size_t signature_count, X509 *certificate
) {
    CMS_ContentInfo *message = llv_cms_parse(library, bytes, count);
    int index = 0, result = 0;
    CMS_SignerInfo *signer = llv_cms_signer_with(message, signature, signature_count, &index);
    BIO *source = content == NULL || content_count > INT_MAX ? NULL : BIO_new_mem_buf(content, (int)content_count);
    BIO *digests = NULL;
    if (signer != NULL && (content == NULL || source != NULL)) {
        CMS_SignerInfo_set1_signer_cert(signer, certificate);
        // Negative: there are no attributes, and what was signed is the content itself.
        result = CMS_signed_get_attr_count(signer) < 0 || CMS_SignerInfo_verify(signer) == 1;
        if (result) digests = CMS_dataInit(message, source);
        result = result && digests != NULL;
        if (result) {
            unsigned char buffer[4096];
            int read = 0;
            while ((read = BIO_read(digests, buffer, (int)sizeof buffer)) > 0) {}
            OPENSSL_cleanse(buffer, sizeof buffer);
            result = read == 0 && CMS_SignerInfo_verify_content(signer, digests) == 1;
        }
    }
    // The chain ends with the source when that was given.
    while (digests != NULL && digests != source) {
        BIO *next = BIO_pop(digests);
        BIO_free(digests);
        digests = next;
    }
    BIO_free(source);
    CMS_ContentInfo_free(message);
    return result;
}

// A message that the recipients can open: AES-256 in CBC, its key under RSA or an agreement with SHA-256. How many bytes,
// or 0; the caller frees them with OPENSSL_free. `type` is an identifier in dots.
static inline int llv_cms_envelope(
    OSSL_LIB_CTX *library, const STACK_OF(X509) *recipients, const unsigned char *content, size_t count,
    const char *type, unsigned char **output
) {
    *output = NULL;
    int result = 0;
    BIO *source = count > INT_MAX ? NULL : BIO_new_mem_buf(count == 0 ? (const void *)"" : content, (int)count);
    ASN1_OBJECT *object = OBJ_txt2obj(type, 1);
    CMS_ContentInfo *message =
        CMS_encrypt_ex(NULL, NULL, EVP_aes_256_cbc(), CMS_BINARY | CMS_PARTIAL, library, NULL);
    int is_ready = source != NULL && object != NULL && message != NULL && CMS_set1_eContentType(message, object) == 1;
    for (int i = 0; is_ready && i < sk_X509_num(recipients); i++) {
        CMS_RecipientInfo *recipient =
            CMS_add1_recipient_cert(message, sk_X509_value(recipients, i), CMS_KEY_PARAM);
        is_ready = recipient != NULL;
        if (is_ready && CMS_RecipientInfo_type(recipient) == CMS_RECIPINFO_AGREE) {
            EVP_PKEY_CTX *context = CMS_RecipientInfo_get0_pkey_ctx(recipient);
            is_ready = context != NULL && EVP_PKEY_CTX_set_ecdh_kdf_md(context, EVP_sha256()) == 1;
        }
    }
    if (is_ready && CMS_final(message, source, NULL, CMS_BINARY) == 1) result = i2d_CMS_ContentInfo(message, output);
    CMS_ContentInfo_free(message);
    ASN1_OBJECT_free(object);
    BIO_free(source);
    return result < 0 ? 0 : result;
}

// Deciphers in CBC with padding; `output` has `count` bytes. How many were written, or -1.
static inline int llv_cms_decipher(
    OSSL_LIB_CTX *library, const char *name, const void *key, size_t key_count, const unsigned char *start,
    size_t start_count, const unsigned char *input, size_t count, unsigned char *output
) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0, last = 0, result = -1;
    if (cipher != NULL && context != NULL && count <= INT_MAX
        && (size_t)EVP_CIPHER_get_key_length(cipher) == key_count
        && (size_t)EVP_CIPHER_get_iv_length(cipher) == start_count
        && count > 0 && count % (size_t)EVP_CIPHER_get_block_size(cipher) == 0
        && EVP_DecryptInit_ex2(context, cipher, (const unsigned char *)key, start, NULL) == 1
        && EVP_DecryptUpdate(context, output, &written, input, (int)count) == 1
        && EVP_DecryptFinal_ex(context, output + written, &last) == 1) {
        result = written + last;
    }
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
    return result;
}

// Deciphers in GCM and compares the tag, which is over `additional` too; `output` has `count` bytes. How many were written,
// or -1 when anything was changed; then `output` is wiped.
static inline int llv_cms_decipher_authenticated(
    OSSL_LIB_CTX *library, const char *name, const void *key, size_t key_count, const unsigned char *start,
    size_t start_count, const unsigned char *additional, size_t additional_count, const unsigned char *input,
    size_t count, const unsigned char *tag, size_t tag_count, unsigned char *output
) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char last[EVP_MAX_BLOCK_LENGTH];
    int written = 0, more = 0, result = -1;
    if (cipher != NULL && context != NULL && count <= INT_MAX && additional_count <= INT_MAX
        && EVP_CIPHER_get_mode(cipher) == EVP_CIPH_GCM_MODE
        && (size_t)EVP_CIPHER_get_key_length(cipher) == key_count && start_count > 0 && start_count <= 128
        && tag_count >= 12 && tag_count <= 16
        && EVP_DecryptInit_ex2(context, cipher, NULL, NULL, NULL) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)start_count, NULL) == 1
        && EVP_DecryptInit_ex2(context, NULL, (const unsigned char *)key, start, NULL) == 1
        && (additional_count == 0
            || EVP_DecryptUpdate(context, NULL, &more, additional, (int)additional_count) == 1)
        && (count == 0 || EVP_DecryptUpdate(context, output, &written, input, (int)count) == 1)
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)tag_count, (void *)tag) == 1
        && EVP_DecryptFinal_ex(context, last, &more) == 1 && more == 0) {
        result = written;
    }
    if (result < 0 && output != NULL) OPENSSL_cleanse(output, count);
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
    return result;
}

// Writes the digest of a name of OpenSSL's, at most EVP_MAX_MD_SIZE bytes; how many, or 0.
static inline unsigned int llv_cms_digest(
    OSSL_LIB_CTX *library, const char *name, const unsigned char *bytes, size_t count, unsigned char *output
) {
    EVP_MD *digest = EVP_MD_fetch(library, name, NULL);
    unsigned int written = 0;
    if (digest == NULL || EVP_Digest(bytes, count, output, &written, digest, NULL) != 1) written = 0;
    EVP_MD_free(digest);
    return written;
}

// Unwraps a key (RFC 3394); `output` has `count` bytes. How many were written, or -1.
static inline int llv_cms_unwrap(
    OSSL_LIB_CTX *library, const char *name, const void *key, size_t key_count, const unsigned char *input,
    size_t count, unsigned char *output
) {
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0, last = 0, result = -1;
    if (context != NULL) EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (cipher != NULL && context != NULL && count <= 1024 && count % 8 == 0 && count >= 24
        && (size_t)EVP_CIPHER_get_key_length(cipher) == key_count
        && EVP_DecryptInit_ex2(context, cipher, (const unsigned char *)key, NULL, NULL) == 1
        && EVP_DecryptUpdate(context, output, &written, input, (int)count) == 1
        && EVP_DecryptFinal_ex(context, output + written, &last) == 1) {
        result = written + last;
    }
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(cipher);
    return result;
}

#endif
