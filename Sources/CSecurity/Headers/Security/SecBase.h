/* SPDX-License-Identifier: Apache-2.0 */
/* References, results and their words. Ownership is Core Foundation's: what Create or Copy answers is the caller's to release. */
#ifndef SECURITY_SECBASE_H
#define SECURITY_SECBASE_H

#if defined(__has_include)
#if __has_include(<CoreFoundation/CoreFoundation.h>)
#include <CoreFoundation/CoreFoundation.h>
#else
#include <Security/SecWithoutCoreFoundation.h>
#endif
#else
#include <CoreFoundation/CoreFoundation.h>
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SECURITY_BEGIN extern "C" {
#define SECURITY_END }
#else
#define SECURITY_BEGIN
#define SECURITY_END
#endif

/* Of Apple's base types this one belongs to no header that is here. */
#ifndef noErr
enum { noErr = 0 };
#endif

SECURITY_BEGIN

typedef struct LlaveroSecKey *SecKeyRef;
typedef struct LlaveroSecCertificate *SecCertificateRef;
typedef struct LlaveroSecIdentity *SecIdentityRef;
typedef struct LlaveroSecPolicy *SecPolicyRef;
typedef struct LlaveroSecTrust *SecTrustRef;
typedef struct LlaveroSecAccessControl *SecAccessControlRef;
typedef struct LlaveroSecKeychain *SecKeychainRef;
typedef struct LlaveroSecKeychainItem *SecKeychainItemRef;
typedef struct LlaveroSecAccess *SecAccessRef;
typedef struct LlaveroSecACL *SecACLRef;
typedef struct LlaveroSecTrustedApplication *SecTrustedApplicationRef;
typedef struct LlaveroSecTask *SecTaskRef;
typedef struct LlaveroSecKeychainSearch *SecKeychainSearchRef;
typedef struct LlaveroSecIdentitySearch *SecIdentitySearchRef;
typedef struct LlaveroCMSEncoder *CMSEncoderRef;
typedef struct LlaveroCMSDecoder *CMSDecoderRef;

SECURITY_END

#include <Security/SecConstants.h>

SECURITY_BEGIN

/* The words for a result, for people; `reserved` is NULL. */
CFStringRef SecCopyErrorMessageString(OSStatus status, void *reserved);

SECURITY_END

#endif
