// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>

// wcwidth knows only the characters of the thread's locale: none beyond ASCII in a program that has not called setlocale, or
// whose environment says LANG=C. So a locale of our own is put in its place for the question, on this thread alone.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t unicode;

static void load(void) {
    unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    // A small system may have no such locale, and that of the environment all the same.
    if (!unicode) unicode = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
}

int llv_character_width(uint32_t character) {
    (void)pthread_once(&once, load);
    if (!unicode) return 1;
    locale_t before = uselocale(unicode);
    int width = wcwidth((wchar_t)character);
    (void)uselocale(before);
    return width < 0 ? 1 : width;
}
