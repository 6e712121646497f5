/* SPDX-License-Identifier: Apache-2.0 */
/* Searches that give one identity after the other. */
#ifndef SECURITY_SECIDENTITYSEARCH_H
#define SECURITY_SECIDENTITYSEARCH_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecIdentitySearchGetTypeID(void);
/* Identities whose key may be used so: bits of CDSA, or 0 for any. */
OSStatus SecIdentitySearchCreate(CFTypeRef keychainOrArray, UInt32 keyUsage, SecIdentitySearchRef *searchRef);
OSStatus SecIdentitySearchCopyNext(SecIdentitySearchRef searchRef, SecIdentityRef *identity);

SECURITY_END

#endif
