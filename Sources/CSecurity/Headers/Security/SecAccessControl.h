/* SPDX-License-Identifier: Apache-2.0 */
/* What the use of an item demands. */
#ifndef SECURITY_SECACCESSCONTROL_H
#define SECURITY_SECACCESSCONTROL_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef CFOptionFlags SecAccessControlCreateFlags;

CFTypeID SecAccessControlGetTypeID(void);

/* `protection` is one of the values of kSecAttrAccessible. */
SecAccessControlRef SecAccessControlCreateWithFlags(
    CFAllocatorRef allocator, CFTypeRef protection, SecAccessControlCreateFlags flags, CFErrorRef *error);

/* Apple has the following in a private header. What "Get" answers is not the caller's to release. */
SecAccessControlRef SecAccessControlCreate(CFAllocatorRef allocator, CFErrorRef *error);
bool SecAccessControlSetProtection(SecAccessControlRef access_control, CFTypeRef protection, CFErrorRef *error);
CFTypeRef SecAccessControlGetProtection(SecAccessControlRef access_control);
bool SecAccessControlAddConstraintForOperation(
    SecAccessControlRef access_control, CFTypeRef operation, CFTypeRef constraint, CFErrorRef *error);
CFTypeRef SecAccessControlGetConstraint(SecAccessControlRef access_control, CFTypeRef operation);
void SecAccessControlSetRequirePassword(SecAccessControlRef access_control, bool require);
bool SecAccessControlGetRequirePassword(SecAccessControlRef access_control);
bool SecAccessControlIsBound(SecAccessControlRef access_control);
void SecAccessControlSetBound(SecAccessControlRef access_control, bool bound);
CFDataRef SecAccessControlCopyData(SecAccessControlRef access_control);
SecAccessControlRef SecAccessControlCreateFromData(CFAllocatorRef allocator, CFDataRef data, CFErrorRef *error);

SECURITY_END

#endif
