/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an access list. */
#ifndef SECURITY_SECACL_H
#define SECURITY_SECACL_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef UInt16 SecKeychainPromptSelector;

CFTypeID SecACLGetTypeID(void);
OSStatus SecACLCreateWithSimpleContents(
    SecAccessRef access, CFArrayRef applicationList, CFStringRef description,
    SecKeychainPromptSelector promptSelector, SecACLRef *newAcl);
OSStatus SecACLRemove(SecACLRef aclRef);
OSStatus SecACLCopyContents(
    SecACLRef acl, CFArrayRef *applicationList, CFStringRef *description, SecKeychainPromptSelector *promptSelector);
OSStatus SecACLSetContents(
    SecACLRef acl, CFArrayRef applicationList, CFStringRef description, SecKeychainPromptSelector promptSelector);
CFArrayRef SecACLCopyAuthorizations(SecACLRef acl);
OSStatus SecACLUpdateAuthorizations(SecACLRef acl, CFArrayRef authorizations);

SECURITY_END

#endif
