// SPDX-License-Identifier: Apache-2.0
//
// Which files a preloaded library looks at: those below LLT_BELOW, or else below LLAVERO_HOME.

#pragma once
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static char watched[512];

static void begin_watching(void) {
    const char *folder = getenv("LLT_BELOW");
    if (folder == NULL) folder = getenv("LLAVERO_HOME");
    if (folder != NULL) snprintf(watched, sizeof watched, "%s", folder);
}

static int is_watched(const char *path) {
    size_t length = strlen(watched);
    return length > 0 && path != NULL && strncmp(path, watched, length) == 0;
}

static int is_watched_file(int fd) {
    char link[64], path[600];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_watched(path);
}
