/* SPDX-License-Identifier: Apache-2.0 */
/* What the Swift of SecurityC asks of Core Foundation. Every object is a plain pointer here: Swift's own names for Core
   Foundation's classes stand for other classes in the module Security, and so do not appear in this layer. What clients
   include is in Headers/. "Given" means that the caller of the function owns the result, and "lent" that it does not. */
#ifndef LLAVERO_CSECURITY_H
#define LLAVERO_CSECURITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a client's object is. Whatever Security has no use for is "other". */
enum csec_type {
    csec_type_other,
    csec_type_string,
    csec_type_data,
    csec_type_number,
    csec_type_boolean,
    csec_type_date,
    csec_type_null,
    csec_type_array,
    csec_type_dictionary,
    csec_type_uuid,
    csec_type_box,
};

enum csec_type csec_type_of(const void *object);

/* The classes of references. A box is an object of Core Foundation that holds one of Swift's. */
enum csec_kind {
    csec_kind_key,
    csec_kind_certificate,
    csec_kind_identity,
    csec_kind_policy,
    csec_kind_trust,
    csec_kind_access_control,
    csec_kind_keychain,
    csec_kind_keychain_item,
    csec_kind_access,
    csec_kind_acl,
    csec_kind_trusted_application,
    csec_kind_task,
    csec_kind_keychain_search,
    csec_kind_identity_search,
    csec_kind_cms_encoder,
    csec_kind_cms_decoder,
    csec_kind_other,
    csec_kind_count,
};

/* What a box asks of the object in it. `describe` writes at most `room` bytes of UTF-8 and answers how many. */
struct csec_callbacks {
    void (*release)(void *held);
    bool (*equal)(void *held, void *other);
    uintptr_t (*hash)(void *held);
    size_t (*describe)(void *held, char *text, size_t room);
};

/* Before the first box, once; further calls change nothing. */
void csec_begin(const struct csec_callbacks *callbacks);
uintptr_t csec_type_id(enum csec_kind kind);
/* Given; the box takes `held` over. NULL without memory, and then `held` is released. */
const void *csec_box(enum csec_kind kind, void *held);
/* The object of Swift's in a box. */
void *csec_held(const void *box);
/* Takes a given object over and lends one equal to it for as long as the box lives: for functions that "get". */
const void *csec_keep(const void *box, const void *given);

/* Reading. */
bool csec_boolean_value(const void *boolean);
double csec_date_value(const void *date);
void csec_uuid_value(const void *uuid, uint8_t bytes[16]);
/* The bytes of a string that lie there in ASCII; NULL for others. */
const char *csec_ascii(const void *string, size_t *count);
size_t csec_array_count(const void *array);
void csec_array_values(const void *array, size_t count, const void **values);
size_t csec_dictionary_count(const void *dictionary);
void csec_dictionary_entries(const void *dictionary, const void **keys, const void **values);

/* Making; all given. */
const void *csec_string(const char *utf8, size_t count);
const void *csec_string_of_units(const uint16_t *units, size_t count);
const void *csec_data(const void *bytes, size_t count);
const void *csec_integer(int64_t value);
const void *csec_double(double value);
const void *csec_boolean(bool value);
const void *csec_date(double since_2001);
const void *csec_null(void);
const void *csec_uuid(const uint8_t bytes[16]);
/* These retain what is put into them. */
const void *csec_array(const void *const *values, size_t count);
const void *csec_dictionary(const void *const *keys, const void *const *values, size_t count);
const void *csec_error(const void *domain, intptr_t code, const void *information);
void csec_retain(const void *object);
void csec_release(const void *object);

/* The constant strings by numbers: of an object that may be one, and of a text; negative for none. */
intptr_t csec_constant(const void *object);
intptr_t csec_constant_of(const char *text, size_t count);
/* One of them, lent for ever. */
const void *csec_constant_object(intptr_t number);
/* What Swift has in its place, NULL before there is any, and the one that it has from now on: the first that was set. */
const void *csec_constant_partner(intptr_t number);
const void *csec_set_constant_partner(intptr_t number, const void *partner);

/* As clients know them. */
struct csec_key_parameters {
    uint32_t version;
    uint32_t flags;
    const void *passphrase;
    const void *alert_title;
    const void *alert_prompt;
    const void *access;
    const void *usage;
    const void *attributes;
};
struct csec_older_key_parameters {
    uint32_t version;
    uint32_t flags;
    const void *passphrase;
    const void *alert_title;
    const void *alert_prompt;
    const void *access;
    uint32_t usage;
    uint32_t attributes;
};
struct csec_keychain_settings {
    uint32_t version;
    uint8_t lock_on_sleep;
    uint8_t use_lock_interval;
    uint32_t lock_interval;
};
struct csec_callback_info {
    uint32_t version;
    const void *item;
    const void *keychain;
    int32_t pid;
};

/* Calls a block of clang's with a trust, a truth value and an error, on a queue. `evaluate` answers whether it holds, and
   gives an error where it does not. False without memory. */
bool csec_dispatch(
    void *queue, const void *trust, void *block, bool (*evaluate)(const void *trust, const void **error));

/* The main queue for NULL. */
void *csec_retain_queue(void *queue);
/* Runs the work on a queue, which it releases. */
void csec_async(void *queue, void *context, void (*work)(void *context));
void *csec_retain_block(const void *block);
/* These call a block and release it. */
void csec_call_with_pair(void *block, const void *public_key, const void *private_key, const void *error);
void csec_call_with_error(void *block, const void *error);
void csec_call_with_list(void *block, const void *list, const void *error);
void csec_call_with_result(void *block, const void *trust, uint32_t result);

#endif
