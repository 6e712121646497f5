/* SPDX-License-Identifier: Apache-2.0 */
/* Constant strings as data symbols, made by the compiler: a program has them before any code runs. They have the layout that
   CFSTR bakes into every program. */
#ifndef LLAVERO_CONSTANTS_H
#define LLAVERO_CONSTANTS_H

#include <stddef.h>
#include <stdint.h>

struct csec_constant_string {
    uintptr_t isa, count;
    uint64_t info;
    const uint8_t *text;
    uint32_t length;
};

#if defined(__s390x__) || defined(__BIG_ENDIAN__) || UINTPTR_MAX != UINT64_MAX
#error "constant strings have another layout here, which nobody has tried"
#endif

/* The class of constant strings in libFoundation.so. */
extern void *csec_constant_class[] __asm__("$s10Foundation19_NSCFConstantStringCN");

/* All of them, by their texts in the order of the bytes. */
extern struct csec_constant_string csec_constant_strings[];
extern const size_t csec_constant_count;

#define STRING(string)                                                                                                 \
    {                                                                                                                  \
        (uintptr_t)&csec_constant_class, 0x80000004ffffffffULL, 0x07C8, (const uint8_t *)(string), sizeof(string) - 1  \
    }
#define CONSTANT(name, place)                                                                                          \
    extern const void *const name;                                                                                     \
    const void *const name = &csec_constant_strings[place]

#endif
