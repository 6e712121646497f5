/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes. */
#ifndef SECURITY_SECRANDOM_H
#define SECURITY_SECRANDOM_H

#include <Security/SecBase.h>

SECURITY_BEGIN

typedef const struct LlaveroSecRandom *SecRandomRef;

/* The kernel's random numbers, which are the only source. */
#define kSecRandomDefault ((SecRandomRef)0)

/* Fills `bytes` with so many random bytes; 0 where that was done. */
int SecRandomCopyBytes(SecRandomRef source, size_t count, void *bytes);

SECURITY_END

#endif
