/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks, trust settings, preferences, messages, the classic calls and symmetric keys, and what a client gets wrong in them. */
#include <Security/Security.h>
#include <semaphore.h>

#include "expect.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void release_all(CFTypeRef *objects, size_t count) {
    for (size_t index = 0; index < count; index++) if (objects[index]) CFRelease(objects[index]);
}

static CFMutableDictionaryRef dictionary(void) {
    return CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
}

static bool is_text(CFDataRef data, const char *text) {
    return data && CFDataGetLength(data) == (CFIndex)strlen(text) &&
           memcmp(CFDataGetBytePtr(data), text, strlen(text)) == 0;
}

static void task(void) {
    SecTaskRef task = SecTaskCreateFromSelf(NULL);
    expect(task && CFGetTypeID(task) == SecTaskGetTypeID());
    CFErrorRef error = NULL;
    CFTypeRef groups = SecTaskCopyValueForEntitlement(task, CFSTR("keychain-access-groups"), &error);
    expect(!error && groups && CFGetTypeID(groups) == CFArrayGetTypeID());
    CFTypeRef nothing = SecTaskCopyValueForEntitlement(task, CFSTR("nothing"), &error);
    expect(!nothing && !error);
    CFStringRef names[] = {CFSTR("application-identifier"), CFSTR("nothing")};
    CFArrayRef list = CFArrayCreate(NULL, (const void **)names, 2, &kCFTypeArrayCallBacks);
    CFDictionaryRef values = SecTaskCopyValuesForEntitlements(task, list, &error);
    CFStringRef identifier = SecTaskCopySigningIdentifier(task, &error);
    expect(values && !error && CFDictionaryGetCount(values) == (identifier ? 1 : 0));
    /* Scripts/c-clients.sh declares one beside the program. */
    expect(identifier && CFEqual(identifier, CFSTR("org.example.client")));
    expect(!SecTaskCopySigningIdentifier(NULL, &error) && error && CFErrorGetCode(error) == errSecParam);
    expect(!SecTaskCopyValueForEntitlement((SecTaskRef)list, NULL, NULL));
    CFStringRef password = SecCreateSharedWebCredentialPassword();
    expect(password && CFStringGetLength(password) == 15);
    CFTypeRef all[] = {task, groups, list, values, identifier, error, password};
    release_all(all, LENGTH(all));
}

/* One that is its own issuer, with its key; both are stored. */
static SecIdentityRef identity_in_file(void) {
    const char *path = getenv("CLIENT_IDENTITY");
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) return NULL;
    UInt8 bytes[8192];
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CFDataRef data = CFDataCreate(NULL, bytes, (CFIndex)count);
    CFMutableDictionaryRef options = dictionary(), added = dictionary();
    CFDictionarySetValue(options, kSecImportExportPassphrase, CFSTR("client"));
    CFArrayRef items = NULL;
    SecIdentityRef identity = NULL;
    expect(SecPKCS12Import(data, options, &items) == errSecSuccess && items && CFArrayGetCount(items) == 1);
    if (items) {
        CFDictionaryRef first = (CFDictionaryRef)CFArrayGetValueAtIndex(items, 0);
        identity = (SecIdentityRef)CFRetain(CFDictionaryGetValue(first, kSecImportItemIdentity));
        CFDictionarySetValue(added, kSecValueRef, identity);
        OSStatus status = SecItemAdd(added, NULL);
        expect(status == errSecSuccess || status == errSecDuplicateItem);
    }
    CFTypeRef all[] = {data, options, added, items};
    release_all(all, LENGTH(all));
    return identity;
}

static SecTrustResultType examined(SecTrustRef trust) {
    SecTrustResultType result = kSecTrustResultInvalid;
    SecTrustEvaluateWithError(trust, NULL);
    expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess);
    return result;
}

