/* SPDX-License-Identifier: Apache-2.0 */
/* Makes messages that are signed, encrypted, or both. */
#ifndef SECURITY_CMSENCODER_H
#define SECURITY_CMSENCODER_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef uint32_t CMSSignedAttributes;
typedef uint32_t CMSCertificateChainMode;

enum {
    /* Nothing beside the content. */
    kCMSAttrNone = 0,
};

/* Bytes of the caller's; here the content of an object identifier. */
typedef struct {
    size_t Length;
    uint8_t *Data;
} SecAsn1Item, SecAsn1Oid;

CFTypeID CMSEncoderGetTypeID(void);
OSStatus CMSEncoderCreate(CMSEncoderRef *cmsEncoderOut);
/* Who signs: a SecIdentityRef or an array of them. */
OSStatus CMSEncoderAddSigners(CMSEncoderRef cmsEncoder, CFTypeRef signerOrArray);
/* NULL when nobody does. */
OSStatus CMSEncoderCopySigners(CMSEncoderRef cmsEncoder, CFArrayRef *signersOut);
/* For whom it is encrypted: a SecCertificateRef or an array of them. */
OSStatus CMSEncoderAddRecipients(CMSEncoderRef cmsEncoder, CFTypeRef recipientOrArray);
OSStatus CMSEncoderCopyRecipients(CMSEncoderRef cmsEncoder, CFArrayRef *recipientsOut);
/* Whether the content stays out of the signed message. */
OSStatus CMSEncoderSetHasDetachedContent(CMSEncoderRef cmsEncoder, Boolean detachedContent);
OSStatus CMSEncoderGetHasDetachedContent(CMSEncoderRef cmsEncoder, Boolean *detachedContentOut);
/* What kind of content it is: the content of an object identifier, or in the newer call also its text in dots. */
OSStatus CMSEncoderSetEncapsulatedContentType(CMSEncoderRef cmsEncoder, const SecAsn1Oid *eContentType);
OSStatus CMSEncoderSetEncapsulatedContentTypeOID(CMSEncoderRef cmsEncoder, CFTypeRef eContentTypeOID);
OSStatus CMSEncoderCopyEncapsulatedContentType(CMSEncoderRef cmsEncoder, CFDataRef *eContentTypeOut);
/* Certificates that go along: one or an array. */
OSStatus CMSEncoderAddSupportingCerts(CMSEncoderRef cmsEncoder, CFTypeRef certOrArray);
OSStatus CMSEncoderCopySupportingCerts(CMSEncoderRef cmsEncoder, CFArrayRef *certsOut);
/* What signers say beside the content: kCMSAttr flags. */
OSStatus CMSEncoderAddSignedAttributes(CMSEncoderRef cmsEncoder, CMSSignedAttributes signedAttributes);
/* One of the kCMSEncoderDigestAlgorithm constants. */
OSStatus CMSEncoderSetSignerAlgorithm(CMSEncoderRef cmsEncoder, CFStringRef digestAlgorithm);
OSStatus CMSEncoderSetCertificateChainMode(CMSEncoderRef cmsEncoder, CMSCertificateChainMode chainMode);
OSStatus CMSEncoderGetCertificateChainMode(CMSEncoderRef cmsEncoder, CMSCertificateChainMode *chainModeOut);
/* Adds content, in as many parts as there are. */
OSStatus CMSEncoderUpdateContent(CMSEncoderRef cmsEncoder, const void *content, size_t contentLen);
/* Ends the content, and gives the message. */
OSStatus CMSEncoderCopyEncodedContent(CMSEncoderRef cmsEncoder, CFDataRef *encodedContentOut);
OSStatus CMSEncoderCopySignerTimestamp(CMSEncoderRef cmsEncoder, size_t signerIndex, CFAbsoluteTime *timestamp);
OSStatus CMSEncoderCopySignerTimestampWithPolicy(
    CMSEncoderRef cmsEncoder, CFTypeRef timeStampPolicy, size_t signerIndex, CFAbsoluteTime *timestamp);
/* All of it in one call. NULL for no signers or no recipients, and for plain data. */
OSStatus CMSEncodeContent(
    CFTypeRef signers, CFTypeRef recipients, CFTypeRef eContentTypeOID, Boolean detachedContent,
    CMSSignedAttributes signedAttributes, const void *content, size_t contentLen, CFDataRef *encodedContentOut);
OSStatus CMSEncode(
    CFTypeRef signers, CFTypeRef recipients, const SecAsn1Oid *eContentType, Boolean detachedContent,
    CMSSignedAttributes signedAttributes, const void *content, size_t contentLen, CFDataRef *encodedContentOut);

SECURITY_END

#endif
