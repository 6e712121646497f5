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

/* The identity of a certificate, whose key is in one of the keychains; NULL stands for the search list. */
OSStatus SecIdentityCreateWithCertificate(
    CFTypeRef keychainOrArray, SecCertificateRef certificateRef, SecIdentityRef *identityRef);
/* Which identity is used for a name, such as an address of a server or of mail; NULL takes the choice back. */
OSStatus SecIdentitySetPreferred(SecIdentityRef identity, CFStringRef name, CFArrayRef keyUsage);
SecIdentityRef SecIdentityCopyPreferred(CFStringRef name, CFArrayRef keyUsage, CFArrayRef validIssuers);
OSStatus SecIdentitySetPreference(SecIdentityRef identity, CFStringRef name, UInt32 keyUsage);
OSStatus SecIdentityCopyPreference(
    CFStringRef name, UInt32 keyUsage, CFArrayRef validIssuers, SecIdentityRef *identity);
/* Refused: there are no identities of the system's own services. */
OSStatus SecIdentityCopySystemIdentity(CFStringRef domain, SecIdentityRef *idRef, CFStringRef *actualDomain);
OSStatus SecIdentitySetSystemIdentity(CFStringRef domain, SecIdentityRef idRef);

SECURITY_END

#endif
