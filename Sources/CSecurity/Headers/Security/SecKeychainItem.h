/* SPDX-License-Identifier: Apache-2.0 */
/* References to passwords. */
#ifndef SECURITY_SECKEYCHAINITEM_H
#define SECURITY_SECKEYCHAINITEM_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecKeychainItemGetTypeID(void);

SECURITY_END

#endif
