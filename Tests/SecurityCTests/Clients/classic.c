/* SPDX-License-Identifier: Apache-2.0 */
/* Files by the older calls, a key by the numbers of its attributes, preferences, and that what is given back is wiped. */
#define _GNU_SOURCE
#include <Security/Security.h>
#include <dlfcn.h>
#include <malloc.h>

#include "expect.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void release_all(CFTypeRef *objects, size_t count) {
    for (size_t index = 0; index < count; index++) if (objects[index]) CFRelease(objects[index]);
}

/* What free was given while these were watched: how many of them, and how many of those were all zero by then. gcc's sanitizer
   has a free of its own, which this one would hide. */
#ifndef __SANITIZE_ADDRESS__
static struct {
    const void *start;
    size_t count;
} watched[8];
static size_t watched_count, given_back, wiped;

void free(void *memory) {
    static void (*next)(void *);
    for (size_t index = 0; memory && index < watched_count; index++) {
        if (watched[index].start != memory) continue;
        const unsigned char *bytes = memory;
        size_t zeros = 0;
        while (zeros < watched[index].count && bytes[zeros] == 0) zeros++;
        given_back++;
        if (zeros == watched[index].count) wiped++;
        watched[index].start = NULL;
    }
    if (!next) next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    next(memory);
}

static void watch(const void *memory, size_t count) {
    expect(memory && count > 0 && watched_count < LENGTH(watched));
    /* Otherwise nothing would be shown by finding zeros. */
    expect(memory && ((const unsigned char *)memory)[0] != 0);
    watched[watched_count].start = memory;
    watched[watched_count++].count = count;
}

static void expect_wiped(size_t count) {
    expect(given_back == count);
    expect(wiped == count);
    watched_count = given_back = wiped = 0;
}

static void wiping(void) {
    SecKeychainItemRef item = NULL;
    char secret[] = "a secret of forty-two bytes, and no more!!";
    UInt32 size = sizeof secret - 1, length = 0;
    expect(SecKeychainAddGenericPassword(NULL, 5, "wiped", 3, "ada", size, secret, &item) == noErr && item);
    void *data = NULL;
    expect(SecKeychainFindGenericPassword(NULL, 5, "wiped", 3, "ada", &length, &data, NULL) == errSecSuccess);
    expect(length == size && data && memcmp(data, secret, size) == 0);
    watch(data, size);
    expect(SecKeychainItemFreeContent(NULL, data) == errSecSuccess);
    expect_wiped(1);

    SecKeychainAttribute attributes[] = {{kSecAccountItemAttr, 0, NULL}, {kSecServiceItemAttr, 0, NULL}};
    SecKeychainAttributeList list = {LENGTH(attributes), attributes};
    expect(SecKeychainItemCopyContent(item, NULL, &list, &length, &data) == errSecSuccess);
    watch(data, length);
    for (size_t index = 0; index < LENGTH(attributes); index++) watch(attributes[index].data, attributes[index].length);
    expect(SecKeychainItemFreeContent(&list, data) == errSecSuccess);
    expect_wiped(3);

    UInt32 tags[] = {kSecAccountItemAttr, kSecServiceItemAttr}, forms[] = {0, 0};
    SecKeychainAttributeInfo info = {LENGTH(tags), tags, forms};
    SecKeychainAttributeList *made = NULL;
    expect(SecKeychainItemCopyAttributesAndData(item, &info, NULL, &made, &length, &data) == errSecSuccess && made);
    watch(data, length);
    for (size_t index = 0; made && index < made->count; index++) watch(made->attr[index].data, made->attr[index].length);
    expect(SecKeychainItemFreeAttributesAndData(made, data) == errSecSuccess);
    expect_wiped(3);
    expect(SecKeychainItemDelete(item) == errSecSuccess);
    if (item) CFRelease(item);
}
#else
static void wiping(void) {}
#endif

static CFDataRef file(const char *variable) {
    const char *path = getenv(variable);
    FILE *stream = path ? fopen(path, "rb") : NULL;
    if (!stream) return NULL;
    UInt8 bytes[8192];
    size_t count = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    return CFDataCreate(NULL, bytes, (CFIndex)count);
}