static void trust(SecCertificateRef certificate) {
    SecPolicyRef policy = SecPolicyCreateBasicX509();
    SecTrustRef trust = NULL, other = NULL;
    expect(SecTrustCreateWithCertificates(certificate, policy, &trust) == errSecSuccess && trust);
    expect(examined(trust) == kSecTrustResultRecoverableTrustFailure);
    CFArrayRef properties = SecTrustCopyProperties(trust);
    expect(properties && CFArrayGetCount(properties) > 0);
    CFDataRef exceptions = SecTrustCopyExceptions(trust);
    expect(exceptions && SecTrustSetExceptions(trust, exceptions) && SecTrustEvaluateWithError(trust, NULL));
    expect(!SecTrustSetExceptions(trust, NULL) && examined(trust) == kSecTrustResultRecoverableTrustFailure);
    expect(SecTrustSetOptions(trust, kSecTrustOptionImplicitAnchors) == errSecSuccess);
    expect(SecTrustSetOptions(trust, 1u << 31) == errSecParam && SecTrustSetOptions(NULL, 0) == errSecParam);
    Boolean fetches = true;
    expect(SecTrustGetNetworkFetchAllowed(trust, &fetches) == errSecSuccess && !fetches);

    /* Said of the certificate, read, and taken back. */
    CFArrayRef said = NULL, certificates = NULL;
    CFDateRef date = NULL;
    CFDataRef form = NULL;
    const SecTrustSettingsDomain user = kSecTrustSettingsDomainUser;
    expect(SecTrustSettingsCopyTrustSettings(certificate, user, &said) == errSecItemNotFound && !said);
    expect(SecTrustSettingsCopyCertificates(user, &certificates) == errSecNoTrustSettings);
    CFMutableDictionaryRef settings = dictionary();
    SInt32 root = kSecTrustSettingsResultTrustRoot;
    CFNumberRef number = CFNumberCreate(NULL, kCFNumberSInt32Type, &root);
    CFDictionarySetValue(settings, kSecTrustSettingsResult, number);
    CFDictionarySetValue(settings, kSecTrustSettingsPolicy, policy);
    expect(SecTrustSettingsSetTrustSettings(certificate, user, settings) == errSecSuccess);
    expect(SecTrustSettingsCopyTrustSettings(certificate, user, &said) == errSecSuccess && said);
    expect(said && CFArrayGetCount(said) == 1);
    CFDictionaryRef first = said ? (CFDictionaryRef)CFArrayGetValueAtIndex(said, 0) : NULL;
    expect(first && CFEqual(CFDictionaryGetValue(first, kSecTrustSettingsResult), number));
    expect(first && CFEqual(CFDictionaryGetValue(first, kSecTrustSettingsPolicy), policy));
    expect(SecTrustSettingsCopyCertificates(user, &certificates) == errSecSuccess && certificates);
    expect(certificates && CFEqual(CFArrayGetValueAtIndex(certificates, 0), certificate));
    expect(SecTrustSettingsCopyModificationDate(certificate, user, &date) == errSecSuccess && date);
    expect(SecTrustCreateWithCertificates(certificate, policy, &other) == errSecSuccess);
    expect(examined(other) == kSecTrustResultProceed);
    expect(SecTrustSettingsCreateExternalRepresentation(user, &form) == errSecSuccess && form);
    expect(SecTrustSettingsRemoveTrustSettings(certificate, user) == errSecSuccess);
    expect(SecTrustSettingsRemoveTrustSettings(certificate, user) == errSecItemNotFound);
    expect(SecTrustSettingsImportExternalRepresentation(user, form) == errSecSuccess);
    expect(SecTrustSettingsRemoveTrustSettings(certificate, user) == errSecSuccess);
    expect(SecTrustSettingsSetTrustSettings(certificate, 9, NULL) == errSecParam);
    expect(SecTrustSettingsSetTrustSettings(NULL, user, NULL) == errSecParam);
    expect(SecTrustSettingsCopyTrustSettings(certificate, user, NULL) == errSecParam);
    CFTypeRef all[] = {policy, trust, other, properties, exceptions, said, certificates, date, form, settings, number};
    release_all(all, LENGTH(all));
}

