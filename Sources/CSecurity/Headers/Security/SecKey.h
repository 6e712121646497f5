/* SPDX-License-Identifier: Apache-2.0 */
/* Cryptographic keys. */
#ifndef SECURITY_SECKEY_H
#define SECURITY_SECKEY_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef CFStringRef SecKeyAlgorithm;
typedef CFStringRef SecKeyKeyExchangeParameter;
typedef CFIndex SecKeyOperationType;
typedef uint32_t SecPadding;
typedef uint32_t SecKeyUsage;

enum {
    /* No padding. */
    kSecPaddingNone = 0,
};

CFTypeID SecKeyGetTypeID(void);

/* Makes a key of the kind and size that the parameters say; it is stored where they ask for that. */
SecKeyRef SecKeyCreateRandomKey(CFDictionaryRef parameters, CFErrorRef *error);
/* Reads a key in the form that SecKeyCopyExternalRepresentation gives. */
SecKeyRef SecKeyCreateWithData(CFDataRef keyData, CFDictionaryRef attributes, CFErrorRef *error);
/* Makes a key of a password. */
SecKeyRef SecKeyDeriveFromPassword(CFStringRef password, CFDictionaryRef parameters, CFErrorRef *error);
/* Makes a private key and gives both halves. */
OSStatus SecKeyGeneratePair(CFDictionaryRef parameters, SecKeyRef *publicKey, SecKeyRef *privateKey);

SecKeyRef SecKeyCopyPublicKey(SecKeyRef key);
CFDictionaryRef SecKeyCopyAttributes(SecKeyRef key);
/* The bytes of a key; an error for one that does not leave the keychain. */
CFDataRef SecKeyCopyExternalRepresentation(SecKeyRef key, CFErrorRef *error);
size_t SecKeyGetBlockSize(SecKeyRef key);
Boolean SecKeyIsAlgorithmSupported(SecKeyRef key, SecKeyOperationType operation, SecKeyAlgorithm algorithm);

CFDataRef SecKeyCreateSignature(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef dataToSign, CFErrorRef *error);
Boolean SecKeyVerifySignature(
    SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef signedData, CFDataRef signature, CFErrorRef *error);
CFDataRef SecKeyCreateEncryptedData(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef plaintext, CFErrorRef *error);
CFDataRef SecKeyCreateDecryptedData(SecKeyRef key, SecKeyAlgorithm algorithm, CFDataRef ciphertext, CFErrorRef *error);
CFDataRef SecKeyCopyKeyExchangeResult(
    SecKeyRef privateKey, SecKeyAlgorithm algorithm, SecKeyRef publicKey, CFDictionaryRef parameters,
    CFErrorRef *error);

/* The older calls, on buffers: the length of the result goes in as the room for it. */
OSStatus SecKeyRawSign(
    SecKeyRef key, SecPadding padding, const uint8_t *dataToSign, size_t dataToSignLen, uint8_t *sig, size_t *sigLen);
OSStatus SecKeyRawVerify(
    SecKeyRef key, SecPadding padding, const uint8_t *signedData, size_t signedDataLen, const uint8_t *sig,
    size_t sigLen);
OSStatus SecKeyEncrypt(
    SecKeyRef key, SecPadding padding, const uint8_t *plainText, size_t plainTextLen, uint8_t *cipherText,
    size_t *cipherTextLen);
OSStatus SecKeyDecrypt(
    SecKeyRef key, SecPadding padding, const uint8_t *cipherText, size_t cipherTextLen, uint8_t *plainText,
    size_t *plainTextLen);

/* Keys for AES: made at random, or of their bytes. */
SecKeyRef SecKeyGenerateSymmetric(CFDictionaryRef parameters, CFErrorRef *error);
SecKeyRef SecKeyCreateFromData(CFDictionaryRef parameters, CFDataRef keyData, CFErrorRef *error);
/* One symmetric key encrypted under another, and back; the parameters of wrapping are empty. */
CFDataRef SecKeyWrapSymmetric(
    SecKeyRef keyToWrap, SecKeyRef wrappingKey, CFDictionaryRef parameters, CFErrorRef *error);
SecKeyRef SecKeyUnwrapSymmetric(
    CFDataRef *keyToUnwrap, SecKeyRef unwrappingKey, CFDictionaryRef parameters, CFErrorRef *error);

#if defined(__BLOCKS__)
#if defined(__has_include)
#if __has_include(<dispatch/dispatch.h>)
#include <dispatch/dispatch.h>
typedef void (^SecKeyGeneratePairBlock)(SecKeyRef publicKey, SecKeyRef privateKey, CFErrorRef error);
/* Makes a pair on another thread, and calls the block on the queue; what it is given is lent. */
void SecKeyGeneratePairAsync(
    CFDictionaryRef parameters, dispatch_queue_t deliveryQueue, SecKeyGeneratePairBlock result);
#endif
#endif
#endif

SECURITY_END

#endif
