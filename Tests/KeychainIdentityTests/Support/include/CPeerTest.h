// SPDX-License-Identifier: Apache-2.0

#ifndef LLT_CPEERTEST_H
#define LLT_CPEERTEST_H

#include <stdint.h>

/// Gives this thread of a process of root's the effective user and group of that number, and no capability. glibc's own
/// calls would do it to all threads. 0 or a negative errno.
int llt_thread_become(uint32_t user);

/// Takes it back.
void llt_thread_become_root(void);

#endif
