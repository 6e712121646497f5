/* SPDX-License-Identifier: Apache-2.0 */
/* The constant strings by where they are and by what they say. Nothing is made at a program's start: most of them are never
   used in it. */
#include "CSecurity.h"
#include "constants.h"

#include <stdatomic.h>
#include <string.h>

/* More than there are; the surplus is never touched. */
enum { ROOM = 1024 };
static _Atomic(const void *) partners[ROOM];

intptr_t csec_constant(const void *object) {
    size_t offset = (uintptr_t)object - (uintptr_t)csec_constant_strings, size = sizeof *csec_constant_strings;
    size_t number = offset / size;
    return offset % size == 0 && number < csec_constant_count && number < ROOM ? (intptr_t)number : -1;
}

intptr_t csec_constant_of(const char *text, size_t count) {
    size_t low = 0, high = csec_constant_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct csec_constant_string *string = &csec_constant_strings[middle];
        size_t shared = count < string->length ? count : string->length;
        int order = shared == 0 ? 0 : memcmp(text, string->text, shared);
        if (order == 0 && count == string->length) return (intptr_t)middle;
        if (order < 0 || (order == 0 && count < string->length)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return -1;
}

const void *csec_constant_object(intptr_t number) {
    return &csec_constant_strings[number];
}

const void *csec_constant_partner(intptr_t number) {
    return atomic_load_explicit(&partners[number], memory_order_acquire);
}

const void *csec_set_constant_partner(intptr_t number, const void *partner) {
    const void *earlier = NULL;
    return atomic_compare_exchange_strong(&partners[number], &earlier, partner) ? partner : earlier;
}
