/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads at once add, find and delete, and share references. */
#include <Security/Security.h>
#include <pthread.h>

#include "expect.h"

enum { threads = 8, rounds = 25 };

static SecKeyRef shared;

/* How many of the calls did not answer as they should. */
static void *work(void *argument) {
    intptr_t wrong = 0;
    CFStringRef account = CFStringCreateWithFormat(NULL, NULL, CFSTR("thread %d"), (int)(intptr_t)argument);
    CFDataRef secret = CFDataCreate(NULL, (const UInt8 *)"secret", 6);
    for (int round = 0; round < rounds; round++) {
        CFMutableDictionaryRef query =
            CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
        CFDictionarySetValue(query, kSecClass, kSecClassGenericPassword);
        CFDictionarySetValue(query, kSecAttrService, CFSTR("threads"));
        CFDictionarySetValue(query, kSecAttrAccount, account);
        CFDictionarySetValue(query, kSecValueData, secret);
        wrong += SecItemAdd(query, NULL) != errSecSuccess;
        CFDictionaryRemoveValue(query, kSecValueData);
        CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
        CFTypeRef found = NULL;
        wrong += SecItemCopyMatching(query, &found) != errSecSuccess || !CFEqual(found, secret);
        if (found) CFRelease(found);
        CFDictionaryRemoveValue(query, kSecReturnData);
        wrong += SecItemDelete(query) != errSecSuccess;
        SecKeyRef key = SecKeyCopyPublicKey(shared);
        CFDataRef bytes = SecKeyCopyExternalRepresentation(key, NULL);
        wrong += !bytes || CFHash(key) == 0;
        CFRelease(bytes);
        CFRelease(key);
        CFRelease(query);
    }
    CFRelease(account);
    CFRelease(secret);
    return (void *)wrong;
}

int main(void) {
    int bits = 256;
    CFNumberRef size = CFNumberCreate(NULL, kCFNumberIntType, &bits);
    const void *keys[] = {kSecAttrKeyType, kSecAttrKeySizeInBits};
    const void *values[] = {kSecAttrKeyTypeECSECPrimeRandom, size};
    CFDictionaryRef parameters = CFDictionaryCreate(
        NULL, keys, values, 2, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    shared = SecKeyCreateRandomKey(parameters, NULL);
    expect(shared != NULL);
    pthread_t ids[threads];
    for (intptr_t index = 0; index < threads; index++) pthread_create(&ids[index], NULL, work, (void *)index);
    for (int index = 0; index < threads; index++) {
        void *wrong = NULL;
        pthread_join(ids[index], &wrong);
        expect(wrong == NULL);
    }
    CFRelease(shared);
    CFRelease(parameters);
    CFRelease(size);
    return finish();
}
