// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_CLIMIT_H
#define LLV_CLIMIT_H

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <sqlite3.h>

#endif