static void certificates(SecIdentityRef identity, SecCertificateRef certificate) {
    CFErrorRef error = NULL;
    CFArrayRef wanted = CFArrayCreate(NULL, (const void **)&kSecOIDX509V1SubjectName, 1, &kCFTypeArrayCallBacks);
    CFDictionaryRef all_values = SecCertificateCopyValues(certificate, NULL, &error);
    CFDictionaryRef one = SecCertificateCopyValues(certificate, wanted, &error);
    expect(!error && all_values && CFDictionaryGetCount(all_values) > 8 && one && CFDictionaryGetCount(one) == 1);
    CFStringRef brief = SecCertificateCopyShortDescription(NULL, certificate, &error);
    CFStringRef whole = SecCertificateCopyLongDescription(NULL, certificate, &error);
    expect(brief && CFEqual(brief, CFSTR("client.example")) && whole);
    CFDataRef serial = SecCertificateCopySerialNumber(certificate, &error);
    expect(serial && !error);
    expect(!SecCertificateCopyValues(NULL, NULL, NULL) && SecCertificateAddToKeychain(NULL, NULL) == errSecParam);
    expect(SecCertificateAddToKeychain(certificate, (SecKeychainRef)wanted) == errSecParam);
    expect(SecCertificateAddToKeychain(certificate, NULL) == errSecDuplicateItem);

    SecIdentityRef found = NULL, preferred = NULL;
    expect(SecIdentityCreateWithCertificate(NULL, certificate, &found) == errSecSuccess && CFEqual(found, identity));
    expect(SecIdentitySetPreferred(identity, CFSTR("https://example.org"), NULL) == errSecSuccess);
    preferred = SecIdentityCopyPreferred(CFSTR("https://example.org"), NULL, NULL);
    expect(preferred && CFEqual(preferred, identity));
    expect(SecIdentitySetPreferred(NULL, CFSTR("https://example.org"), NULL) == errSecSuccess);
    expect(!SecIdentityCopyPreferred(CFSTR("https://example.org"), NULL, NULL));
    expect(SecIdentitySetPreferred(identity, NULL, NULL) == errSecParam && !SecIdentityCopyPreferred(NULL, NULL, NULL));
    SecIdentitySearchRef search = NULL;
    SecIdentityRef next = NULL, behind = NULL;
    expect(SecIdentitySearchCreate(NULL, 0, &search) == errSecSuccess && search);
    expect(SecIdentitySearchCopyNext(search, &next) == errSecSuccess && CFEqual(next, identity));
    expect(SecIdentitySearchCopyNext(search, &behind) == errSecItemNotFound && !behind);
    CFTypeRef all[] = {wanted, all_values, one, brief, whole, serial, found, preferred, search, next};
    release_all(all, LENGTH(all));
}

