/* SPDX-License-Identifier: Apache-2.0 */
/* Reads messages that are signed, encrypted, or both. */
#ifndef SECURITY_CMSDECODER_H
#define SECURITY_CMSDECODER_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef uint32_t CMSSignerStatus;

CFTypeID CMSDecoderGetTypeID(void);
OSStatus CMSDecoderCreate(CMSDecoderRef *cmsDecoderOut);
/* Adds a part of the message. */
OSStatus CMSDecoderUpdateMessage(CMSDecoderRef cmsDecoder, const void *msgBytes, size_t msgBytesLen);
/* Reads what was added; an encrypted message is decrypted with the keychain's keys. */
OSStatus CMSDecoderFinalizeMessage(CMSDecoderRef cmsDecoder);
/* The content that the message does not have inside. */
OSStatus CMSDecoderSetDetachedContent(CMSDecoderRef cmsDecoder, CFDataRef detachedContent);
OSStatus CMSDecoderCopyDetachedContent(CMSDecoderRef cmsDecoder, CFDataRef *detachedContentOut);
/* Where keys and certificates are searched, in the place of the usual keychains. */
OSStatus CMSDecoderSetSearchKeychain(CMSDecoderRef cmsDecoder, CFTypeRef keychainOrArray);
OSStatus CMSDecoderIsContentEncrypted(CMSDecoderRef cmsDecoder, Boolean *isEncryptedOut);
OSStatus CMSDecoderCopyEncapsulatedContentType(CMSDecoderRef cmsDecoder, CFDataRef *eContentTypeOut);
OSStatus CMSDecoderCopyAllCerts(CMSDecoderRef cmsDecoder, CFArrayRef *certsOut);
OSStatus CMSDecoderCopyContent(CMSDecoderRef cmsDecoder, CFDataRef *contentOut);
OSStatus CMSDecoderGetNumSigners(CMSDecoderRef cmsDecoder, size_t *numSignersOut);
/* Whether a signer signed the content, and with `evaluateSecTrust` whether the certificate is trusted; each result
   may be NULL. */
OSStatus CMSDecoderCopySignerStatus(
    CMSDecoderRef cmsDecoder, size_t signerIndex, CFTypeRef policyOrArray, Boolean evaluateSecTrust,
    CMSSignerStatus *signerStatusOut, SecTrustRef *secTrustOut, OSStatus *certVerifyResultCodeOut);
OSStatus CMSDecoderCopySignerEmailAddress(
    CMSDecoderRef cmsDecoder, size_t signerIndex, CFStringRef *signerEmailAddressOut);
OSStatus CMSDecoderCopySignerCert(CMSDecoderRef cmsDecoder, size_t signerIndex, SecCertificateRef *signerCertOut);
/* When it was signed, by the signer's own clock. */
OSStatus CMSDecoderCopySignerSigningTime(CMSDecoderRef cmsDecoder, size_t signerIndex, CFAbsoluteTime *signingTime);
/* When it was signed, by a time stamp of an authority that is trusted. */
OSStatus CMSDecoderCopySignerTimestamp(CMSDecoderRef cmsDecoder, size_t signerIndex, CFAbsoluteTime *timestamp);
OSStatus CMSDecoderCopySignerTimestampWithPolicy(
    CMSDecoderRef cmsDecoder, CFTypeRef timeStampPolicy, size_t signerIndex, CFAbsoluteTime *timestamp);
OSStatus CMSDecoderCopySignerTimestampCertificates(
    CMSDecoderRef cmsDecoder, size_t signerIndex, CFArrayRef *certificateRefs);

SECURITY_END

#endif
