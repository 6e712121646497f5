/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for certificates; Apple has this in a private header. */
#ifndef SECURITY_SECCERTIFICATEREQUEST_H
#define SECURITY_SECCERTIFICATEREQUEST_H

#include <Security/SecBase.h>

SECURITY_BEGIN

/* A request (PKCS#10) in DER, signed by the private key; `parameters` and `publicKey` may be NULL. */
CFDataRef SecGenerateCertificateRequest(
    CFArrayRef subject, CFDictionaryRef parameters, SecKeyRef publicKey, SecKeyRef privateKey);

SECURITY_END

#endif
