// SPDX-License-Identifier: Apache-2.0
//
// A program that outlives the one that starts it.

#define _GNU_SOURCE
#include "child.h"
#include "spawning.h"

#include <fcntl.h>

int llv_service_start(int32_t *process, const char *path, char *const *arguments, char *const *environment) {
    llv_spawning spawning;
    int failure = llv_spawning_begin(&spawning, POSIX_SPAWN_SETSID);
    if (failure != 0) return failure;
    posix_spawn_file_actions_t *files = &spawning.files;
    if ((failure = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDWR, 0)) == 0
        && (failure = posix_spawn_file_actions_adddup2(files, 0, 1)) == 0
        && (failure = posix_spawn_file_actions_adddup2(files, 0, 2)) == 0
        && (failure = posix_spawn_file_actions_addclosefrom_np(files, 3)) == 0
        && (failure = posix_spawn_file_actions_addchdir_np(files, "/")) == 0) {
        failure = posix_spawn(process, path, files, &spawning.attributes, arguments, environment);
    }
    llv_spawning_end(&spawning);
    return failure;
}
