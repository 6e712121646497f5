/* SPDX-License-Identifier: Apache-2.0 */
/* What the program of Scripts/c-rows.sh, which is written out of Tests/Vectors/secitem, says its rows with. */
#ifndef ROWS_H
#define ROWS_H

#include <Security/Security.h>
#include <stdbool.h>

/* MARK: Objects. They belong to the row, and are released when it ends. */

CFTypeRef keep(CFTypeRef object);
CFTypeRef text(const char *bytes, CFIndex count);
CFTypeRef data(const void *bytes, CFIndex count);
CFTypeRef repeated(UInt8 byte, CFIndex count);
CFTypeRef number(SInt64 value);
CFTypeRef fraction(double value);
CFTypeRef truth(bool value);
/* Seconds since 2001. */
CFTypeRef date(double seconds);
CFTypeRef uuid(const char *text);
/* One that no keychain knows. */
CFTypeRef unrelated(void);
CFTypeRef saved(const char *name);
CFTypeRef member(CFTypeRef object, const char *name);

struct pair {
    CFTypeRef key, value;
};
/* These end with NULL; `base` may be NULL. */
CFTypeRef dictionary(CFTypeRef base, const char *const *without, const struct pair *pairs);
CFTypeRef array(const CFTypeRef *objects, CFIndex count);

CFTypeRef certificate(const UInt8 *bytes, CFIndex count);
CFTypeRef key(const UInt8 *bytes, CFIndex count, SInt64 type, const char *half);
CFTypeRef identity(CFTypeRef certificate, CFTypeRef key);
CFTypeRef mail_policy(CFTypeRef address);
/* Made with flags at once, or put together when `flags` is negative; `protection` may be NULL. */
CFTypeRef access_control(CFTypeRef protection, SInt64 flags, const struct pair *constraints, bool requires_password);

#define DICTIONARY(...) dictionary(NULL, NULL, (const struct pair[]){__VA_ARGS__{NULL, NULL}})
#define DERIVED(base, without, ...) dictionary(base, without, (const struct pair[]){__VA_ARGS__{NULL, NULL}})
#define ARRAY(count, ...) array((const CFTypeRef[]){__VA_ARGS__ NULL}, count)
#define NAMES(...) ((const char *const[]){__VA_ARGS__ NULL})

/* MARK: What a result has to be */

struct member_expected;
struct expected {
    enum { is_null, equals, differs, later, of_kind, of_bytes, of_members, of_elements, counts, at_most } what;
    CFTypeRef value;
    /* A kind's name, or how data begins. */
    const char *word;
    SInt64 count;
    bool any_order;
    const struct member_expected *members;
    const char *const *absent, *const *keys;
    const struct expected *const *elements;
};
struct member_expected {
    const char *name;
    const struct expected *expected;
};

#define EXPECTED(...) (&(const struct expected){__VA_ARGS__})
#define MEMBERS(...) ((const struct member_expected[]){__VA_ARGS__{NULL, NULL}})
#define ELEMENTS(...) ((const struct expected *const[]){__VA_ARGS__ NULL})

/* MARK: Steps */

struct reply {
    OSStatus status;
    CFTypeRef result;
};
struct reply add(CFTypeRef attributes, bool wants_result);
struct reply copy(CFTypeRef query, bool wants_result);
struct reply update(CFTypeRef query, CFTypeRef attributes);
struct reply delete(CFTypeRef query);
/* Of functions that answer an object or NULL, with an error or without. */
struct reply made(CFTypeRef object, CFErrorRef error);
/* Of functions without one. */
struct reply given(CFTypeRef object);
struct reply lent(CFTypeRef object);
struct reply done(bool succeeded, CFErrorRef error);
struct reply pair_of(CFTypeRef parameters);
struct reply parts_of(CFTypeRef identity);

/* Whether it is as expected; if not, says what is wrong, and the row goes no further. */
bool step(const char *place, struct reply reply, OSStatus status, const struct expected *expected, const char *save);

/* The program's clock, which stands still. */
void set_clock(double seconds);
void advance_clock(double seconds);

/* Has the program other rights from now on: entries of the file that a daemon believes. */
void declare_rights(const char *entries);

struct row {
    const char *name;
    void (*run)(void);
};
extern const struct row rows[];

#endif
