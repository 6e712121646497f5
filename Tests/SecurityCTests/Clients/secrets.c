/* SPDX-License-Identifier: Apache-2.0 */
/* What a password comes back as is data to every function of Core Foundation's. */
#include <Security/Security.h>

#include "expect.h"

int main(void) {
    CFMutableDictionaryRef query =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(query, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(query, kSecAttrService, CFSTR("data"));
    CFDictionarySetValue(query, kSecAttrAccount, CFSTR("ada"));
    CFDictionarySetValue(query, kSecValueData, CFSTR("text is its bytes"));
    expect(SecItemAdd(query, NULL) == errSecSuccess);
    CFDictionaryRemoveValue(query, kSecValueData);
    /* As programs do that know no truth values. */
    int one = 1;
    CFNumberRef number = CFNumberCreate(NULL, kCFNumberIntType, &one);
    CFDictionarySetValue(query, kSecReturnData, number);
    CFTypeRef result = NULL;
    expect(SecItemCopyMatching(query, &result) == errSecSuccess);
    if (!result) return finish();
    CFDataRef found = (CFDataRef)result;

    UInt8 room[32] = {0};
    CFDataGetBytes(found, CFRangeMake(5, 2), room);
    expect(memcmp(room, "is", 3) == 0);
    CFDataRef made = CFDataCreate(NULL, (const UInt8 *)"text is its bytes", 17);
    expect(CFEqual(found, made) && CFEqual(made, found) && CFHash(found) == CFHash(made));
    CFDataRef copy = CFDataCreateCopy(NULL, found);
    expect(CFEqual(copy, made));
    CFMutableDataRef mutable = CFDataCreateMutableCopy(NULL, 0, found);
    CFDataAppendBytes(mutable, (const UInt8 *)"!", 1);
    expect(CFDataGetLength(mutable) == 18 && CFDataGetBytePtr(mutable)[17] == '!');
    CFStringRef text = CFStringCreateFromExternalRepresentation(NULL, found, kCFStringEncodingUTF8);
    expect(text && CFEqual(text, CFSTR("text is its bytes")));
    CFStringRef words = CFCopyDescription(found);
    expect(words && CFStringFind(words, CFSTR("bytes are"), 0).location == kCFNotFound);
    CFArrayRef array = CFArrayCreate(NULL, (const void **)&found, 1, &kCFTypeArrayCallBacks);
    expect(CFArrayContainsValue(array, CFRangeMake(0, 1), made));
    CFSetRef set = CFSetCreate(NULL, (const void **)&found, 1, &kCFTypeSetCallBacks);
    expect(CFSetContainsValue(set, made));
    CFDataRef written = CFPropertyListCreateData(NULL, found, kCFPropertyListXMLFormat_v1_0, 0, NULL);
    expect(written && CFDataGetLength(written) > 17);
    CFRetain(found);
    CFRelease(found);

    const void *all[] = {text, words, array, set, written, mutable, copy, made, number, found, query};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) if (all[index]) CFRelease(all[index]);
    return finish();
}
