/* SPDX-License-Identifier: Apache-2.0 */
/* What this program declares of itself. */
#ifndef SECURITY_SECTASK_H
#define SECURITY_SECTASK_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecTaskGetTypeID(void);
/* This program; NULL when its keychain cannot be found. Of another program nothing can be asked. */
SecTaskRef SecTaskCreateFromSelf(CFAllocatorRef allocator);
/* What the program declares under a name; NULL, without an error, where it declares nothing. */
CFTypeRef SecTaskCopyValueForEntitlement(SecTaskRef task, CFStringRef entitlement, CFErrorRef *error);
CFDictionaryRef SecTaskCopyValuesForEntitlements(SecTaskRef task, CFArrayRef entitlements, CFErrorRef *error);
/* The name that the program declares for itself. */
CFStringRef SecTaskCopySigningIdentifier(SecTaskRef task, CFErrorRef *error);

SECURITY_END

#endif
