// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_DEPENDENT_H
#define LLV_DEPENDENT_H

#include <stdbool.h>
#include <sys/types.h>

// For child.c and dependent.c alone.

/// Starts a program that ends with the calling thread, however that one ends, with `files` as its stdin, stdout and stderr (/dev/null
/// for -1), and nothing else that is open here. With `drops_privileges` it has the rights of who started this process. Returns 0 or
/// an errno.
int llv_dependent_begin(pid_t *process, const char *path, char *const *arguments, char *const *environment,
                        const int files[3], bool drops_privileges);

#endif
