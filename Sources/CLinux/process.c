// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>

bool llv_is_secure_execution(void) {
    return getauxval(AT_SECURE) != 0;
}

int llv_disable_core_dumps(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}
