/* SPDX-License-Identifier: Apache-2.0 */
/* The names of what a certificate has in it, for sources that include this header of Apple's. */
#ifndef SECURITY_SECCERTIFICATEOIDS_H
#define SECURITY_SECCERTIFICATEOIDS_H

#include <Security/SecBase.h>

#endif
