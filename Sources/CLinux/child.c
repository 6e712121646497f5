// SPDX-License-Identifier: Apache-2.0
//
// A child to talk to. It gets a socket and not two pipes: writing to one whose reader has gone must not be a signal to
// the program we are in, and hanging up must reach the child even when another thread has forked meanwhile, whose copy
// of a pipe would keep it open.

#define _GNU_SOURCE
#include "child.h"
#include "dependent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int llv_child_start(llv_child *child, const char *path, char *const *arguments, char *const *environment,
                    bool drops_privileges, bool keeps_complaints) {
    *child = (llv_child){.pid = -1, .handle = -1, .line = -1, .complaints = -1};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    // Ours alone: a program expects a stdin that waits.
    int failure = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
    if (keeps_complaints) child->complaints = memfd_create("complaints", MFD_CLOEXEC);
    if (failure == 0) {
        // It stays in our process group: one of its own would be in the background of our terminal, and be stopped by it.
        const int files[3] = {ends[1], ends[1], child->complaints};
        failure = llv_dependent_begin(&child->pid, path, arguments, environment, files, drops_privileges);
    }
    close(ends[1]);
    if (failure != 0) {
        close(ends[0]);
        if (child->complaints >= 0) close(child->complaints);
        child->complaints = -1;
        return failure;
    }
    child->line = ends[0];
#ifdef SYS_pidfd_open
    // A number can become another process's once another part of the program has collected ours. A pidfd, which is CLOEXEC, cannot.
    child->handle = (int)syscall(SYS_pidfd_open, child->pid, 0);
#endif
    return 0;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Whether the child has ended; waits so many milliseconds for it.
static bool has_ended(const llv_child *child, int timeout) {
    const int64_t end = milliseconds() + timeout;
    for (;;) {
        siginfo_t found = {.si_pid = 0};
        // WNOWAIT: it stays to be collected, and its number stays its own. An error means that another part of the program has.
        if (waitid(P_PID, (id_t)child->pid, &found, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
        if (found.si_pid != 0) return true;
        const int64_t left = end - milliseconds();
        if (left <= 0) return false;
        // Without a pidfd, all that can be seen is that the other end of the line is closed.
        struct pollfd awaited = {.fd = child->line, .events = 0};
        if (child->handle >= 0) awaited = (struct pollfd){.fd = child->handle, .events = POLLIN};
        if (poll(&awaited, 1, (int)left) == 1 && child->handle < 0) {
            // It lets go of its end a moment before it can be collected.
            struct timespec moment = {.tv_nsec = 1000000};
            nanosleep(&moment, NULL);
        }
    }
}

bool llv_child_has_ended(const llv_child *child) { return has_ended(child, 0); }

static void tell(const llv_child *child, int signal) {
#ifdef SYS_pidfd_send_signal
    const bool has_handle = child->handle >= 0;
    if (has_handle && (syscall(SYS_pidfd_send_signal, child->handle, signal, NULL, 0) == 0 || errno == ESRCH)) return;
#endif
    if (!has_ended(child, 0)) kill(child->pid, signal);
}

llv_child_ending llv_child_end(llv_child *child, int timeout, int grace) {
    llv_child_ending ending = {.is_known = false, .exit_code = -1, .signal = 0};
    if (child->pid < 0) return ending;
    // Only our half: a last word of its own must not be a signal that ends it in the middle of tidying up.
    shutdown(child->line, SHUT_WR);
    if (!has_ended(child, timeout)) {
        tell(child, SIGTERM);
        if (!has_ended(child, grace)) tell(child, SIGKILL);
    }
    siginfo_t found = {.si_pid = 0};
    int result;
    do result = waitid(P_PID, (id_t)child->pid, &found, WEXITED);
    while (result != 0 && errno == EINTR);
    if (result == 0) {
        ending.is_known = true;
        if (found.si_code == CLD_EXITED) ending.exit_code = found.si_status;
        else ending.signal = found.si_status;
    }
    close(child->line);
    if (child->handle >= 0) close(child->handle);
    *child = (llv_child){.pid = -1, .handle = -1, .line = -1, .complaints = child->complaints};
    return ending;
}
