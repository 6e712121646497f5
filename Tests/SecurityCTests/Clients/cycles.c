/* SPDX-License-Identifier: Apache-2.0 */
/* CLIENT_CYCLES times (20 000) an item is found with everything, and a key is boxed: memory stays as it is. */
#include <Security/Security.h>
#include <unistd.h>

#include "expect.h"

static long resident_pages(void) {
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident;
}

int main(void) {
    const char *wanted = getenv("CLIENT_CYCLES");
    int cycles = wanted ? atoi(wanted) : 20000;
    CFMutableDictionaryRef query =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDataRef secret = CFDataCreate(NULL, (const UInt8 *)"secret", 6);
    CFDictionarySetValue(query, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(query, kSecAttrService, CFSTR("cycles"));
    CFDictionarySetValue(query, kSecAttrAccount, CFSTR("ada"));
    CFDictionarySetValue(query, kSecValueData, secret);
    expect(SecItemAdd(query, NULL) == errSecSuccess);
    CFDictionaryRemoveValue(query, kSecValueData);
    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    CFDictionarySetValue(query, kSecReturnAttributes, kCFBooleanTrue);
    CFDictionarySetValue(query, kSecReturnRef, kCFBooleanTrue);
    CFDictionarySetValue(query, kSecMatchLimit, kSecMatchLimitAll);
    int wrong = 0;
    long before = 0;
    for (int cycle = 0; cycle < cycles; cycle++) {
        if (cycle == cycles / 10) before = resident_pages();
        CFTypeRef found = NULL;
        wrong += SecItemCopyMatching(query, &found) != errSecSuccess;
        if (!found) continue;
        CFDictionaryRef item = CFArrayGetValueAtIndex((CFArrayRef)found, 0);
        wrong += !CFEqual(CFDictionaryGetValue(item, kSecValueData), secret);
        CFRelease(found);
        CFErrorRef error = NULL;
        SecKeyCreateRandomKey(query, &error);
        wrong += error == NULL;
        if (error) CFRelease(error);
        SecPolicyRef policy = SecPolicyCreateSSL(1, CFSTR("example.org"));
        CFRelease(SecPolicyCopyProperties(policy));
        CFRelease(policy);
    }
    long grown = (resident_pages() - before) * (sysconf(_SC_PAGESIZE) / 1024);
    expect(wrong == 0);
    expect(grown < 512);
    CFRelease(query);
    CFRelease(secret);
    printf("grown by %ld KB in %d cycles\n", grown, cycles - cycles / 10);
    return finish();
}
