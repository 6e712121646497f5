/* SPDX-License-Identifier: Apache-2.0 */
/* Passwords for websites. */
#ifndef SECURITY_SECSHAREDCREDENTIAL_H
#define SECURITY_SECSHAREDCREDENTIAL_H

#include <Security/SecBase.h>

SECURITY_BEGIN

/* A new password of four groups of three letters and digits. */
CFStringRef SecCreateSharedWebCredentialPassword(void);

#if defined(__BLOCKS__)
/* Refused: the block is called with errSecUnimplemented, for Linux has no service for them. */
void SecAddSharedWebCredential(
    CFStringRef fqdn, CFStringRef account, CFStringRef password, void (^completionHandler)(CFErrorRef error));
void SecRequestSharedWebCredential(
    CFStringRef fqdn, CFStringRef account, void (^completionHandler)(CFArrayRef credentials, CFErrorRef error));
#endif

SECURITY_END

#endif
