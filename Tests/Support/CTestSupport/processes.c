// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t llt_fork(void) {
    return fork();
}

bool llt_wait(pid_t child, int milliseconds, int *status) {
    // A pidfd becomes readable when its process ends: waiting without polling, and with a limit.
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    if (fd < 0) return false;
    struct pollfd ended = {.fd = fd, .events = POLLIN};
    int ready;
    do ready = poll(&ended, 1, milliseconds);
    while (ready < 0 && errno == EINTR);
    close(fd);
    if (ready != 1) return false;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR) return false;
    return true;
}

int llt_exit_code(int status) {
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int llt_continue_in_child(void) {
    // Processes whose parent ended become ours and not init's.
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    pid_t child = fork();
    if (child == 0) return -1;
    int status, worst = 0;
    while (waitpid(-1, &status, 0) > 0 || errno == EINTR) {
        int code = llt_exit_code(status);
        if (worst == 0) worst = code;
    }
    return worst;
}

const char *llt_image_path(void) {
    Dl_info information;
    return dladdr((void *)llt_image_path, &information) == 0 ? NULL : information.dli_fname;
}

int llt_keep_standard_only(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int llt_start(pid_t *child, const char *path, char *const *arguments, char *const *environment, const char *output) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    // Other tests run at the same time, and their pipes and locks are none of the new process's business.
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    posix_spawnattr_init(&attributes);
    // The test runner's threads block signals, which a new process would inherit.
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int failure = posix_spawn(child, path, &files, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return failure;
}
