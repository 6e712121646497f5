/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates. */
#ifndef SECURITY_SECCERTIFICATE_H
#define SECURITY_SECCERTIFICATE_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecCertificateGetTypeID(void);

/* Reads a certificate in DER; NULL where it is none. */
SecCertificateRef SecCertificateCreateWithData(CFAllocatorRef allocator, CFDataRef data);
CFDataRef SecCertificateCopyData(SecCertificateRef certificate);
CFStringRef SecCertificateCopySubjectSummary(SecCertificateRef certificate);
OSStatus SecCertificateCopyCommonName(SecCertificateRef certificate, CFStringRef *commonName);
OSStatus SecCertificateCopyEmailAddresses(SecCertificateRef certificate, CFArrayRef *emailAddresses);
CFDataRef SecCertificateCopyNormalizedIssuerSequence(SecCertificateRef certificate);
CFDataRef SecCertificateCopyNormalizedSubjectSequence(SecCertificateRef certificate);
CFDataRef SecCertificateCopySerialNumberData(SecCertificateRef certificate, CFErrorRef *error);
CFDateRef SecCertificateCopyNotValidBeforeDate(SecCertificateRef certificate);
CFDateRef SecCertificateCopyNotValidAfterDate(SecCertificateRef certificate);
CFDataRef SecCertificateCopySHA256Digest(SecCertificateRef certificate);
/* The public key in it. */
SecKeyRef SecCertificateCopyKey(SecCertificateRef certificate);
SecKeyRef SecCertificateCopyPublicKey(SecCertificateRef certificate);

/* What stands in the certificate, by object identifiers; those in `keys`, or all for NULL. */
CFDictionaryRef SecCertificateCopyValues(SecCertificateRef certificate, CFArrayRef keys, CFErrorRef *error);
CFStringRef SecCertificateCopyShortDescription(
    CFAllocatorRef alloc, SecCertificateRef certificate, CFErrorRef *error);
CFStringRef SecCertificateCopyLongDescription(CFAllocatorRef alloc, SecCertificateRef certificate, CFErrorRef *error);
/* The older names of calls above. */
CFDataRef SecCertificateCopySerialNumber(SecCertificateRef certificate, CFErrorRef *error);
CFDataRef SecCertificateCopyNormalizedIssuerContent(SecCertificateRef certificate, CFErrorRef *error);
CFDataRef SecCertificateCopyNormalizedSubjectContent(SecCertificateRef certificate, CFErrorRef *error);
/* Stores it; NULL stands for the default keychain. */
OSStatus SecCertificateAddToKeychain(SecCertificateRef certificate, SecKeychainRef keychain);

/* Which certificate mail to a name is encrypted for; NULL takes the choice back. */
OSStatus SecCertificateSetPreferred(SecCertificateRef certificate, CFStringRef name, CFArrayRef keyUsage);
SecCertificateRef SecCertificateCopyPreferred(CFStringRef name, CFArrayRef keyUsage);
OSStatus SecCertificateSetPreference(
    SecCertificateRef certificate, CFStringRef name, UInt32 keyUsage, CFDateRef date);
OSStatus SecCertificateCopyPreference(CFStringRef name, UInt32 keyUsage, SecCertificateRef *certificate);

SECURITY_END

#endif
