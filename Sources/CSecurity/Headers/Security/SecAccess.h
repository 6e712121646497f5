/* SPDX-License-Identifier: Apache-2.0 */
/* The access lists of a Mac's file keychains, which no keychain here has. */
#ifndef SECURITY_SECACCESS_H
#define SECURITY_SECACCESS_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecAccessGetTypeID(void);

SECURITY_END

#endif
