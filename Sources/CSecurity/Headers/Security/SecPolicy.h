/* SPDX-License-Identifier: Apache-2.0 */
/* What a certificate is evaluated for. */
#ifndef SECURITY_SECPOLICY_H
#define SECURITY_SECPOLICY_H

#include <Security/SecBase.h>

SECURITY_BEGIN

CFTypeID SecPolicyGetTypeID(void);

SecPolicyRef SecPolicyCreateBasicX509(void);
/* For TLS, of a server or of a client; `hostname` may be NULL. */
SecPolicyRef SecPolicyCreateSSL(Boolean server, CFStringRef hostname);
SecPolicyRef SecPolicyCreateRevocation(CFOptionFlags revocationFlags);
SecPolicyRef SecPolicyCreateWithProperties(CFTypeRef policyIdentifier, CFDictionaryRef properties);
CFDictionaryRef SecPolicyCopyProperties(SecPolicyRef policyRef);

/* The older names of SecPolicyCreateWithProperties. */
SecPolicyRef SecPolicyCreateWithOID(CFTypeRef policyOID);
OSStatus SecPolicySetProperties(SecPolicyRef policyRef, CFDictionaryRef properties);

SECURITY_END

#endif
