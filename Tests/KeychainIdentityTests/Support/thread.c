// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPeerTest.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int llt_thread_become(uint32_t user) {
    if (syscall(SYS_setresgid, -1, user, -1) != 0) return -errno;
    if (syscall(SYS_setresuid, -1, user, -1) == 0) return 0;
    int failure = errno;
    llt_thread_become_root();
    return -failure;
}

void llt_thread_become_root(void) {
    // A thread that stayed somebody else would make other tests fail for no reason of theirs.
    if (syscall(SYS_setresuid, -1, 0, -1) != 0 || syscall(SYS_setresgid, -1, 0, -1) != 0) abort();
}
