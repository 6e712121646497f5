// SPDX-License-Identifier: Apache-2.0
//
// What tests of several processes need and Swift's Glibc module marks unavailable or does not know.

#ifndef LLT_CTESTSUPPORT_H
#define LLT_CTESTSUPPORT_H

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// fork(), which Swift declares unavailable.
pid_t llt_fork(void);

/// Waits for a child to end, at most so many milliseconds. `status` is then as after waitpid.
bool llt_wait(pid_t child, int milliseconds, int *status);

/// Runs the rest of this program in a child, and waits for it and for every process it leaves behind. Returns in the
/// child, with -1; and in the parent, when all have ended, with the first exit code that is not 0, or with 0.
int llt_continue_in_child(void);

/// What `status` says: the exit code, or the negative number of the signal.
int llt_exit_code(int status);

/// The file this code was loaded from: a program, or a bundle of tests.
const char *_Nullable llt_image_path(void);

/// Lets a new process keep nothing that we have open but 0, 1 and 2. The call that does it is a GNU extension, which Swift does not see.
int llt_keep_standard_only(posix_spawn_file_actions_t *actions);

/// Starts `arguments` with `environment` and nothing else of ours: stdin is /dev/null, stdout and stderr are the file
/// `output`, and the process leads a group of its own. Returns 0 or an errno.
int llt_start(pid_t *child, const char *path, char *_Nullable const *_Nonnull arguments,
              char *_Nullable const *_Nonnull environment, const char *output);

#pragma clang assume_nonnull end

#endif
