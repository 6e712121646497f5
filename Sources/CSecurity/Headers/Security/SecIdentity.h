/* SPDX-License-Identifier: Apache-2.0 */
/* A certificate with its private key. */
#ifndef SECURITY_SECIDENTITY_H
#define SECURITY_SECIDENTITY_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecIdentityGetTypeID(void);

/* NULL where the key is not the certificate's. */
SecIdentityRef SecIdentityCreate(CFAllocatorRef allocator, SecCertificateRef certificate, SecKeyRef privateKey);
OSStatus SecIdentityCopyCertificate(SecIdentityRef identityRef, SecCertificateRef *certificateRef);
OSStatus SecIdentityCopyPrivateKey(SecIdentityRef identityRef, SecKeyRef *privateKeyRef);

SECURITY_END

#endif
