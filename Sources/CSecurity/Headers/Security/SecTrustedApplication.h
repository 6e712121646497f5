/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in an access list. */
#ifndef SECURITY_SECTRUSTEDAPPLICATION_H
#define SECURITY_SECTRUSTEDAPPLICATION_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecTrustedApplicationGetTypeID(void);
/* The program at a path, or this one for NULL. */
OSStatus SecTrustedApplicationCreateFromPath(const char *path, SecTrustedApplicationRef *app);
OSStatus SecTrustedApplicationCopyData(SecTrustedApplicationRef appRef, CFDataRef *data);
OSStatus SecTrustedApplicationSetData(SecTrustedApplicationRef appRef, CFDataRef data);

SECURITY_END

#endif
