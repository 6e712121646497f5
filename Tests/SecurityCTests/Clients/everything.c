/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, certificates, identities, trust, access control, errors, and what a client gets wrong. */
#include <Security/Security.h>

#include "expect.h"

static CFMutableDictionaryRef dictionary(void) {
    return CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
}

static CFNumberRef number(int value) {
    return CFNumberCreate(NULL, kCFNumberIntType, &value);
}

static CFDataRef data(const char *text) {
    return CFDataCreate(NULL, (const UInt8 *)text, (CFIndex)strlen(text));
}

static SecKeyRef make_key(CFStringRef type, int bits, bool is_permanent) {
    CFMutableDictionaryRef parameters = dictionary(), half = dictionary();
    CFNumberRef size = number(bits);
    CFDictionarySetValue(parameters, kSecAttrKeyType, type);
    CFDictionarySetValue(parameters, kSecAttrKeySizeInBits, size);
    CFDictionarySetValue(half, kSecAttrIsPermanent, is_permanent ? kCFBooleanTrue : kCFBooleanFalse);
    CFDictionarySetValue(half, kSecAttrLabel, CFSTR("made in C"));
    CFDictionarySetValue(parameters, kSecPrivateKeyAttrs, half);
    CFErrorRef error = NULL;
    SecKeyRef key = SecKeyCreateRandomKey(parameters, &error);
    expect(key && !error);
    CFRelease(size);
    CFRelease(half);
    CFRelease(parameters);
    return key;
}

static void keys(void) {
    SecKeyRef key = make_key(kSecAttrKeyTypeECSECPrimeRandom, 256, true);
    if (!key) return;
    SecKeyRef public_key = SecKeyCopyPublicKey(key);
    expect(CFGetTypeID(key) == SecKeyGetTypeID() && CFGetTypeID(public_key) == SecKeyGetTypeID());
    expect(!CFEqual(key, public_key) && SecKeyGetBlockSize(key) == 32);
    CFStringRef words = CFCopyDescription(key), name = CFCopyTypeIDDescription(SecKeyGetTypeID());
    expect(words && CFEqual(name, CFSTR("SecKey")));

    CFDataRef message = data("a message");
    CFErrorRef error = NULL;
    expect(SecKeyIsAlgorithmSupported(key, kSecKeyOperationTypeSign, kSecKeyAlgorithmECDSASignatureMessageX962SHA256));
    CFDataRef signature =
        SecKeyCreateSignature(key, kSecKeyAlgorithmECDSASignatureMessageX962SHA256, message, &error);
    expect(signature && !error);
    expect(SecKeyVerifySignature(
        public_key, kSecKeyAlgorithmECDSASignatureMessageX962SHA256, message, signature, &error));
    CFDataRef other = data("another");
    expect(!SecKeyVerifySignature(
        public_key, kSecKeyAlgorithmECDSASignatureMessageX962SHA256, other, signature, &error));
    expect(error && CFGetTypeID(error) == CFErrorGetTypeID() && CFErrorGetCode(error) != 0);
    CFStringRef why = CFErrorCopyDescription(error);
    expect(CFEqual(CFErrorGetDomain(error), CFSTR("NSOSStatusErrorDomain")) && CFStringGetLength(why) > 5);
    CFRelease(why);
    CFRelease(error);

    error = NULL;
    CFDataRef sealed = SecKeyCreateEncryptedData(
        public_key, kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM, message, &error);
    CFDataRef opened =
        SecKeyCreateDecryptedData(key, kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM, sealed, &error);
    expect(opened && !error && CFEqual(opened, message));

    /* It is stored, so a search finds it, as an object that is equal and hashes alike; with the reference again. */
    CFMutableDictionaryRef query = dictionary();
    CFDictionarySetValue(query, kSecClass, kSecClassKey);
    CFDictionarySetValue(query, kSecAttrKeyClass, kSecAttrKeyClassPrivate);
    CFDictionarySetValue(query, kSecReturnRef, kCFBooleanTrue);
    CFTypeRef found = NULL;
    expect(SecItemCopyMatching(query, &found) == errSecSuccess && CFEqual(found, key) && CFHash(found) == CFHash(key));
    CFDictionaryRemoveAllValues(query);
    CFDictionarySetValue(query, kSecValueRef, found);
    expect(SecItemDelete(query) == errSecSuccess && SecItemDelete(query) == errSecItemNotFound);

    /* Out and in. */
    CFDataRef bytes = SecKeyCopyExternalRepresentation(key, &error);
    CFMutableDictionaryRef attributes = dictionary();
    CFDictionarySetValue(attributes, kSecAttrKeyType, kSecAttrKeyTypeECSECPrimeRandom);
    CFDictionarySetValue(attributes, kSecAttrKeyClass, kSecAttrKeyClassPrivate);
    SecKeyRef again = SecKeyCreateWithData(bytes, attributes, &error);
    expect(again && CFEqual(again, key));
    CFDictionaryRef described = SecKeyCopyAttributes(key);
    expect(CFDictionaryContainsKey(described, kSecAttrApplicationLabel));
    SecKeyRef halves[2] = {NULL, NULL};
    CFNumberRef bits = number(2048);
    CFDictionaryRemoveAllValues(attributes);
    CFDictionarySetValue(attributes, kSecAttrKeyType, kSecAttrKeyTypeRSA);
    CFDictionarySetValue(attributes, kSecAttrKeySizeInBits, bits);
    expect(SecKeyGeneratePair(attributes, &halves[0], &halves[1]) == errSecSuccess && halves[0] && halves[1]);
    uint8_t digest[32] = {1}, raw[256];
    size_t room = sizeof raw;
    expect(SecKeyRawSign(halves[1], kSecPaddingPKCS1SHA256, digest, sizeof digest, raw, &room) == errSecSuccess);
    expect(SecKeyRawVerify(halves[0], kSecPaddingPKCS1SHA256, digest, sizeof digest, raw, room) == errSecSuccess);

    CFTypeRef all[] = {key,  public_key, words, name,       message,   signature, other,     sealed, opened,
                       found, query,     bytes, attributes, described, again,     halves[0], bits,   halves[1]};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) if (all[index]) CFRelease(all[index]);
}