/* Out of a file, into the keychain, and out again. */
static SecIdentityRef exchange(void) {
    CFDataRef data = file("CLIENT_IDENTITY"), sealed = NULL, again = NULL;
    expect(data);
    SecKeyImportExportParameters parameters = {SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION, 0, NULL, NULL, NULL, NULL, 0, 0};
    SecExternalFormat format = kSecFormatUnknown;
    SecExternalItemType type = kSecItemTypeUnknown;
    CFArrayRef items = NULL, opened = NULL;
    expect(SecKeychainItemImport(data, NULL, &format, &type, 0, &parameters, NULL, &items) == errSecPassphraseRequired);
    parameters.passphrase = CFSTR("client");
    parameters.keyUsage = CSSM_KEYUSE_ANY;
    parameters.keyAttributes = CSSM_KEYATTR_PERMANENT | CSSM_KEYATTR_SENSITIVE | CSSM_KEYATTR_EXTRACTABLE;
    SecKeychainRef keychain = NULL;
    expect(SecKeychainCopyDefault(&keychain) == errSecSuccess && keychain);
    OSStatus status = SecKeychainItemImport(
        data, CFSTR("identity.p12"), &format, &type, 0, &parameters, keychain, &items);
    expect(status == errSecSuccess && items && CFArrayGetCount(items) == 1);
    expect(format == kSecFormatPKCS12 && type == kSecItemTypeAggregate);
    SecIdentityRef identity = NULL;
    if (items) identity = (SecIdentityRef)CFRetain(CFArrayGetValueAtIndex(items, 0));
    expect(identity && CFGetTypeID(identity) == SecIdentityGetTypeID());

    /* The key is sensitive: it leaves only wrapped. */
    SecKeyRef key = NULL;
    expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess && key);
    expect(SecKeychainItemExport(key, kSecFormatOpenSSL, 0, NULL, &sealed) == errSecKeyIsSensitive && !sealed);
    SecKeyImportExportParameters leaving = {SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION, 0, CFSTR("p"), NULL, NULL, NULL, 0, 0};
    expect(SecKeychainItemExport(key, kSecFormatWrappedPKCS8, 0, &leaving, &sealed) == errSecSuccess && sealed);
    leaving.keyAttributes = CSSM_KEYATTR_EXTRACTABLE;
    expect(SecKeychainItemImport(sealed, NULL, NULL, NULL, 0, &leaving, NULL, &opened) == errSecSuccess && opened);
    if (opened) {
        CFTypeRef back = CFArrayGetValueAtIndex(opened, 0);
        expect(SecKeychainItemExport(back, kSecFormatBSAFE, kSecItemPemArmour, NULL, &again) == errSecSuccess && again);
    }

    /* What is wrong. */
    leaving.keyUsage = CSSM_KEYUSE_SIGN | 1 << 20;
    expect(SecKeychainItemImport(sealed, NULL, NULL, NULL, 0, &leaving, NULL, NULL) == errSecParam);
    leaving.passphrase = keychain;
    expect(SecKeychainItemExport(key, kSecFormatWrappedPKCS8, 0, &leaving, &again) != errSecSuccess);
    expect(SecKeychainItemImport(NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL) == errSecParam);
    expect(SecKeychainItemExport(NULL, kSecFormatUnknown, 0, NULL, &again) == errSecParam);
    expect(SecKeychainItemExport(key, kSecFormatUnknown, 0, NULL, NULL) == errSecParam);
    expect(SecKeychainItemExport(key, 99, 0, NULL, &again) == errSecParam);
    CFTypeRef all[] = {data, sealed, again, items, opened, keychain, key};
    release_all(all, LENGTH(all));
    return identity;
}

