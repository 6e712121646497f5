/* SPDX-License-Identifier: Apache-2.0 */
/* Searches that give one item after the other. */
#ifndef SECURITY_SECKEYCHAINSEARCH_H
#define SECURITY_SECKEYCHAINSEARCH_H

#include <Security/SecBase.h>
#include <Security/SecKeychainItem.h>

SECURITY_BEGIN

CFTypeID SecKeychainSearchGetTypeID(void);
/* Items of a class with these attributes, one after the other; errSecItemNotFound behind the last. */
OSStatus SecKeychainSearchCreateFromAttributes(
    CFTypeRef keychainOrArray, SecItemClass itemClass, const SecKeychainAttributeList *attrList,
    SecKeychainSearchRef *searchRef);
OSStatus SecKeychainSearchCopyNext(SecKeychainSearchRef searchRef, SecKeychainItemRef *itemRef);

SECURITY_END

#endif
