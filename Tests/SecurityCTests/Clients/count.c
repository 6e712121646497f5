/* SPDX-License-Identifier: Apache-2.0 */
/* CLIENT_ITEMS items are added where there are none, and CLIENT_FINDS of them are found: what a find costs is the difference
   of two runs under callgrind (Scripts/c-instructions.sh). */
#include <Security/Security.h>

#include "expect.h"

static int setting(const char *name, int usual) {
    const char *text = getenv(name);
    return text ? atoi(text) : usual;
}

static CFMutableDictionaryRef item(int index) {
    char account[40];
    snprintf(account, sizeof account, "account-%06d@example.com", index);
    CFStringRef text = CFStringCreateWithCString(NULL, account, kCFStringEncodingUTF8);
    CFMutableDictionaryRef item =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(item, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(item, kSecAttrService, CFSTR("com.example.count"));
    CFDictionarySetValue(item, kSecAttrAccount, text);
    CFRelease(text);
    return item;
}

int main(void) {
    int items = setting("CLIENT_ITEMS", 20), finds = setting("CLIENT_FINDS", 20), wrong = 0;
    enum { most = 1000 };
    static CFMutableDictionaryRef queries[most];
    UInt8 bytes[32] = {7};
    CFDataRef secret = CFDataCreate(NULL, bytes, sizeof bytes);
    for (int index = 0; index < items; index++) {
        CFMutableDictionaryRef added = item(index);
        CFDictionarySetValue(added, kSecValueData, secret);
        OSStatus status = SecItemAdd(added, NULL);
        CFRelease(added);
        if (status == errSecDuplicateItem) break;
        wrong += status != errSecSuccess;
    }
    /* All that may be looked for is made before, so that it costs the same at every length. */
    for (int index = 0; index < most; index++) {
        queries[index] = item((int)((unsigned)index * 7919u % (unsigned)items));
        CFDictionarySetValue(queries[index], kSecMatchLimit, kSecMatchLimitOne);
        CFDictionarySetValue(queries[index], kSecReturnData, kCFBooleanTrue);
    }
    for (int index = 0; index < finds && index < most; index++) {
        CFTypeRef found = NULL;
        wrong += SecItemCopyMatching(queries[index], &found) != errSecSuccess || CFDataGetLength(found) != 32;
        if (found) CFRelease(found);
    }
    expect(wrong == 0);
    for (int index = 0; index < most; index++) CFRelease(queries[index]);
    CFRelease(secret);
    return finish();
}
