/* SPDX-License-Identifier: Apache-2.0 */
/* The four functions of items. */
#ifndef SECURITY_SECITEM_H
#define SECURITY_SECITEM_H

#include <Security/SecBase.h>

SECURITY_BEGIN

/* Adds what the attributes describe. `result`, which may be NULL, is set to what they ask for, for the caller to release. */
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef *result);
/* Finds what the query describes. `result` is set to one object, or to an array where more than one was allowed. */
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef *result);
/* Changes every item that the query describes. */
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);
/* Deletes every item that the query describes. */
OSStatus SecItemDelete(CFDictionaryRef query);

SECURITY_END

#endif
