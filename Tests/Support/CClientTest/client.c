/* SPDX-License-Identifier: Apache-2.0 */
#include "CClientTest.h"

#include <Security/Security.h>

extern CFIndex CFErrorGetCode(const void *error);
extern CFStringRef CFErrorCopyDescription(const void *error);
extern void CFRelease(CFTypeRef object);

int32_t client_add(const void *attributes, const void **result) {
    return SecItemAdd(attributes, result);
}

int32_t client_copy(const void *query, const void **result) {
    return SecItemCopyMatching(query, result);
}

int32_t client_update(const void *query, const void *attributes) {
    return SecItemUpdate(query, attributes);
}

int32_t client_delete(const void *query) {
    return SecItemDelete(query);
}

const void *client_make_key(const void *parameters, const void **error) {
    return SecKeyCreateRandomKey(parameters, (CFErrorRef *)error);
}

int32_t client_make_pair(const void *parameters, const void **public_key, const void **private_key) {
    return SecKeyGeneratePair(parameters, (SecKeyRef *)public_key, (SecKeyRef *)private_key);
}

const void *client_read_key(const void *data, const void *attributes, const void **error) {
    return SecKeyCreateWithData(data, attributes, (CFErrorRef *)error);
}

const void *client_derive_key(const void *password, const void *parameters, const void **error) {
    return SecKeyDeriveFromPassword(password, parameters, (CFErrorRef *)error);
}

const void *client_export_key(const void *key, const void **error) {
    return SecKeyCopyExternalRepresentation((SecKeyRef)key, (CFErrorRef *)error);
}

const void *client_describe_key(const void *key) {
    return SecKeyCopyAttributes((SecKeyRef)key);
}

const void *client_public_key(const void *key) {
    return SecKeyCopyPublicKey((SecKeyRef)key);
}

const void *client_certificate_key(const void *certificate) {
    return SecCertificateCopyKey((SecCertificateRef)certificate);
}

const void *client_make_identity(const void *certificate, const void *key) {
    return SecIdentityCreate(NULL, (SecCertificateRef)certificate, (SecKeyRef)key);
}

int32_t client_identity_certificate(const void *identity, const void **certificate) {
    return SecIdentityCopyCertificate((SecIdentityRef)identity, (SecCertificateRef *)certificate);
}

int32_t client_identity_key(const void *identity, const void **key) {
    return SecIdentityCopyPrivateKey((SecIdentityRef)identity, (SecKeyRef *)key);
}

const void *client_sign(const void *key, const void *algorithm, const void *data, const void **error) {
    return SecKeyCreateSignature((SecKeyRef)key, algorithm, data, (CFErrorRef *)error);
}

const void *client_encrypt(const void *key, const void *algorithm, const void *data, const void **error) {
    return SecKeyCreateEncryptedData((SecKeyRef)key, algorithm, data, (CFErrorRef *)error);
}

const void *client_decrypt(const void *key, const void *algorithm, const void *data, const void **error) {
    return SecKeyCreateDecryptedData((SecKeyRef)key, algorithm, data, (CFErrorRef *)error);
}

bool client_verify(
    const void *key, const void *algorithm, const void *data, const void *signature, const void **error) {
    return SecKeyVerifySignature((SecKeyRef)key, algorithm, data, signature, (CFErrorRef *)error) != 0;
}

const void *client_exchange(
    const void *key, const void *algorithm, const void *peer, const void *parameters, const void **error) {
    return SecKeyCopyKeyExchangeResult(
        (SecKeyRef)key, algorithm, (SecKeyRef)peer, parameters, (CFErrorRef *)error);
}

const void *client_make_access_control(const void *protection, uintptr_t flags, const void **error) {
    return SecAccessControlCreateWithFlags(NULL, protection, flags, (CFErrorRef *)error);
}

const void *client_decode_access_control(const void *data, const void **error) {
    return SecAccessControlCreateFromData(NULL, data, (CFErrorRef *)error);
}

const void *client_encode_access_control(const void *control) {
    return SecAccessControlCopyData((SecAccessControlRef)control);
}

bool client_set_protection(const void *control, const void *protection, const void **error) {
    return SecAccessControlSetProtection((SecAccessControlRef)control, protection, (CFErrorRef *)error);
}

bool client_add_constraint(const void *control, const void *operation, const void *constraint, const void **error) {
    return SecAccessControlAddConstraintForOperation(
        (SecAccessControlRef)control, operation, constraint, (CFErrorRef *)error);
}

void client_set_bound(const void *control, bool bound) {
    SecAccessControlSetBound((SecAccessControlRef)control, bound);
}

const void *client_constraint(const void *control, const void *operation) {
    return SecAccessControlGetConstraint((SecAccessControlRef)control, operation);
}

const void *client_protection(const void *control) {
    return SecAccessControlGetProtection((SecAccessControlRef)control);
}

bool client_requires_password(const void *control) {
    return SecAccessControlGetRequirePassword((SecAccessControlRef)control);
}

bool client_is_bound(const void *control) {
    return SecAccessControlIsBound((SecAccessControlRef)control);
}

int64_t client_error_code(const void *error) {
    return CFErrorGetCode(error);
}

const void *client_error_words(const void *error) {
    return CFErrorCopyDescription(error);
}

void client_release(const void *object) {
    CFRelease(object);
}
