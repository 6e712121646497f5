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

static const int noted[] = {SIGCHLD, SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                            SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
enum { COUNT = sizeof noted / sizeof noted[0] };

static struct sigaction before[COUNT];
// Never closed: a handler on another thread may still be writing when the noting ends.
static int line[2] = {-1, -1};
static int stop = 0;
static _Thread_local bool notes = false;

// Whichever thread the signal comes to, the waiting one is woken.
static void note(int number) {
    const int failure = errno;
    const unsigned char byte = (unsigned char)number;
    if (write(line[1], &byte, 1) < 0) {}
    errno = failure;
}

/// Takes what was noted; what the keyboard sends is for a program that runs.
static void take(bool runs) {
    unsigned char number;
    while (read(line[0], &number, 1) == 1) {
        if (number == SIGCHLD || (runs && (number == SIGINT || number == SIGQUIT))) continue;
        if (stop == 0) stop = number;
    }
}

int llv_stops_note(void) {
    if (line[0] < 0 && pipe2(line, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
    // What came too late for the time before is of that.
    take(false);
    stop = 0;
    notes = true;
    for (int index = 0; index < COUNT; index++) {
        // No SA_RESTART: what waits for the line, too, looks at it at once.
        struct sigaction action = {.sa_handler = note};
        (void)sigaction(noted[index], NULL, &before[index]);
        // What is ignored, as SIGHUP by nohup, stays so; of a child nobody would hear then.
        if (before[index].sa_handler != SIG_IGN || noted[index] == SIGCHLD) (void)sigaction(noted[index], &action, NULL);
    }
    return 0;
}

int llv_stops_line(void) { return notes ? line[0] : -1; }

int llv_stops_noted(void) {
    if (!notes) return 0;
    take(false);
    return stop;
}

bool llv_stops_wait(int file) {
    if (!notes) return true;
    for (;;) {
        if (llv_stops_noted() != 0) return false;
        struct pollfd awaited[2] = {{.fd = file, .events = POLLIN}, {.fd = line[0], .events = POLLIN}};
        // What is wrong with the file is for who reads it to find.
        if (poll(awaited, 2, -1) < 0 ? errno != EINTR : awaited[0].revents != 0) return true;
    }
}

int llv_stops_release(void) {
    for (int index = 0; index < COUNT; index++) (void)sigaction(noted[index], &before[index], NULL);
    take(false);
    notes = false;
    return stop;
}

/// Gives it a second to end by itself: what goes on running would write behind the one who tidies up.
static void end(pid_t child, int32_t *status) {
    const bool ends = stop == SIGHUP || stop == SIGINT || stop == SIGQUIT;
    (void)kill(child, ends ? stop : SIGTERM);
    (void)kill(child, SIGCONT);
    for (int round = 0; round < 100; round++) {
        if (waitpid(child, status, WNOHANG) != 0) return;
        struct timespec moment = {.tv_nsec = 10000000};
        nanosleep(&moment, NULL);
    }
    (void)kill(child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR) {}
}

int llv_attended_run(int32_t *status, const char *path, char *const *arguments, char *const *environment) {
    *status = 0;
    // No program runs yet that Ctrl-C could be for.
    if (llv_stops_noted() != 0) return EINTR;
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
