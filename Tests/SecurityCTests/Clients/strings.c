/* SPDX-License-Identifier: Apache-2.0 */
/* Constant strings outside functions, as sources for a Mac have them; for clang, with the options that llavero-cc gives it. */
#include <Security/Security.h>

#include "expect.h"

static CFStringRef const service = CFSTR("file scope");
static const void *names[] = {CFSTR("ada"), CFSTR("a\u00f1o"), CFSTR("")};

static CFStringRef kept(void) {
    static CFStringRef inner = CFSTR("inside a function");
    return inner;
}

int main(void) {
    const CFIndex lengths[] = {3, 3, 0};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        expect(CFStringGetLength((CFStringRef)names[index]) == lengths[index]);
    CFStringRef made = CFStringCreateWithCString(NULL, "a\u00f1o", kCFStringEncodingUTF8);
    expect(made && CFEqual(made, names[1]) && CFHash(made) == CFHash(names[1]));
    CFRelease(made);
    expect(CFEqual(kept(), CFSTR("inside a function")) && CFEqual(service, CFSTR("file scope")));
    CFRetain(service);
    CFRelease(service);

    const void *keys[] = {kSecClass, kSecAttrService, kSecAttrAccount, kSecValueData};
    CFDataRef secret = CFDataCreate(NULL, (const UInt8 *)"sesame", 6);
    const void *values[] = {kSecClassGenericPassword, service, names[1], secret};
    CFDictionaryRef item = CFDictionaryCreate(
        NULL, keys, values, 4, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    expect(SecItemAdd(item, NULL) == errSecSuccess && SecItemAdd(item, NULL) == errSecDuplicateItem);
    CFDictionaryRef query = CFDictionaryCreate(
        NULL, keys, values, 3, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    expect(SecItemDelete(query) == errSecSuccess);
    CFRelease(query);
    CFRelease(item);
    CFRelease(secret);
    return finish();
}
