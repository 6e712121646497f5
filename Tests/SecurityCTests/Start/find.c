/* SPDX-License-Identifier: Apache-2.0 */
/* One find, and for `find add` what it finds. Scripts/c-start.sh counts how long it takes from its start to its end. */
#include <Security/Security.h>

int main(int count, char **arguments) {
    (void)arguments;
    CFMutableDictionaryRef query =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(query, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(query, kSecAttrService, CFSTR("example.org"));
    CFDictionarySetValue(query, kSecAttrAccount, CFSTR("ada"));
    if (count > 1) {
        CFDataRef secret = CFDataCreate(NULL, (const UInt8 *)"sesame", 6);
        CFDictionarySetValue(query, kSecValueData, secret);
        return SecItemAdd(query, NULL) != errSecSuccess;
    }
    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    CFTypeRef found = NULL;
    return SecItemCopyMatching(query, &found) != errSecSuccess || CFDataGetLength(found) != 6;
}