static void messages(SecIdentityRef identity, SecCertificateRef certificate) {
    CMSEncoderRef encoder = NULL;
    expect(CMSEncoderCreate(&encoder) == errSecSuccess && CFGetTypeID(encoder) == CMSEncoderGetTypeID());
    expect(CMSEncoderAddSigners(encoder, certificate) == errSecParam);
    expect(CMSEncoderAddSigners(encoder, identity) == errSecSuccess);
    expect(CMSEncoderAddRecipients(encoder, certificate) == errSecSuccess);
    expect(CMSEncoderAddSignedAttributes(encoder, kCMSAttrSigningTime) == errSecSuccess);
    expect(CMSEncoderSetSignerAlgorithm(encoder, kCMSEncoderDigestAlgorithmSHA256) == errSecSuccess);
    expect(CMSEncoderSetCertificateChainMode(encoder, kCMSCertificateChainWithRoot) == errSecSuccess);
    expect(CMSEncoderSetCertificateChainMode(encoder, 77) == errSecParam);
    CMSCertificateChainMode mode = kCMSCertificateNone;
    expect(CMSEncoderGetCertificateChainMode(encoder, &mode) == errSecSuccess && mode == kCMSCertificateChainWithRoot);
    CFArrayRef signers = NULL, certificates = NULL;
    expect(CMSEncoderCopySigners(encoder, &signers) == errSecSuccess && signers && CFArrayGetCount(signers) == 1);
    expect(CMSEncoderUpdateContent(encoder, "a me", 4) == errSecSuccess);
    expect(CMSEncoderUpdateContent(encoder, "ssage", 5) == errSecSuccess);
    expect(CMSEncoderUpdateContent(encoder, NULL, 5) == errSecParam);
    CFDataRef message = NULL, content = NULL, kind = NULL;
    expect(CMSEncoderCopyEncodedContent(encoder, &message) == errSecSuccess && message);

    CMSDecoderRef decoder = NULL;
    expect(CMSDecoderCreate(&decoder) == errSecSuccess && CFGetTypeID(decoder) == CMSDecoderGetTypeID());
    size_t count = 7;
    expect(CMSDecoderGetNumSigners(decoder, &count) == errSecParam);
    expect(CMSDecoderUpdateMessage(decoder, CFDataGetBytePtr(message), (size_t)CFDataGetLength(message)) == 0);
    expect(CMSDecoderFinalizeMessage(decoder) == errSecSuccess);
    Boolean is_encrypted = false;
    expect(CMSDecoderIsContentEncrypted(decoder, &is_encrypted) == errSecSuccess && is_encrypted);
    expect(CMSDecoderCopyContent(decoder, &content) == errSecSuccess && is_text(content, "a message"));
    expect(CMSDecoderGetNumSigners(decoder, &count) == errSecSuccess && count == 1);
    SecPolicyRef policy = SecPolicyCreateBasicX509();
    CMSSignerStatus status = kCMSSignerUnsigned;
    SecTrustRef trust = NULL;
    OSStatus code = 1;
    expect(CMSDecoderCopySignerStatus(decoder, 0, policy, false, &status, &trust, &code) == errSecSuccess);
    expect(status == kCMSSignerValid && trust && code == errSecSuccess);
    expect(CMSDecoderCopySignerStatus(decoder, 0, policy, true, &status, NULL, NULL) == errSecSuccess);
    expect(status == kCMSSignerInvalidCert);
    expect(CMSDecoderCopySignerStatus(decoder, 5, policy, false, &status, NULL, NULL) == errSecSuccess);
    expect(status == kCMSSignerInvalidIndex);
    expect(CMSDecoderCopySignerStatus(decoder, 0, NULL, false, NULL, NULL, NULL) == errSecParam);
    SecCertificateRef signer = NULL;
    expect(CMSDecoderCopySignerCert(decoder, 0, &signer) == errSecSuccess && CFEqual(signer, certificate));
    CFAbsoluteTime time = 0, stamp = 0;
    expect(CMSDecoderCopySignerSigningTime(decoder, 0, &time) == errSecSuccess && time > 0);
    expect(CMSDecoderCopySignerTimestamp(decoder, 0, &stamp) == errSecTimestampMissing);
    expect(CMSDecoderCopyAllCerts(decoder, &certificates) == errSecSuccess && certificates);
    expect(CMSDecoderCopyEncapsulatedContentType(decoder, &kind) == errSecSuccess && kind);

    /* In one call, with the content outside. */
    CFDataRef detached = NULL, again = NULL;
    expect(CMSEncodeContent(identity, NULL, NULL, true, kCMSAttrNone, "text", 4, &detached) == errSecSuccess && detached);
    uint8_t data_type[] = {0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01};
    SecAsn1Oid type = {sizeof data_type, data_type};
    expect(CMSEncode(identity, NULL, &type, true, kCMSAttrNone, "text", 4, &again) == errSecSuccess && again);
    CMSDecoderRef other = NULL;
    expect(CMSDecoderCreate(&other) == errSecSuccess);
    expect(CMSDecoderUpdateMessage(other, CFDataGetBytePtr(detached), (size_t)CFDataGetLength(detached)) == 0);
    expect(CMSDecoderFinalizeMessage(other) == errSecSuccess);
    CFDataRef text = CFDataCreate(NULL, (const UInt8 *)"text", 4), wrong = CFDataCreate(NULL, (const UInt8 *)"tExt", 4);
    expect(CMSDecoderSetDetachedContent(other, wrong) == errSecSuccess);
    expect(CMSDecoderCopySignerStatus(other, 0, policy, false, &status, NULL, NULL) == errSecSuccess);
    expect(status == kCMSSignerInvalidSignature);
    expect(CMSDecoderSetDetachedContent(other, text) == errSecSuccess);
    expect(CMSDecoderCopySignerStatus(other, 0, policy, false, &status, NULL, NULL) == errSecSuccess);
    expect(status == kCMSSignerValid);

    expect(CMSEncoderCreate(NULL) == errSecParam && CMSDecoderCreate(NULL) == errSecParam);
    expect(CMSEncoderAddSigners(NULL, identity) == errSecParam && CMSEncoderAddSigners(encoder, NULL) == errSecParam);
    expect(CMSDecoderFinalizeMessage((CMSDecoderRef)encoder) == errSecParam);
    expect(CMSDecoderUpdateMessage(other, NULL, 3) == errSecParam);
    CFTypeRef all[] = {encoder, signers, certificates, message, content, kind,     decoder, policy, trust,
                       signer,  other,   text,         wrong,   again,   detached};
    release_all(all, LENGTH(all));
}

