/* SPDX-License-Identifier: Apache-2.0 */
/* The access lists of a Mac's file keychains, which no keychain here has. */
#ifndef SECURITY_SECACCESS_H
#define SECURITY_SECACCESS_H

#include <Security/SecBase.h>

#include <sys/types.h>

SECURITY_BEGIN

typedef UInt32 SecAccessOwnerType;

CFTypeID SecAccessGetTypeID(void);

/* An access list with the usual parts; it protects nothing here, which is said once, in the log. */
OSStatus SecAccessCreate(CFStringRef descriptor, CFArrayRef trustedlist, SecAccessRef *accessRef);
OSStatus SecAccessCopyACLList(SecAccessRef accessRef, CFArrayRef *aclList);
CFArrayRef SecAccessCopyMatchingACLList(SecAccessRef accessRef, CFTypeRef authorizationTag);
SecAccessRef SecAccessCreateWithOwnerAndACL(
    uid_t userId, gid_t groupId, SecAccessOwnerType ownerType, CFArrayRef acls, CFErrorRef *error);
OSStatus SecAccessCopyOwnerAndACL(
    SecAccessRef accessRef, uid_t *userId, gid_t *groupId, SecAccessOwnerType *ownerType, CFArrayRef *aclList);

SECURITY_END

#endif
