// SPDX-License-Identifier: Apache-2.0
//
// A program on our terminal, as an editor, with something of ours that has to be tidied up whatever ends us.

#define _GNU_SOURCE
#include "child.h"
#include "spawning.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int noted[] = {SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { COUNT = sizeof noted / sizeof noted[0] };

static struct sigaction before[COUNT];
static int line[2] = {-1, -1};
static int stop = 0;

// Whichever thread the signal comes to, the waiting one is woken.
static void note(int number) {
    const int failure = errno;
    const unsigned char byte = (unsigned char)number;
    if (write(line[1], &byte, 1) < 0) {}
    errno = failure;
}

int llv_stops_note(void) {
    if (pipe2(line, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
    stop = 0;
    for (int index = 0; index < COUNT; index++) {
        // No SA_RESTART: a question that is being asked ends.
        struct sigaction action = {.sa_handler = note};
        (void)sigaction(noted[index], NULL, &before[index]);
        // What is ignored, as SIGHUP by nohup, stays so; of a child nobody would hear then.
        if (before[index].sa_handler != SIG_IGN || noted[index] == SIGCHLD) (void)sigaction(noted[index], &action, NULL);
    }
    return 0;
}

/// Takes what was noted; what the keyboard sends is for a program that runs.
static void take(bool runs) {
    unsigned char number;
    while (read(line[0], &number, 1) == 1) {
        if (number == SIGCHLD || (runs && (number == SIGINT || number == SIGQUIT))) continue;
        if (stop == 0) stop = number;
    }
}

int llv_stops_noted(void) {
    if (line[0] >= 0) take(false);
    return stop;
}

void llv_stops_release(void) {
    for (int index = 0; index < COUNT; index++) (void)sigaction(noted[index], &before[index], NULL);
    take(false);
    close(line[0]);
    close(line[1]);
    line[0] = line[1] = -1;
}

/// Gives it a second to end.
static void end(pid_t child, int32_t *status) {
    (void)kill(child, stop);
    (void)kill(child, SIGCONT);
    for (int round = 0; round < 100; round++) {
        if (waitpid(child, status, WNOHANG) != 0) return;
        struct timespec moment = {.tv_nsec = 10000000};
        nanosleep(&moment, NULL);
    }
}

int llv_attended_run(int32_t *status, const char *path, char *const *arguments, char *const *environment) {
    *status = 0;
    llv_spawning spawning;
    pid_t child = -1;
    int failure = llv_spawning_begin(&spawning, POSIX_SPAWN_RESETIDS);
    if (failure != 0) return failure;
    failure = posix_spawn_file_actions_addclosefrom_np(&spawning.files, 3);
    if (failure == 0) failure = posix_spawn(&child, path, &spawning.files, &spawning.attributes, arguments, environment);
    llv_spawning_end(&spawning);
    if (failure != 0) return failure;
    for (;;) {
        const pid_t found = waitpid(child, status, WNOHANG | WUNTRACED);
        if (found < 0 && errno != EINTR) return errno;
        if (found == child && !WIFSTOPPED(*status)) {
            take(true);
            return stop != 0 ? EINTR : 0;
        }
        if (found == child) {
            // So that the shell has the terminal; in a group that no shell looks after, this stops nobody.
            (void)raise(SIGTSTP);
            (void)kill(child, SIGCONT);
            continue;
        }
        take(true);
        if (stop != 0) {
            end(child, status);
            return EINTR;
        }
        struct pollfd awaited = {.fd = line[0], .events = POLLIN};
        (void)poll(&awaited, 1, -1);
    }
}