static void attributes(void) {
    UInt32 bits = 2048, yes = 1;
    SecKeychainAttribute wanted[] = {{kSecKeyKeySizeInBits, sizeof bits, &bits}, {kSecKeySign, sizeof yes, &yes}};
    SecKeychainAttributeList terms = {LENGTH(wanted), wanted};
    SecKeychainSearchRef search = NULL, none = NULL;
    SecKeychainItemRef key = NULL, other = NULL;
    expect(SecKeychainSearchCreateFromAttributes(NULL, kSecPrivateKeyItemClass, &terms, &search) == errSecSuccess);
    expect(SecKeychainSearchCopyNext(search, &key) == errSecSuccess && key);
    bits = 1024;
    expect(SecKeychainSearchCreateFromAttributes(NULL, kSecPrivateKeyItemClass, &terms, &none) == errSecSuccess);
    expect(SecKeychainSearchCopyNext(none, &other) == errSecItemNotFound);
    UInt32 tags[] = {kSecKeyKeyClass, kSecKeyKeyType, kSecKeyLabel, kSecKeySensitive};
    SecKeychainAttributeInfo info = {LENGTH(tags), tags, NULL};
    SecKeychainAttributeList *made = NULL;
    SecItemClass class = 0;
    expect(SecKeychainItemCopyAttributesAndData(key, &info, &class, &made, NULL, NULL) == errSecSuccess && made);
    if (made) {
        UInt32 part = 1, rsa = 42;
        expect(class == kSecPrivateKeyItemClass && made->count == LENGTH(tags));
        expect(made->attr[0].length == 4 && memcmp(made->attr[0].data, &part, 4) == 0);
        expect(made->attr[1].length == 4 && memcmp(made->attr[1].data, &rsa, 4) == 0);
        expect(made->attr[2].length == 20 && made->attr[2].data);
        expect(made->attr[3].length == 4 && memcmp(made->attr[3].data, &yes, 4) == 0);
    }
    expect(SecKeychainItemFreeAttributesAndData(made, NULL) == errSecSuccess);
    CFTypeRef all[] = {search, none, key, other};
    release_all(all, LENGTH(all));
}

/* Which certificate and which identity a person wants for a name. */
static void preferences(SecIdentityRef identity) {
    CFStringRef name = CFSTR("https://client.example/");
    SecCertificateRef certificate = NULL, preferred = NULL, newer = NULL, missing = NULL;
    SecIdentityRef wanted = NULL, none = NULL;
    expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess && certificate);
    expect(SecCertificateCopyPreference(name, 0, &missing) == errSecItemNotFound && !missing);
    expect(SecCertificateSetPreference(certificate, name, 0, NULL) == errSecSuccess);
    expect(SecCertificateCopyPreference(name, 0, &preferred) == errSecSuccess && CFEqual(preferred, certificate));
    expect(SecCertificateSetPreferred(certificate, name, NULL) == errSecSuccess);
    newer = SecCertificateCopyPreferred(name, NULL);
    expect(newer && CFEqual(newer, certificate));
    expect(SecCertificateSetPreferred(NULL, name, NULL) == errSecSuccess);
    expect(!SecCertificateCopyPreferred(name, NULL));

    expect(SecIdentityCopyPreference(name, 0, NULL, &none) == errSecItemNotFound && !none);
    expect(SecIdentitySetPreference(identity, name, 0) == errSecSuccess);
    expect(SecIdentityCopyPreference(name, 0, NULL, &wanted) == errSecSuccess && wanted && CFEqual(wanted, identity));
    expect(SecIdentitySetPreferred(NULL, name, NULL) == errSecSuccess);
    expect(SecIdentityCopyPreference(name, 0, NULL, &none) == errSecItemNotFound && !none);

    expect(SecCertificateSetPreference(NULL, name, 0, NULL) == errSecParam);
    expect(SecCertificateSetPreference(certificate, NULL, 0, NULL) == errSecParam);
    expect(SecCertificateCopyPreference(NULL, 0, &missing) == errSecParam);
    expect(SecCertificateCopyPreference(name, 0, NULL) == errSecParam);
    expect(SecIdentitySetPreference((SecIdentityRef)certificate, name, 0) == errSecParam);
    expect(SecIdentityCopyPreference(name, 0, NULL, NULL) == errSecParam);
    CFTypeRef all[] = {certificate, preferred, newer, wanted};
    release_all(all, LENGTH(all));
}

int main(void) {
    wiping();
    SecIdentityRef identity = exchange();
    attributes();
    preferences(identity);
    if (identity) CFRelease(identity);
    return finish();
}
