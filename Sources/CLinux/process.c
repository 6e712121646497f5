// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"
#include "child_wipe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

// The C library hands a program's arguments to its initialisers too. Swift reads them from /proc, which need not be there.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    arguments = words;
}

int llv_argument_count(void) {
    return argument_count;
}

const char *llv_argument(int index) {
    return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

bool llv_is_secure_execution(void) {
    return getauxval(AT_SECURE) != 0;
}

// What this process has closed itself, and how many threads show it again for a moment.
static pthread_mutex_t closing = PTHREAD_MUTEX_INITIALIZER;
static bool was_closed_here = false;
static rlim_t core_limit_before = RLIM_INFINITY;
static bool is_limit_kept;
static unsigned int shown = 0;

int llv_disable_core_dumps(bool for_good) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return errno;
    pthread_mutex_lock(&closing);
    // What the kernel closed, for the sake of a file's rights or of one that may not be read, is never shown by us.
    const bool is_dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
    int failure = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
    if (failure == 0 && !is_limit_kept) {
        is_limit_kept = true;
        core_limit_before = limit.rlim_cur;
    }
    if (failure == 0 && is_dumpable) was_closed_here = true;
    pthread_mutex_unlock(&closing);
    if (failure != 0) return failure;
    limit.rlim_cur = 0;
    if (for_good) limit.rlim_max = 0;
    return setrlimit(RLIMIT_CORE, &limit) == 0 ? 0 : errno;
}

static char *volatile doomed;

static void remove_doomed(int signal_number) {
    char *path = doomed;
    if (path != NULL) (void)unlink(path);
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

void llv_remove_when_killed(const char *path) {
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ, SIGXCPU};
    static struct sigaction before[sizeof ends / sizeof ends[0]];
    char *old = doomed;
    if (path != NULL && old == NULL) {
        doomed = strdup(path);
        if (doomed == NULL) abort();
        for (size_t index = 0; index < sizeof ends / sizeof ends[0]; index++) {
            struct sigaction action = {.sa_handler = remove_doomed};
            // What is ignored, or handled otherwise, does not end the process.
            if (sigaction(ends[index], NULL, &before[index]) == 0 && before[index].sa_handler == SIG_DFL)
                (void)sigaction(ends[index], &action, NULL);
        }
    } else if (path == NULL && old != NULL) {
        for (size_t index = 0; index < sizeof ends / sizeof ends[0]; index++) {
            if (before[index].sa_handler == SIG_DFL) (void)sigaction(ends[index], &before[index], NULL);
        }
        doomed = NULL;
        free(old);
    }
}

void llv_forbid_crash_reports(void) {
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGQUIT};
    for (size_t index = 0; index < sizeof crashes / sizeof crashes[0]; index++) {
        struct sigaction now;
        // A caller that ignores one goes on ignoring it.
        if (sigaction(crashes[index], NULL, &now) == 0 && now.sa_handler != SIG_IGN) (void)signal(crashes[index], SIG_DFL);
    }
}

int llv_restore_core_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return errno;
    pthread_mutex_lock(&closing);
    if (is_limit_kept) limit.rlim_cur = core_limit_before < limit.rlim_max ? core_limit_before : limit.rlim_max;
    pthread_mutex_unlock(&closing);
    return setrlimit(RLIMIT_CORE, &limit) == 0 ? 0 : errno;
}

void llv_show_process(void) {
    pthread_mutex_lock(&closing);
    if (was_closed_here && shown++ == 0) (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    pthread_mutex_unlock(&closing);
}

void llv_hide_process(void) {
    pthread_mutex_lock(&closing);
    if (was_closed_here && shown > 0 && --shown == 0) (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    pthread_mutex_unlock(&closing);
}

void llv_close_forked_child(void) {
    // The one that was inherited may be held by a thread that does not exist here.
    closing = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (was_closed_here && shown > 0) (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    shown = 0;
}

int llv_drop_effective_ids(void) {
    // The group first: without the user's rights it could not be changed any more. Both set the saved ids, too.
    if (setregid(getgid(), getgid()) != 0 || setreuid(getuid(), getuid()) != 0) return errno;
    return getegid() == getgid() && geteuid() == getuid() ? 0 : EPERM;
}

int llv_make_room_for_files(uint64_t count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
    rlim_t wanted = limit.rlim_max < count ? limit.rlim_max : (rlim_t)count;
    if (limit.rlim_cur >= wanted) return 0;
    limit.rlim_cur = wanted;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? 0 : errno;
}

int llv_fill_standard_descriptors(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // The lowest number that is free is this one. The wrong way round, so that reading or writing still fails.
        if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return errno ? errno : EBADF;
    }
    return 0;
}

int llv_flush_output(void) {
    // What could not be written is gone, and with it the reason: the first one counts.
    static int noted = 0;
    int had_failed = ferror(stdout);
    if (fflush(stdout) != 0 && noted == 0) noted = errno;
    return noted == 0 && had_failed ? EIO : noted;
}

const uint64_t llv_look_into_processes = UINT64_C(1) << CAP_SYS_PTRACE;

int llv_drop_capabilities(uint64_t kept) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    // Only who may change sets can shrink this one; for others no_new_privs has the same effect.
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        if ((kept >> capability & 1) == 0) (void)prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};
    // glibc has no wrapper of its own.
    if (syscall(SYS_capget, &header, sets) != 0) return errno;
    for (int half = 0; half < _LINUX_CAPABILITY_U32S_3; half++) {
        sets[half].permitted &= (uint32_t)(kept >> (32 * half));
        sets[half].effective = sets[half].permitted;
        // Nothing is inherited, and so nothing ambient is left either.
        sets[half].inheritable = 0;
    }
    return syscall(SYS_capset, &header, sets) == 0 ? 0 : errno;
}

// glibc has no wrapper of its own, and the header's struct only where the kernel's are as new.
struct llv_sched_attr {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

uint64_t llv_set_time_slice(uint64_t nanoseconds) {
    struct llv_sched_attr wish = {0};
    if (syscall(SYS_sched_getattr, 0, &wish, sizeof wish, 0) != 0 || wish.policy != SCHED_OTHER) return 0;
    uint64_t before = wish.runtime;
    wish.runtime = nanoseconds;
    (void)syscall(SYS_sched_setattr, 0, &wish, 0);
    return before;
}

void llv_name_thread(const char *name) {
    // A shim: prctl is variadic.
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}

#if defined(__x86_64__)
#define LLV_ARCHITECTURE AUDIT_ARCH_X86_64
// Calls of the x32 kind have this bit, and other numbers.
#define LLV_FIRST_FOREIGN_CALL 0x40000000u
#elif defined(__aarch64__)
#define LLV_ARCHITECTURE AUDIT_ARCH_AARCH64
#define LLV_FIRST_FOREIGN_CALL UINT32_MAX
#endif

int llv_forbid_programs(void) {
#ifdef LLV_ARCHITECTURE
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LLV_ARCHITECTURE, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, LLV_FIRST_FOREIGN_CALL, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execve, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_execveat, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog filter = {.len = sizeof steps / sizeof steps[0], .filter = steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}

void llv_give_back_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
