// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// A test that writes to a program which is gone fails by EPIPE; by the signal all tests would end, and nobody would know where. Ignored,
// the signal would be ignored in what tests start, too; a handler is not inherited by other programs.

static void tell_who_wrote(int signal) {
    (void)signal;
    static const char line[] = "a test, or what it calls, wrote to somebody who is gone:\n";
    int error = errno;
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    void *callers[64];
    backtrace_symbols_fd(callers, backtrace(callers, 64), STDERR_FILENO);
    errno = error;
}

__attribute__((constructor)) static void survive_closed_pipes(void) {
    const char *end = strrchr(program_invocation_name, '.');
    if (end == NULL || strcmp(end, ".xctest") != 0) return;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = tell_who_wrote;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    struct sigaction before;
    if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(SIGPIPE, &action, NULL);
}