/* What the tests of the Swift module have in a file. */
static CFDataRef certificate_in_file(void) {
    const char *path = getenv("CLIENT_CERTIFICATE");
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) return NULL;
    UInt8 bytes[8192];
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return CFDataCreate(NULL, bytes, (CFIndex)count);
}

static void certificates(void) {
    CFDataRef bytes = certificate_in_file();
    expect(bytes != NULL);
    if (!bytes) return;
    SecCertificateRef certificate = SecCertificateCreateWithData(NULL, bytes);
    expect(certificate && CFGetTypeID(certificate) == SecCertificateGetTypeID());
    if (!certificate) return;
    CFDataRef again = SecCertificateCopyData(certificate);
    CFStringRef summary = SecCertificateCopySubjectSummary(certificate), name = NULL;
    CFDateRef from = SecCertificateCopyNotValidBeforeDate(certificate);
    SecKeyRef key = SecCertificateCopyKey(certificate);
    expect(CFEqual(again, bytes) && summary && key && CFGetTypeID(from) == CFDateGetTypeID());
    expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess && name);

    /* Stored, and found by the references in an array. */
    CFMutableDictionaryRef query = dictionary();
    CFDictionarySetValue(query, kSecValueRef, certificate);
    expect(SecItemAdd(query, NULL) == errSecSuccess && SecItemAdd(query, NULL) == errSecDuplicateItem);
    CFDictionaryRemoveAllValues(query);
    CFArrayRef list = CFArrayCreate(NULL, (const void **)&certificate, 1, &kCFTypeArrayCallBacks);
    CFDictionarySetValue(query, kSecClass, kSecClassCertificate);
    CFDictionarySetValue(query, kSecMatchItemList, list);
    CFDictionarySetValue(query, kSecMatchLimit, kSecMatchLimitAll);
    CFDictionarySetValue(query, kSecReturnRef, kCFBooleanTrue);
    CFTypeRef found = NULL;
    expect(SecItemCopyMatching(query, &found) == errSecSuccess && CFArrayGetCount((CFArrayRef)found) == 1);
    expect(found && CFEqual(CFArrayGetValueAtIndex((CFArrayRef)found, 0), certificate));

    SecPolicyRef policy = SecPolicyCreateBasicX509();
    SecTrustRef trust = NULL;
    expect(SecTrustCreateWithCertificates(certificate, policy, &trust) == errSecSuccess && trust);
    CFErrorRef error = NULL;
    expect(!SecTrustEvaluateWithError(trust, &error) && error);
    SecTrustResultType result = kSecTrustResultInvalid;
    expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess && result == kSecTrustResultRecoverableTrustFailure);
    SecCertificateRef first = SecTrustGetCertificateAtIndex(trust, 0);
    expect(first && CFEqual(first, certificate) && first == SecTrustGetCertificateAtIndex(trust, 0));
    expect(SecTrustGetCertificateAtIndex(trust, 99) == NULL && SecTrustGetCertificateAtIndex(trust, -1) == NULL);
    CFDictionaryRef properties = SecPolicyCopyProperties(policy);
    expect(CFEqual(CFDictionaryGetValue(properties, kSecPolicyOid), kSecPolicyAppleX509Basic));

    CFDataRef file = NULL;
    expect(SecItemExport(certificate, kSecFormatPEMSequence, kSecItemPemArmour, NULL, &file) == errSecSuccess && file);
    SecExternalFormat format = kSecFormatUnknown;
    SecExternalItemType type = kSecItemTypeUnknown;
    CFArrayRef items = NULL;
    expect(SecItemImport(file, NULL, &format, &type, 0, NULL, NULL, &items) == errSecSuccess);
    expect(items && CFArrayGetCount(items) == 1 && CFEqual(CFArrayGetValueAtIndex(items, 0), certificate));

    CFTypeRef all[] = {bytes, certificate, again,  summary, name, from,       key,  query,
                       list,  found,       policy, trust,   error, properties, file, items};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) if (all[index]) CFRelease(all[index]);
}

