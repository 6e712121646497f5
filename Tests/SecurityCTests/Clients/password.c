/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a password, finds, changes and deletes it: the least that a C program does with a keychain. */
#include <Security/Security.h>

#include "expect.h"

static CFMutableDictionaryRef query(void) {
    CFMutableDictionaryRef query =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(query, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(query, kSecAttrService, CFSTR("example.org"));
    CFDictionarySetValue(query, kSecAttrAccount, CFSTR("ada"));
    return query;
}

int main(void) {
    CFDataRef secret = CFDataCreate(NULL, (const UInt8 *)"sesame", 6);
    CFMutableDictionaryRef attributes = query();
    CFDictionarySetValue(attributes, kSecValueData, secret);
    expect(SecItemAdd(attributes, NULL) == errSecSuccess);
    expect(SecItemAdd(attributes, NULL) == errSecDuplicateItem);
    CFRelease(attributes);

    CFMutableDictionaryRef wanted = query();
    CFDictionarySetValue(wanted, kSecReturnData, kCFBooleanTrue);
    CFTypeRef found = NULL;
    expect(SecItemCopyMatching(wanted, &found) == errSecSuccess);
    expect(found && CFGetTypeID(found) == CFDataGetTypeID());
    expect(CFEqual(found, secret) && CFHash(found) == CFHash(secret));
    expect(CFDataGetLength((CFDataRef)found) == 6 && memcmp(CFDataGetBytePtr((CFDataRef)found), "sesame", 6) == 0);
    CFRelease(found);

    CFDictionarySetValue(wanted, kSecReturnAttributes, kCFBooleanTrue);
    CFDictionarySetValue(wanted, kSecReturnRef, kCFBooleanTrue);
    found = NULL;
    expect(SecItemCopyMatching(wanted, &found) == errSecSuccess);
    expect(CFGetTypeID(found) == CFDictionaryGetTypeID());
    const void *account = NULL;
    expect(CFDictionaryGetValueIfPresent((CFDictionaryRef)found, kSecAttrAccount, &account));
    expect(CFEqual(account, CFSTR("ada")));
    expect(CFGetTypeID(CFDictionaryGetValue((CFDictionaryRef)found, kSecAttrCreationDate)) == CFDateGetTypeID());
    expect(CFGetTypeID(CFDictionaryGetValue((CFDictionaryRef)found, kSecValueRef)) == SecKeychainItemGetTypeID());
    CFStringRef words = CFCopyDescription(found);
    expect(words && CFStringGetLength(words) > 0);
    CFRelease(words);
    CFRelease(found);
    CFRelease(wanted);

    CFMutableDictionaryRef all = query(), change = query();
    CFDictionaryRemoveAllValues(change);
    CFDictionarySetValue(change, kSecAttrComment, CFSTR("changed"));
    expect(SecItemUpdate(all, change) == errSecSuccess);
    CFDictionarySetValue(all, kSecAttrComment, CFSTR("changed"));
    expect(SecItemDelete(all) == errSecSuccess);
    expect(SecItemDelete(all) == errSecItemNotFound);
    CFRelease(all);
    CFRelease(change);

    CFStringRef message = SecCopyErrorMessageString(errSecItemNotFound, NULL);
    expect(message && CFStringGetLength(message) > 10);
    CFRelease(message);
    CFStringRef name = CFStringCreateWithCString(NULL, "class", kCFStringEncodingUTF8);
    expect(CFEqual(kSecClass, name) && CFHash(kSecClass) == CFHash(name));
    CFRelease(name);
    UInt8 random[32] = {0}, zero[32] = {0};
    expect(SecRandomCopyBytes(kSecRandomDefault, sizeof random, random) == errSecSuccess);
    expect(memcmp(random, zero, sizeof zero) != 0);
    CFRelease(secret);
    return finish();
}