static void passwords(void) {
    SecKeychainItemRef item = NULL, found = NULL, again = NULL, behind = NULL;
    expect(SecKeychainAddGenericPassword(NULL, 7, "service", 3, "ada", 6, "sesame", &item) == errSecSuccess && item);
    expect(CFGetTypeID(item) == SecKeychainItemGetTypeID());
    expect(SecKeychainAddGenericPassword(NULL, 7, "service", 3, "ada", 6, "sesame", NULL) == errSecDuplicateItem);
    UInt32 length = 0;
    void *secret = NULL;
    expect(SecKeychainFindGenericPassword(NULL, 7, "service", 3, "ada", &length, &secret, &found) == errSecSuccess);
    expect(length == 6 && secret && memcmp(secret, "sesame", 6) == 0 && found && CFEqual(found, item));
    expect(SecKeychainItemFreeContent(NULL, secret) == errSecSuccess);

    /* Changed with a list, and read with one. */
    char comment[] = "of the cave";
    SecKeychainAttribute changed[] = {{kSecCommentItemAttr, sizeof comment - 1, comment}};
    SecKeychainAttributeList changes = {1, changed};
    expect(SecKeychainItemModifyContent(item, &changes, 9, "barleycorn") == errSecSuccess);
    SecKeychainAttribute wanted[] = {{kSecCommentItemAttr, 0, NULL}, {kSecAccountItemAttr, 0, NULL}};
    SecKeychainAttributeList list = {2, wanted};
    SecItemClass class = 0;
    expect(SecKeychainItemCopyContent(item, &class, &list, &length, &secret) == errSecSuccess);
    expect(class == kSecGenericPasswordItemClass && length == 9 && secret && memcmp(secret, "barleycor", 9) == 0);
    expect(wanted[0].length == sizeof comment - 1 && memcmp(wanted[0].data, comment, sizeof comment - 1) == 0);
    expect(wanted[1].length == 3 && memcmp(wanted[1].data, "ada", 3) == 0);
    expect(SecKeychainItemFreeContent(&list, secret) == errSecSuccess && !wanted[0].data);

    SecKeychainAttributeInfo *info = NULL;
    expect(SecKeychainAttributeInfoForItemID(NULL, kSecGenericPasswordItemClass, &info) == errSecSuccess && info);
    SecKeychainAttributeList *made = NULL;
    expect(SecKeychainItemCopyAttributesAndData(item, info, &class, &made, &length, &secret) == errSecSuccess && made);
    expect(info && made && made->count == info->count && made->count > 5 && info->tag && info->format);
    expect(SecKeychainItemFreeAttributesAndData(made, secret) == errSecSuccess);
    expect(SecKeychainFreeAttributeInfo(info) == errSecSuccess);

    /* A reference that can be stored, and a search. */
    CFDataRef persistent = NULL;
    expect(SecKeychainItemCreatePersistentReference(item, &persistent) == errSecSuccess && persistent);
    expect(SecKeychainItemCopyFromPersistentReference(persistent, &again) == errSecSuccess && CFEqual(again, item));
    SecKeychainRef keychain = NULL;
    expect(SecKeychainItemCopyKeychain(item, &keychain) == errSecSuccess && keychain);
    SecKeychainAttribute account[] = {{kSecAccountItemAttr, 3, "ada"}};
    SecKeychainAttributeList accounts = {1, account};
    SecKeychainSearchRef search = NULL;
    expect(SecKeychainSearchCreateFromAttributes(NULL, kSecGenericPasswordItemClass, &accounts, &search) == 0 && search);
    CFRelease(found);
    found = NULL;
    expect(SecKeychainSearchCopyNext(search, &found) == errSecSuccess && CFEqual(found, item));
    expect(SecKeychainSearchCopyNext(search, &behind) == errSecItemNotFound && !behind);
    expect(SecKeychainItemDelete(item) == errSecSuccess && SecKeychainItemDelete(item) != errSecSuccess);
    expect(SecKeychainFindGenericPassword(NULL, 7, "service", 3, "ada", NULL, NULL, NULL) == errSecItemNotFound);

    SecKeychainItemRef server = NULL, created = NULL;
    expect(SecKeychainAddInternetPassword(
               NULL, 11, "example.org", 0, NULL, 3, "ada", 1, "/", 443, kSecProtocolTypeHTTPS,
               kSecAuthenticationTypeDefault, 6, "sesame", &server) == errSecSuccess);
    expect(SecKeychainFindInternetPassword(
               NULL, 11, "example.org", 0, NULL, 0, NULL, 0, NULL, 0, kSecProtocolTypeAny, kSecAuthenticationTypeAny,
               &length, &secret, NULL) == errSecSuccess && length == 6);
    expect(SecKeychainItemFreeContent(NULL, secret) == errSecSuccess);
    char service[] = "made";
    SecKeychainAttribute attributes[] = {{kSecServiceItemAttr, 4, service}, {kSecAccountItemAttr, 3, "ada"}};
    SecKeychainAttributeList contents = {2, attributes};
    expect(SecKeychainItemCreateFromContent(
               kSecGenericPasswordItemClass, &contents, 3, "abc", NULL, NULL, &created) == errSecSuccess && created);
    expect(SecKeychainItemDelete(server) == errSecSuccess && SecKeychainItemDelete(created) == errSecSuccess);

    Boolean is_allowed = false;
    expect(SecKeychainSetUserInteractionAllowed(false) == errSecSuccess);
    expect(SecKeychainGetUserInteractionAllowed(&is_allowed) == errSecSuccess && !is_allowed);
    expect(SecKeychainSetUserInteractionAllowed(true) == errSecSuccess);
    UInt32 version = 0;
    expect(SecKeychainGetVersion(&version) == errSecSuccess && version && SecKeychainGetVersion(NULL) == errSecParam);
    SecPreferencesDomain domain = kSecPreferencesDomainSystem;
    expect(SecKeychainGetPreferenceDomain(&domain) == errSecSuccess && domain == kSecPreferencesDomainUser);
    expect(SecKeychainSetPreferenceDomain(kSecPreferencesDomainSystem) == errSecUnimplemented);

    /* What is wrong. */
    expect(SecKeychainAddGenericPassword(NULL, 7, NULL, 3, "ada", 6, "sesame", NULL) == errSecParam);
    expect(SecKeychainAddGenericPassword((SecKeychainRef)persistent, 1, "s", 1, "a", 1, "p", NULL) == errSecParam);
    expect(SecKeychainFindGenericPassword(persistent, 1, "s", 1, "a", NULL, NULL, NULL) == errSecParam);
    expect(SecKeychainItemDelete(NULL) == errSecParam && SecKeychainItemDelete((SecKeychainItemRef)search) == errSecParam);
    expect(SecKeychainItemCopyContent(NULL, NULL, NULL, NULL, NULL) == errSecParam);
    SecKeychainAttributeList hollow = {3, NULL};
    expect(SecKeychainItemCreateFromContent(kSecGenericPasswordItemClass, &hollow, 0, NULL, NULL, NULL, NULL) ==
           errSecParam);
    expect(SecKeychainSearchCreateFromAttributes(NULL, 1, NULL, &search) == errSecParam);
    expect(SecKeychainFreeAttributeInfo(NULL) == errSecParam);
    SecAccessRef access = NULL;
    expect(SecKeychainCopyAccess(NULL, &access) == errSecNoAccessForItem && !access);
    CFTypeRef all[] = {item, found, again, persistent, keychain, search, server, created};
    release_all(all, LENGTH(all));
}