static void access_control(void) {
    CFErrorRef error = NULL;
    SecAccessControlRef control = SecAccessControlCreateWithFlags(
        NULL, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAccessControlUserPresence, &error);
    expect(control && !error && CFGetTypeID(control) == SecAccessControlGetTypeID());
    expect(CFEqual(SecAccessControlGetProtection(control), kSecAttrAccessibleWhenUnlockedThisDeviceOnly));
    CFRelease(control);
    control = SecAccessControlCreateWithFlags(NULL, CFSTR("nothing"), 0, &error);
    expect(!control && error && CFErrorGetCode(error) == errSecParam);
    CFRelease(error);
}

static void mistakes(void) {
    CFTypeRef result = NULL;
    CFErrorRef error = NULL;
    expect(SecItemAdd(NULL, NULL) == errSecParam && SecItemCopyMatching(NULL, &result) == errSecParam);
    expect(SecItemUpdate(NULL, NULL) == errSecParam && SecItemDelete(NULL) == errSecParam);
    expect(SecItemAdd((CFDictionaryRef)CFSTR("text"), NULL) == errSecParam);
    expect(SecItemAdd((CFDictionaryRef)kCFNull, NULL) == errSecParam);
    expect(SecKeyCreateRandomKey(NULL, &error) == NULL && error && CFErrorGetCode(error) == errSecParam);
    CFRelease(error);
    expect(SecKeyCreateRandomKey(NULL, NULL) == NULL && SecKeyCopyPublicKey(NULL) == NULL);
    expect(SecKeyCopyPublicKey((SecKeyRef)CFSTR("no key")) == NULL && SecKeyGetBlockSize((SecKeyRef)kCFNull) == 0);
    SecPolicyRef policy = SecPolicyCreateBasicX509();
    expect(SecKeyCopyPublicKey((SecKeyRef)policy) == NULL);
    expect(SecCertificateCreateWithData(NULL, NULL) == NULL && SecCertificateCopyData(NULL) == NULL);
    expect(SecTrustCreateWithCertificates(NULL, NULL, NULL) == errSecParam);
    expect(!SecTrustEvaluateWithError(NULL, NULL) && SecTrustGetCertificateCount(NULL) == 0);
    expect(SecIdentityCopyCertificate(NULL, NULL) == errSecParam && SecRandomCopyBytes(NULL, 1, NULL) == errSecParam);
    expect(SecItemExport(NULL, 0, 0, NULL, NULL) == errSecParam && SecPKCS12Import(NULL, NULL, NULL) == errSecParam);
    expect(SecKeychainOpen(NULL, NULL) == errSecParam && SecKeychainGetStatus(NULL, NULL) == errSecParam);

    /* A dictionary without callbacks, as some programs make; and one with NULL in it. */
    const void *names[] = {kSecClass, kSecAttrService, kSecAttrAccount, kSecValueData};
    CFDataRef secret = data("secret");
    const void *values[] = {kSecClassGenericPassword, CFSTR("plain"), CFSTR("ada"), secret};
    CFDictionaryRef plain = CFDictionaryCreate(NULL, names, values, 4, NULL, NULL);
    expect(SecItemAdd(plain, NULL) == errSecSuccess);
    values[2] = NULL;
    CFDictionaryRef with_null = CFDictionaryCreate(NULL, names, values, 4, NULL, NULL);
    expect(SecItemAdd(with_null, NULL) == errSecParam);
    /* An array in itself, and objects that nothing here takes. */
    CFMutableArrayRef snake = CFArrayCreateMutable(NULL, 0, NULL);
    CFArrayAppendValue(snake, snake);
    CFMutableDictionaryRef odd = dictionary();
    CFDictionarySetValue(odd, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(odd, kSecMatchItemList, snake);
    expect(SecItemCopyMatching(odd, &result) == errSecParam);
    CFLocaleRef locale = CFLocaleCopyCurrent();
    CFDictionarySetValue(odd, kSecMatchItemList, locale);
    expect(SecItemCopyMatching(odd, &result) == errSecParam);
    CFDictionaryRemoveValue(odd, kSecMatchItemList);
    CFDictionarySetValue(odd, kSecAttrAccount, locale);
    expect(SecItemAdd(odd, NULL) == errSecParam);
    CFDictionarySetValue(odd, kSecAttrAccount, policy);
    expect(SecItemAdd(odd, NULL) == errSecParam && result == NULL);
    CFTypeRef all[] = {policy, secret, plain, with_null, odd, locale, snake};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) CFRelease(all[index]);
}

static void keychains(void) {
    SecKeychainRef keychain = NULL;
    expect(SecKeychainCopyDefault(&keychain) == errSecSuccess && CFGetTypeID(keychain) == SecKeychainGetTypeID());
    SecKeychainStatus status = 0;
    expect(SecKeychainGetStatus(keychain, &status) == errSecSuccess && (status & kSecUnlockStateStatus));
    char path[4096];
    UInt32 room = sizeof path;
    expect(SecKeychainGetPath(keychain, &room, path) == errSecSuccess && strlen(path) == room);
    SecKeychainSettings settings = {0, 1, 1, 1};
    expect(SecKeychainCopySettings(keychain, &settings) == errSecSuccess);
    expect(settings.version == SEC_KEYCHAIN_SETTINGS_VERS1);
    CFRelease(keychain);
}

int main(void) {
    keys();
    certificates();
    access_control();
    mistakes();
    keychains();
    return finish();
}
