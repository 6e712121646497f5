/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and certificates in files. */
#ifndef SECURITY_SECIMPORTEXPORT_H
#define SECURITY_SECIMPORTEXPORT_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef uint32_t SecExternalFormat;
typedef uint32_t SecExternalItemType;
typedef uint32_t SecItemImportExportFlags;
typedef uint32_t SecKeyImportExportFlags;

/* What concerns the keys; all is kept alive by the caller until the call returns. */
typedef struct {
    /* SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION. */
    uint32_t version;
    SecKeyImportExportFlags flags;
    /* A string or data that the keys are encrypted under. */
    CFTypeRef passphrase;
    CFStringRef alertTitle;
    CFStringRef alertPrompt;
    /* Refused: there are no access lists here. */
    SecAccessRef accessRef;
    /* What imported keys may do, as kSecAttrCan… names; NULL for all that they can. */
    CFArrayRef keyUsage;
    /* Those of kSecAttrIsPermanent, kSecAttrIsSensitive and kSecAttrIsExtractable that hold. */
    CFArrayRef keyAttributes;
} SecItemImportExportKeyParameters;

OSStatus SecItemExport(
    CFTypeRef secItemOrArray, SecExternalFormat outputFormat, SecItemImportExportFlags flags,
    const SecItemImportExportKeyParameters *keyParams, CFDataRef *exportedData);
OSStatus SecItemImport(
    CFDataRef importedData, CFStringRef fileNameOrExtension, SecExternalFormat *inputFormat,
    SecExternalItemType *itemType, SecItemImportExportFlags flags, const SecItemImportExportKeyParameters *keyParams,
    SecKeychainRef importKeychain, CFArrayRef *outItems);

/* What a key is for and what it is, as bits: CSSM_KEYUSE_SIGN, CSSM_KEYATTR_EXTRACTABLE and the like. */
typedef uint32_t CSSM_KEYUSE;
typedef uint32_t CSSM_KEYATTR_FLAGS;

/* The same as SecItemImportExportKeyParameters, but for the last two. */
typedef struct {
    uint32_t version;
    SecKeyImportExportFlags flags;
    CFTypeRef passphrase;
    CFStringRef alertTitle;
    CFStringRef alertPrompt;
    SecAccessRef accessRef;
    /* 0 for all that the keys can. */
    CSSM_KEYUSE keyUsage;
    /* Those of CSSM_KEYATTR_PERMANENT, CSSM_KEYATTR_SENSITIVE and CSSM_KEYATTR_EXTRACTABLE that hold. */
    CSSM_KEYATTR_FLAGS keyAttributes;
} SecKeyImportExportParameters;

OSStatus SecKeychainItemExport(
    CFTypeRef keychainItemOrArray, SecExternalFormat outputFormat, SecItemImportExportFlags flags,
    const SecKeyImportExportParameters *keyParams, CFDataRef *exportedData);
OSStatus SecKeychainItemImport(
    CFDataRef importedData, CFStringRef fileNameOrExtension, SecExternalFormat *inputFormat,
    SecExternalItemType *itemType, SecItemImportExportFlags flags, const SecKeyImportExportParameters *keyParams,
    SecKeychainRef importKeychain, CFArrayRef *outItems);

/* A PKCS#12 file; the password is in the options, under kSecImportExportPassphrase. */
OSStatus SecPKCS12Import(CFDataRef pkcs12_data, CFDictionaryRef options, CFArrayRef *items);

SECURITY_END

#endif