static OSStatus told(SecKeychainEvent event, SecKeychainCallbackInfo *info, void *context) {
    if (event == kSecKeychainListChangedEvent && info && info->version == 0 && !info->item) sem_post(context);
    return errSecSuccess;
}

static void events(void) {
    sem_t happened;
    sem_init(&happened, 0, 0);
    CFArrayRef searched = NULL;
    expect(SecKeychainAddCallback(told, kSecKeychainListChangedMask, &happened) == errSecSuccess);
    expect(SecKeychainAddCallback(told, kSecKeychainListChangedMask, &happened) == errSecDuplicateCallback);
    expect(SecKeychainCopySearchList(&searched) == errSecSuccess && searched);
    expect(SecKeychainSetSearchList(searched) == errSecSuccess);
    expect(sem_wait(&happened) == 0);
    expect(SecKeychainRemoveCallback(told) == errSecSuccess);
    expect(SecKeychainRemoveCallback(told) == errSecInvalidCallback);
    expect(SecKeychainAddCallback(NULL, kSecEveryEventMask, NULL) == errSecParam);
    expect(SecKeychainRemoveCallback(NULL) == errSecParam);
    if (searched) CFRelease(searched);
}

static void access_lists(void) {
    SecAccessRef access = NULL;
    CFArrayRef lists = NULL, applications = NULL;
    SecTrustedApplicationRef program = NULL;
    CFDataRef path = NULL;
    expect(SecAccessCreate(CFSTR("of the client"), NULL, &access) == errSecSuccess && access);
    expect(SecAccessCopyACLList(access, &lists) == errSecSuccess && lists && CFArrayGetCount(lists) > 0);
    SecACLRef list = lists ? (SecACLRef)CFArrayGetValueAtIndex(lists, 0) : NULL;
    expect(list && CFGetTypeID(list) == SecACLGetTypeID());
    CFStringRef words = NULL;
    SecKeychainPromptSelector selector = 9;
    expect(SecACLCopyContents(list, &applications, &words, &selector) == errSecSuccess && words);
    CFArrayRef allowed = SecACLCopyAuthorizations(list);
    expect(allowed && CFGetTypeID(allowed) == CFArrayGetTypeID());
    expect(SecTrustedApplicationCreateFromPath(NULL, &program) == errSecSuccess && program);
    expect(SecTrustedApplicationCopyData(program, &path) == errSecSuccess && path);
    expect(SecAccessCreate(NULL, NULL, &access) == errSecParam && SecACLRemove(NULL) == errSecParam);
    CFTypeRef all[] = {access, lists, applications, program, path, words, allowed};
    release_all(all, LENGTH(all));
}

