// SPDX-License-Identifier: Apache-2.0

#include "CSDBus.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static llv_sd_bus functions;
static bool is_complete = false;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static bool find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    // POSIX promises that a pointer to a function fits; ISO C has no cast for it.
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void load(void) {
    // Never closed: it keeps thread-local state, whose destructors would be gone with it.
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool has_all = true;
#define LLV_FIND(result, name, arguments) has_all = find(library, #name, &functions.name) && has_all;
    LLV_SD_BUS(LLV_FIND)
    is_complete = has_all;
}

const llv_sd_bus *llv_sd_bus_functions(void) {
    (void)pthread_once(&load_once, load);
    return is_complete ? &functions : NULL;
}
