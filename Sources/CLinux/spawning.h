// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_SPAWNING_H
#define LLV_SPAWNING_H

#include <signal.h>
#include <spawn.h>

// For service.c and attended.c alone: how a program is started that inherits no blocked and no ignored signal.
typedef struct {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
} llv_spawning;

static inline void llv_spawning_end(llv_spawning *spawning) {
    posix_spawn_file_actions_destroy(&spawning->files);
    posix_spawnattr_destroy(&spawning->attributes);
}

/// Returns 0, and then has to be ended, or an errno.
static inline int llv_spawning_begin(llv_spawning *spawning, int flags) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int failure = posix_spawn_file_actions_init(&spawning->files);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&spawning->attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&spawning->files);
        return failure;
    }
    flags |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if ((failure = posix_spawnattr_setsigmask(&spawning->attributes, &none)) != 0
        || (failure = posix_spawnattr_setsigdefault(&spawning->attributes, &all)) != 0
        || (failure = posix_spawnattr_setflags(&spawning->attributes, (short)flags)) != 0) {
        llv_spawning_end(spawning);
    }
    return failure;
}

#endif
