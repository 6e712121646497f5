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

SECURITY_END

#endif
