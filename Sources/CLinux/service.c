// SPDX-License-Identifier: Apache-2.0
//
// A program that outlives the one that starts it.

#define _GNU_SOURCE
#include "child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

int llv_service_start(int32_t *process, const char *path, char *const *arguments, char *const *environment) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int failure = posix_spawn_file_actions_init(&files);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&files);
        return failure;
    }
    const short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
    if ((failure = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0)) == 0
        && (failure = posix_spawn_file_actions_adddup2(&files, 0, 1)) == 0
        && (failure = posix_spawn_file_actions_adddup2(&files, 0, 2)) == 0
        && (failure = posix_spawn_file_actions_addclosefrom_np(&files, 3)) == 0
        && (failure = posix_spawn_file_actions_addchdir_np(&files, "/")) == 0
        && (failure = posix_spawnattr_setsigmask(&attributes, &none)) == 0
        && (failure = posix_spawnattr_setsigdefault(&attributes, &all)) == 0
        && (failure = posix_spawnattr_setflags(&attributes, flags)) == 0) {
        failure = posix_spawn(process, path, &files, &attributes, arguments, environment);
    }
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return failure;
}
