// SPDX-License-Identifier: Apache-2.0
//
// A program that does not outlive the one that starts it. posix_spawn cannot ask the kernel for that.

#define _GNU_SOURCE
#include "child.h"
#include "dependent.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// In the child: nothing here may allocate or lock. Returns an errno when the program cannot be executed.
static int become(pid_t parent, const char *path, char *const *arguments, char *const *environment, const int files[3],
                  int report, bool drops_privileges) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) (void)sigaction(number, &usual, NULL);
    // Not by the library, which would tell threads that are not here.
    if (drops_privileges
        && (syscall(SYS_setresgid, -1, getgid(), -1) != 0 || syscall(SYS_setresuid, -1, getuid(), -1) != 0)) {
        return errno;
    }
    // Behind that, for who gets other rights is not sent it any more.
    if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0) return errno;
    // It may have ended before the kernel was asked.
    if (getppid() != parent) return ESRCH;
    for (int number = 0; number < 3; number++) {
        if (dup2(files[number], number) < 0) return errno;
    }
    if (dup2(report, 3) < 0 || fcntl(3, F_SETFD, FD_CLOEXEC) != 0) return errno;
    closefrom(4);
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) return errno;
    execve(path, arguments, environment);
    return errno;
}

/// Forks without what other parts of this process would do about it: the child executes a program at once.
static int start(pid_t *process, const char *path, char *const *arguments, char *const *environment, const int files[3],
                 int report, bool drops_privileges) {
    sigset_t all, before;
    sigfillset(&all);
    // No handler of ours may run in the child.
    int failure = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (failure != 0) return failure;
    const pid_t parent = getpid();
    *process = _Fork();
    if (*process == 0) {
        failure = become(parent, path, arguments, environment, files, report, drops_privileges);
        // Where that got so far, only 3 is open.
        if (write(report, &failure, sizeof failure) < 0 && write(3, &failure, sizeof failure) < 0) _exit(126);
        _exit(127);
    }
    failure = *process < 0 ? errno : 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

int llv_dependent_begin(pid_t *process, const char *path, char *const *arguments, char *const *environment,
                        const int files[3], bool drops_privileges) {
    *process = -1;
    int line[2];
    if (pipe2(line, O_CLOEXEC) != 0) return errno;
    // Above what the child puts into the first places, so that no copy overwrites another.
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int above[4], failure = nothing < 0 ? errno : 0;
    for (int index = 0; index < 4; index++) {
        const int file = index == 3 ? line[1] : files[index] < 0 ? nothing : files[index];
        above[index] = failure != 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 10);
        if (above[index] < 0 && failure == 0) failure = errno;
    }
    if (failure == 0) {
        failure = start(process, path, arguments, environment, above, above[3], drops_privileges);
    }
    for (int index = 0; index < 4; index++) {
        if (above[index] >= 0) close(above[index]);
    }
    if (nothing >= 0) close(nothing);
    close(line[1]);
    if (failure == 0) {
        // Nothing comes when the program was executed, for then the last copy of the other end is closed.
        ssize_t count;
        do count = read(line[0], &failure, sizeof failure);
        while (count < 0 && errno == EINTR);
        if (count != sizeof failure) failure = 0;
        if (failure != 0) {
            while (waitpid(*process, NULL, 0) < 0 && errno == EINTR) {}
            *process = -1;
        }
    }
    close(line[0]);
    return failure;
}

int llv_dependent_start(int32_t *process, const char *path, char *const *arguments, char *const *environment, int input) {
    const int files[3] = {input, -1, -1};
    return llv_dependent_begin(process, path, arguments, environment, files, false);
}
