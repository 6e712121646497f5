// SPDX-License-Identifier: Apache-2.0
//
// A program that does not outlive the one that starts it. posix_spawn cannot ask the kernel for that.

#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/// In the child: nothing here may allocate or lock. Returns an errno when the program cannot be executed.
static int become(pid_t parent, const char *path, char *const *arguments, char *const *environment, int input,
                  int report) {
    if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0) return errno;
    // It may have ended before the kernel was asked.
    if (getppid() != parent) return ESRCH;
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) return errno;
    const int nothing = open("/dev/null", O_WRONLY);
    if (nothing < 0) return errno;
    if (dup2(input, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0
        || dup2(report, 3) < 0 || fcntl(3, F_SETFD, FD_CLOEXEC) != 0) {
        return errno;
    }
    closefrom(4);
    execve(path, arguments, environment);
    return errno;
}

int llv_dependent_start(int32_t *process, const char *path, char *const *arguments, char *const *environment, int input) {
    int line[2];
    if (pipe2(line, O_CLOEXEC) != 0) return errno;
    // Above what the child puts into the first places, so that no copy overwrites another.
    const int above = fcntl(input, F_DUPFD_CLOEXEC, 10);
    const int report = above < 0 ? -1 : fcntl(line[1], F_DUPFD_CLOEXEC, 10);
    int failure = report < 0 ? errno : 0;
    const pid_t parent = getpid();
    const pid_t child = failure != 0 ? -1 : fork();
    if (child == 0) {
        failure = become(parent, path, arguments, environment, above, report);
        // Where that got so far, only 3 is open.
        if (write(report, &failure, sizeof failure) < 0 && write(3, &failure, sizeof failure) < 0) _exit(126);
        _exit(127);
    }
    if (failure == 0 && child < 0) failure = errno;
    if (above >= 0) close(above);
    if (report >= 0) close(report);
    close(line[1]);
    if (failure == 0) {
        // Nothing comes when the program was executed, for then the last copy of the other end is closed.
        ssize_t count;
        do count = read(line[0], &failure, sizeof failure);
        while (count < 0 && errno == EINTR);
        if (count != sizeof failure) failure = 0;
        if (failure != 0) while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
    close(line[0]);
    *process = child;
    return failure;
}
