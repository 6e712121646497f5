/* SPDX-License-Identifier: Apache-2.0 */
/* What the user and the administrator say of certificates. */
#ifndef SECURITY_SECTRUSTSETTINGS_H
#define SECURITY_SECTRUSTSETTINGS_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef uint32_t SecTrustSettingsDomain;
typedef uint32_t SecTrustSettingsResult;
typedef uint32_t SecTrustSettingsKeyUsage;

/* What a domain says of a certificate: dictionaries with kSecTrustSettings keys; an empty array for a root to be
   believed. */
OSStatus SecTrustSettingsCopyTrustSettings(
    SecCertificateRef certRef, SecTrustSettingsDomain domain, CFArrayRef *trustSettings);
/* A dictionary or an array of them, in the place of what was said before; NULL to believe the certificate as a root.
   */
OSStatus SecTrustSettingsSetTrustSettings(
    SecCertificateRef certRef, SecTrustSettingsDomain domain, CFTypeRef trustSettingsDictOrArray);
OSStatus SecTrustSettingsRemoveTrustSettings(SecCertificateRef certRef, SecTrustSettingsDomain domain);
/* The certificates of which a domain says something. */
OSStatus SecTrustSettingsCopyCertificates(SecTrustSettingsDomain domain, CFArrayRef *certArray);
OSStatus SecTrustSettingsCopyModificationDate(
    SecCertificateRef certRef, SecTrustSettingsDomain domain, CFDateRef *modificationDate);
/* All that a domain says, in a form of our own, and back. */
OSStatus SecTrustSettingsCreateExternalRepresentation(SecTrustSettingsDomain domain, CFDataRef *trustSettings);
OSStatus SecTrustSettingsImportExternalRepresentation(SecTrustSettingsDomain domain, CFDataRef trustSettings);

SECURITY_END

#endif
