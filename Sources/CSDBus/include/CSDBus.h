// SPDX-License-Identifier: Apache-2.0
//
// The D-Bus client of libsystemd, found when it is first needed and not before: a program that asks for no fingerprint
// does not load it, and one and the same program runs where it is not installed. Declared here, so that its headers are
// not needed to build either; these functions have been the same since systemd 246.

#ifndef LLV_CSDBUS_H
#define LLV_CSDBUS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;

/// An error's name and text; the library copies both.
typedef struct {
    const char *_Nullable name;
    const char *_Nullable message;
    int needs_free;
} sd_bus_error;

/// What is called of it: what each returns, its name, what it takes. None takes a variable number of arguments. Those
/// that return int return a negative errno when they fail.
#define LLV_SD_BUS(X) \
    X(int, sd_bus_new, (sd_bus *_Nullable *_Nonnull bus)) \
    X(int, sd_bus_set_address, (sd_bus *bus, const char *address)) \
    X(int, sd_bus_set_bus_client, (sd_bus *bus, int yes)) \
    X(int, sd_bus_start, (sd_bus *bus)) \
    X(sd_bus *_Nullable, sd_bus_close_unref, (sd_bus *bus)) \
    X(int, sd_bus_send, (sd_bus *bus, sd_bus_message *message, uint64_t *cookie)) \
    X(int, sd_bus_process, (sd_bus *bus, sd_bus_message *_Nullable *_Nonnull message)) \
    X(int, sd_bus_get_fd, (sd_bus *bus)) \
    X(int, sd_bus_flush, (sd_bus *bus)) \
    X(int, sd_bus_get_events, (sd_bus *bus)) \
    X(int, sd_bus_get_timeout, (sd_bus *bus, uint64_t *microseconds)) \
    X(int, sd_bus_message_new_method_call, \
      (sd_bus *bus, sd_bus_message *_Nullable *_Nonnull message, const char *destination, const char *path, \
       const char *interface, const char *member)) \
    X(int, sd_bus_message_append_basic, (sd_bus_message *message, char type, const void *value)) \
    X(int, sd_bus_message_read_basic, (sd_bus_message *message, char type, void *value)) \
    X(int, sd_bus_message_enter_container, (sd_bus_message *message, char type, const char *contents)) \
    X(int, sd_bus_message_is_signal, (sd_bus_message *message, const char *interface, const char *member)) \
    X(int, sd_bus_message_is_method_error, (sd_bus_message *message, const char *_Nullable name)) \
    X(int, sd_bus_message_get_errno, (sd_bus_message *message)) \
    X(int, sd_bus_message_get_reply_cookie, (sd_bus_message *message, uint64_t *cookie)) \
    X(const char *_Nullable, sd_bus_message_get_sender, (sd_bus_message *message)) \
    X(const char *_Nullable, sd_bus_message_get_path, (sd_bus_message *message)) \
    X(sd_bus_message *_Nullable, sd_bus_message_unref, (sd_bus_message *message)) \
    X(int, sd_bus_get_unique_name, (sd_bus *bus, const char *_Nullable *_Nonnull name)) \
    X(int, sd_bus_message_new_signal, \
      (sd_bus *bus, sd_bus_message *_Nullable *_Nonnull message, const char *path, const char *interface, \
       const char *member)) \
    X(int, sd_bus_message_new_method_return, \
      (sd_bus_message *call, sd_bus_message *_Nullable *_Nonnull message)) \
    X(int, sd_bus_message_new_method_error, \
      (sd_bus_message *call, sd_bus_message *_Nullable *_Nonnull message, const sd_bus_error *error)) \
    X(int, sd_bus_message_set_destination, (sd_bus_message *message, const char *destination)) \
    X(int, sd_bus_message_sensitive, (sd_bus_message *message)) \
    X(int, sd_bus_message_open_container, (sd_bus_message *message, char type, const char *contents)) \
    X(int, sd_bus_message_close_container, (sd_bus_message *message)) \
    X(int, sd_bus_message_append_array, (sd_bus_message *message, char type, const void *_Nullable bytes, size_t count)) \
    X(int, sd_bus_message_read_array, \
      (sd_bus_message *message, char type, const void *_Nullable *_Nonnull bytes, size_t *count)) \
    X(int, sd_bus_message_exit_container, (sd_bus_message *message)) \
    X(int, sd_bus_message_peek_type, \
      (sd_bus_message *message, char *_Nullable type, const char *_Nullable *_Nullable contents)) \
    X(int, sd_bus_message_get_type, (sd_bus_message *message, uint8_t *type)) \
    X(int, sd_bus_message_get_expect_reply, (sd_bus_message *message)) \
    X(const char *_Nullable, sd_bus_message_get_interface, (sd_bus_message *message)) \
    X(const char *_Nullable, sd_bus_message_get_member, (sd_bus_message *message)) \
    X(const char *_Nullable, sd_bus_message_get_signature, (sd_bus_message *message, int complete)) \
    X(const sd_bus_error *_Nullable, sd_bus_message_get_error, (sd_bus_message *message))

/// The functions, under their own names.
typedef struct {
#define LLV_FIELD(result, name, arguments) result (*_Nonnull name) arguments;
    LLV_SD_BUS(LLV_FIELD)
#undef LLV_FIELD
} llv_sd_bus;

/// The library's functions, loaded at the first call; NULL when the library or one of them is missing.
const llv_sd_bus *_Nullable llv_sd_bus_functions(void);

#pragma clang assume_nonnull end

#endif
