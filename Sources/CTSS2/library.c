// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTSS2.h"

#ifdef LLV_HAS_TSS2

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static llv_tss2 functions;
static bool is_complete = false;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

// The libraries print every refusal of the TPM, a wrong passcode too, on the program's stderr, and only the environment
// stops them. setenv() may free the list of variables that another thread is reading with getenv(); this list is new,
// the old one stays where it is, and a reader sees one or the other.
static void silence(void) {
    if (getenv("TSS2_LOG") != NULL) return;
    size_t count = 0;
    while (environ != NULL && environ[count] != NULL) count++;
    char **fresh = calloc(count + 2, sizeof *fresh);
    if (fresh == NULL) return;
    fresh[0] = (char *)"TSS2_LOG=all+NONE";
    if (count > 0) memcpy(fresh + 1, environ, count * sizeof *fresh);
    __atomic_store_n(&environ, fresh, __ATOMIC_RELEASE);
}

static bool find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    // POSIX promises that a pointer to a function fits; ISO C has no cast for it.
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void load(void) {
    // Never closed: OpenSSL, which they use, cannot be unloaded either.
    void *mu = dlopen("libtss2-mu.so.0", RTLD_NOW | RTLD_LOCAL);
    void *esys = mu == NULL ? NULL : dlopen("libtss2-esys.so.0", RTLD_NOW | RTLD_LOCAL);
    if (esys == NULL) return;
    bool has_all = true;
#define LLV_FIND_ESYS(name) has_all = find(esys, #name, &functions.name) && has_all;
#define LLV_FIND_MU(name) has_all = find(mu, #name, &functions.name) && has_all;
    LLV_TSS2_ESYS(LLV_FIND_ESYS)
    LLV_TSS2_MU(LLV_FIND_MU)
    if (has_all) silence();
    is_complete = has_all;
}

const llv_tss2 *llv_tss2_functions(void) {
    (void)pthread_once(&load_once, load);
    return is_complete ? &functions : NULL;
}

const char *llv_tss2_file(void) {
    const llv_tss2 *loaded = llv_tss2_functions();
    Dl_info info;
    void *address;
    if (loaded == NULL) return NULL;
    memcpy(&address, &loaded->Esys_Initialize, sizeof address);
    return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

#endif
