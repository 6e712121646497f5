/* SPDX-License-Identifier: Apache-2.0 */
/* With blocks, which clang has: an evaluation on a queue. gcc compiles it to nothing. */
#include <Security/Security.h>

#include "expect.h"

#if defined(__BLOCKS__)
#include <dispatch/dispatch.h>

int main(void) {
    FILE *file = fopen(getenv("CLIENT_CERTIFICATE"), "rb");
    UInt8 bytes[8192];
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CFDataRef data = CFDataCreate(NULL, bytes, (CFIndex)count);
    SecCertificateRef certificate = SecCertificateCreateWithData(NULL, data);
    SecTrustRef trust = NULL;
    expect(SecTrustCreateWithCertificates(certificate, NULL, &trust) == errSecSuccess);
    dispatch_queue_t queue = dispatch_queue_create("client", NULL);
    dispatch_semaphore_t done = dispatch_semaphore_create(0);
    __block bool holds = true;
    __block CFIndex code = 0;
    OSStatus status = SecTrustEvaluateAsyncWithError(trust, queue, ^(SecTrustRef asked, bool result, CFErrorRef error) {
        holds = result || asked != trust;
        code = error ? CFErrorGetCode(error) : 0;
        dispatch_semaphore_signal(done);
    });
    expect(status == errSecSuccess);
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    expect(!holds && code != 0);
    expect(SecTrustEvaluateAsyncWithError(NULL, queue, NULL) == errSecParam);
    __block SecTrustResultType found = kSecTrustResultInvalid;
    status = SecTrustEvaluateAsync(trust, queue, ^(SecTrustRef asked, SecTrustResultType result) {
        found = asked == trust ? result : kSecTrustResultInvalid;
        dispatch_semaphore_signal(done);
    });
    expect(status == errSecSuccess);
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    expect(found == kSecTrustResultRecoverableTrustFailure);
    expect(SecTrustEvaluateAsync(NULL, queue, NULL) == errSecParam);
    int bits = 256;
    CFNumberRef size = CFNumberCreate(NULL, kCFNumberIntType, &bits);
    const void *names[] = {kSecAttrKeyType, kSecAttrKeySizeInBits};
    const void *values[] = {kSecAttrKeyTypeECSECPrimeRandom, size};
    CFDictionaryRef parameters = CFDictionaryCreate(
        NULL, names, values, 2, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    __block bool isPair = false;
    SecKeyGeneratePairAsync(parameters, queue, ^(SecKeyRef publicKey, SecKeyRef privateKey, CFErrorRef error) {
        isPair = publicKey && privateKey && !error && CFGetTypeID(privateKey) == SecKeyGetTypeID();
        dispatch_semaphore_signal(done);
    });
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    expect(isPair);
    SecKeyGeneratePairAsync(NULL, queue, ^(SecKeyRef publicKey, SecKeyRef privateKey, CFErrorRef error) {
        isPair = publicKey || privateKey;
        code = error ? CFErrorGetCode(error) : 0;
        dispatch_semaphore_signal(done);
    });
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    expect(!isPair && code == errSecParam);
    SecAddSharedWebCredential(CFSTR("example.org"), CFSTR("ada"), NULL, ^(CFErrorRef error) {
        code = error ? CFErrorGetCode(error) : 0;
        dispatch_semaphore_signal(done);
    });
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    expect(code == errSecUnimplemented);
    SecRequestSharedWebCredential(NULL, NULL, ^(CFArrayRef credentials, CFErrorRef error) {
        code = error && !credentials ? CFErrorGetCode(error) : 0;
        dispatch_semaphore_signal(done);
    });
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    expect(code == errSecUnimplemented);
    CFRelease(parameters);
    CFRelease(size);
    dispatch_release(done);
    dispatch_release(queue);
    CFRelease(trust);
    CFRelease(certificate);
    CFRelease(data);
    return finish();
}
#else
int main(void) { return finish(); }
#endif