static void symmetric_keys(void) {
    CFMutableDictionaryRef parameters = dictionary(), none = dictionary();
    int bits = 256;
    CFNumberRef size = CFNumberCreate(NULL, kCFNumberIntType, &bits);
    CFDictionarySetValue(parameters, kSecAttrKeySizeInBits, size);
    CFErrorRef error = NULL;
    SecKeyRef key = SecKeyGenerateSymmetric(parameters, &error), other = SecKeyGenerateSymmetric(parameters, &error);
    expect(key && other && !error && !CFEqual(key, other));
    CFDataRef wrapped = SecKeyWrapSymmetric(other, key, none, &error), kept = wrapped;
    expect(wrapped && !error);
    SecKeyRef back = SecKeyUnwrapSymmetric(&wrapped, key, none, &error);
    expect(back && !error && CFEqual(back, other) && wrapped == kept);
    expect(!SecKeyUnwrapSymmetric(&wrapped, other, none, &error) && error);
    CFRelease(error);
    error = NULL;
    expect(!SecKeyUnwrapSymmetric(NULL, key, none, &error) && error && CFErrorGetCode(error) == errSecParam);
    CFRelease(error);
    error = NULL;
    CFDataRef bytes = SecKeyCopyExternalRepresentation(other, &error);
    SecKeyRef made = SecKeyCreateFromData(none, bytes, &error);
    expect(made && !error && CFEqual(made, other));
    expect(!SecKeyGenerateSymmetric(NULL, NULL) && !SecKeyWrapSymmetric(key, NULL, none, NULL));
    CFTypeRef all[] = {parameters, none, size, key, other, wrapped, back, bytes, made};
    release_all(all, LENGTH(all));
}

int main(void) {
    task();
    SecIdentityRef identity = identity_in_file();
    SecCertificateRef certificate = NULL;
    expect(identity && SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess);
    if (certificate) {
        trust(certificate);
        certificates(identity, certificate);
        messages(identity, certificate);
        CFRelease(certificate);
    }
    if (identity) CFRelease(identity);
    passwords();
    events();
    access_lists();
    symmetric_keys();
    return finish();
}
