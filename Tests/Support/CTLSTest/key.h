// SPDX-License-Identifier: Apache-2.0

#ifndef LLT_CTLSTEST_KEY_H
#define LLT_CTLSTEST_KEY_H

#include "CTLSTest.h"

#include <openssl/evp.h>

/// A private key that signs by `client->sign`, for the public key of a certificate. NULL where that is of another kind.
/// `client` must live as long as the key.
EVP_PKEY *llt_tls_key(EVP_PKEY *other, const llt_tls_client *client);

#endif
