/* SPDX-License-Identifier: Apache-2.0 */
/* A client in C for the rows of Tests/Vectors: every function that they call, with the headers that clients have. Swift hands
   it objects of Core Foundation as plain pointers, and gets such. */
#ifndef LLAVERO_CCLIENTTEST_H
#define LLAVERO_CCLIENTTEST_H

#include <stdbool.h>
#include <stdint.h>

int32_t client_add(const void *attributes, const void **result);
int32_t client_copy(const void *query, const void **result);
int32_t client_update(const void *query, const void *attributes);
int32_t client_delete(const void *query);
const void *client_make_key(const void *parameters, const void **error);
int32_t client_make_pair(const void *parameters, const void **public_key, const void **private_key);
const void *client_read_key(const void *data, const void *attributes, const void **error);
const void *client_derive_key(const void *password, const void *parameters, const void **error);
const void *client_export_key(const void *key, const void **error);
const void *client_describe_key(const void *key);
const void *client_public_key(const void *key);
const void *client_certificate_key(const void *certificate);
const void *client_make_identity(const void *certificate, const void *key);
int32_t client_identity_certificate(const void *identity, const void **certificate);
int32_t client_identity_key(const void *identity, const void **key);
const void *client_sign(const void *key, const void *algorithm, const void *data, const void **error);
const void *client_encrypt(const void *key, const void *algorithm, const void *data, const void **error);
const void *client_decrypt(const void *key, const void *algorithm, const void *data, const void **error);
bool client_verify(
    const void *key, const void *algorithm, const void *data, const void *signature, const void **error);
const void *client_exchange(
    const void *key, const void *algorithm, const void *peer, const void *parameters, const void **error);
const void *client_make_access_control(const void *protection, uintptr_t flags, const void **error);
const void *client_decode_access_control(const void *data, const void **error);
const void *client_encode_access_control(const void *control);
bool client_set_protection(const void *control, const void *protection, const void **error);
bool client_add_constraint(const void *control, const void *operation, const void *constraint, const void **error);
void client_set_bound(const void *control, bool bound);
const void *client_constraint(const void *control, const void *operation);
const void *client_protection(const void *control);
bool client_requires_password(const void *control);
bool client_is_bound(const void *control);
int64_t client_error_code(const void *error);
const void *client_error_words(const void *error);
void client_release(const void *object);

#endif
