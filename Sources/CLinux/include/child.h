// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_CHILD_H
#define LLV_CHILD_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A program that was started to be talked to.
typedef struct {
    int32_t pid;
    int32_t handle;  // a pidfd, or -1 where the kernel has none
    int32_t line;    // our end of the socket that is its stdin and its stdout; reading from it never waits
    int32_t complaints;  // a file in memory that is its stderr, or -1; it outlasts the child, and is closed by the caller
} llv_child;

/// How one ended.
typedef struct {
    bool is_known;      // false when the program has collected it elsewhere: a program that ignores SIGCHLD, or waits for all
    int32_t exit_code;  // or -1
    int32_t signal;     // that ended it, or 0
} llv_child_ending;

/// Starts the program at `path`. It gets these arguments and this environment, one end of `line` as stdin and stdout,
/// nothing else that is open here, and no blocked or ignored signal. With `drops_privileges` it is run by who started
/// us, with no more rights than they have. Its stderr leads nowhere, but with `keeps_complaints` to a file. It ends with the
/// thread that calls this, however that one ends: a question is gone with the process that asks it. Returns 0 or an errno.
int llv_child_start(llv_child *child, const char *path, char *_Nullable const *_Nonnull arguments,
                    char *_Nullable const *_Nonnull environment, bool drops_privileges,
                    bool keeps_complaints);

/// Whether it has ended; it stays to be collected by `llv_child_end`.
bool llv_child_has_ended(const llv_child *child);

/// Hangs up, gives it `timeout` milliseconds to end, then `grace` more after SIGTERM, then kills it. It is gone, and
/// collected, when this returns.
llv_child_ending llv_child_end(llv_child *child, int timeout, int grace);

/// Starts the program at `path` in a session of its own, in the root folder, with /dev/null as stdin, stdout and stderr,
/// nothing that is open here, and no blocked or ignored signal. Its number goes into `process`. Returns 0 or an errno.
int llv_service_start(int32_t *process, const char *path, char *_Nullable const *_Nonnull arguments,
                      char *_Nullable const *_Nonnull environment);

/// Starts the program at `path`, which ends with this process, however this one ends: the kernel sends it SIGTERM. It gets
/// `input` as stdin and nothing else that is open here; stdout and stderr lead nowhere. Its number goes into `process`.
/// To be called on the thread that lasts as long as the process. Returns 0 or an errno.
int llv_dependent_start(int32_t *process, const char *path, char *_Nullable const *_Nonnull arguments,
                        char *_Nullable const *_Nonnull environment, int input);

/// From now on SIGHUP, SIGINT, SIGQUIT, SIGTERM, and others that end a process from outside, do not end this one but are noted,
/// until `llv_stops_release`, so that it can tidy up first. Of one thread, whose waits (`Deadline`) end then, and not nested.
/// Returns 0 or an errno.
int llv_stops_note(void);

/// The first that was noted, or 0; on every other thread 0.
int llv_stops_noted(void);

/// A descriptor that can be read when there is something new for `llv_stops_noted`, for poll; -1 where nothing is noted.
int llv_stops_line(void);

/// Waits until `file` can be read; false when a signal was noted. Where nothing is noted it does not wait at all.
bool llv_stops_wait(int file);

/// Lets them act as before. Returns the first that was noted, or 0; it has not acted.
int llv_stops_release(void);

/// Runs the program at `path` on our terminal: it has our stdin, stdout and stderr, our process group, nothing else that is open
/// here, no more rights than who started us, and no blocked or ignored signal. Waits for its end, which goes into `status` as
/// waitpid says it; while it is stopped, so is this process. To be called between `llv_stops_note` and `llv_stops_release`:
/// what the keyboard sends meanwhile is the program's alone, and another signal ends it and the waiting. Returns 0 or an errno,
/// EINTR after such a signal.
int llv_attended_run(int32_t *status, const char *path, char *_Nullable const *_Nonnull arguments,
                     char *_Nullable const *_Nonnull environment);

#pragma clang assume_nonnull end

#endif
