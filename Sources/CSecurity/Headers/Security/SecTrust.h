/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a certificate is to be trusted. */
#ifndef SECURITY_SECTRUST_H
#define SECURITY_SECTRUST_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef uint32_t SecTrustResultType;
typedef uint32_t SecTrustOptionFlags;

CFTypeID SecTrustGetTypeID(void);

/* `certificates` is one or an array, the one in question first; `policies` is one, an array, or NULL. */
OSStatus SecTrustCreateWithCertificates(CFTypeRef certificates, CFTypeRef policies, SecTrustRef *trust);
/* Whether it is trusted; where not, the error says why. */
bool SecTrustEvaluateWithError(SecTrustRef trust, CFErrorRef *error);
OSStatus SecTrustEvaluate(SecTrustRef trust, SecTrustResultType *result);
OSStatus SecTrustGetTrustResult(SecTrustRef trust, SecTrustResultType *result);
CFDictionaryRef SecTrustCopyResult(SecTrustRef trust);
SecKeyRef SecTrustCopyKey(SecTrustRef trust);
SecKeyRef SecTrustCopyPublicKey(SecTrustRef trust);
CFArrayRef SecTrustCopyCertificateChain(SecTrustRef trust);
CFIndex SecTrustGetCertificateCount(SecTrustRef trust);
/* Not the caller's to release: it is there for as long as the trust is. */
SecCertificateRef SecTrustGetCertificateAtIndex(SecTrustRef trust, CFIndex ix);

OSStatus SecTrustSetPolicies(SecTrustRef trust, CFTypeRef policies);
OSStatus SecTrustCopyPolicies(SecTrustRef trust, CFArrayRef *policies);
OSStatus SecTrustSetAnchorCertificates(SecTrustRef trust, CFArrayRef anchorCertificates);
OSStatus SecTrustSetAnchorCertificatesOnly(SecTrustRef trust, Boolean anchorCertificatesOnly);
OSStatus SecTrustCopyCustomAnchorCertificates(SecTrustRef trust, CFArrayRef *anchors);
OSStatus SecTrustSetVerifyDate(SecTrustRef trust, CFDateRef verifyDate);
CFAbsoluteTime SecTrustGetVerifyTime(SecTrustRef trust);
OSStatus SecTrustSetOCSPResponse(SecTrustRef trust, CFTypeRef responseData);
OSStatus SecTrustSetNetworkFetchAllowed(SecTrustRef trust, Boolean allowFetch);

/* What an evaluation overlooks or asks for in addition: kSecTrustOption flags. */
OSStatus SecTrustSetOptions(SecTrustRef trustRef, SecTrustOptionFlags options);
/* What the last evaluation found against the chain, for SecTrustSetExceptions, which then overlooks it. */
CFDataRef SecTrustCopyExceptions(SecTrustRef trust);
/* Whether the exceptions are about this chain's certificate; NULL takes them back. */
bool SecTrustSetExceptions(SecTrustRef trust, CFDataRef exceptions);
/* The authorities that the system believes. */
OSStatus SecTrustCopyAnchorCertificates(CFArrayRef *anchors);
/* Dictionaries for people: a title for each certificate, and what is to be said against it. */
CFArrayRef SecTrustCopyProperties(SecTrustRef trust);
/* Refused: chains are built of what is given. */
OSStatus SecTrustSetKeychains(SecTrustRef trust, CFTypeRef keychainOrArray);
OSStatus SecTrustSetSignedCertificateTimestamps(SecTrustRef trust, CFArrayRef sctArray);
OSStatus SecTrustGetNetworkFetchAllowed(SecTrustRef trust, Boolean *allowFetch);

#if defined(__BLOCKS__)
#if defined(__has_include)
#if __has_include(<dispatch/dispatch.h>)
#include <dispatch/dispatch.h>
typedef void (^SecTrustWithErrorCallback)(SecTrustRef trust, bool result, CFErrorRef error);
/* Evaluates on the queue, and calls the block there with the answer. */
OSStatus SecTrustEvaluateAsyncWithError(SecTrustRef trust, dispatch_queue_t queue, SecTrustWithErrorCallback result);
typedef void (^SecTrustCallback)(SecTrustRef trust, SecTrustResultType trustResult);
/* The older call; NULL stands for the main queue. */
OSStatus SecTrustEvaluateAsync(SecTrustRef trust, dispatch_queue_t queue, SecTrustCallback result);
#endif
#endif
#endif

SECURITY_END

#endif
