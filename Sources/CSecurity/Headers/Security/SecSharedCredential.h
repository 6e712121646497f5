/* SPDX-License-Identifier: Apache-2.0 */
/* Passwords for websites. */
#ifndef SECURITY_SECSHAREDCREDENTIAL_H
#define SECURITY_SECSHAREDCREDENTIAL_H

#include <Security/SecBase.h>

SECURITY_BEGIN

/* A new password of four groups of three letters and digits. */
CFStringRef SecCreateSharedWebCredentialPassword(void);

SECURITY_END

#endif
