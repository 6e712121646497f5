// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a process, counts the calls that change files below LLAVERO_HOME, and has one of them go wrong.
//
//   LLT_FAULT=17:torn        the seventeenth such call: eio | enospc | short | torn | killed
//   LLT_FAULT_COUNT=/a/file  gets the number of such calls when the process ends
//
// short writes half of the bytes and says so; torn writes half and dies; killed dies before the call. Where a call has no half,
// short is EIO, and torn dies after it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum fault { none, eio, enospc, half, torn, killed };

static char home[512];
static enum fault wanted;
static long at;
static atomic_long count;
static pid_t first;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void) {
    const char *fault = getenv("LLT_FAULT"), *folder = getenv("LLAVERO_HOME");
    char kind[16] = "";
    first = getpid();
    if (folder != NULL) snprintf(home, sizeof home, "%s", folder);
    if (fault == NULL || sscanf(fault, "%ld:%15s", &at, kind) != 2) return;
    const char *names[] = {"", "eio", "enospc", "short", "torn", "killed"};
    for (int index = 1; index < 6; index++)
        if (strcmp(kind, names[index]) == 0) wanted = (enum fault)index;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("LLT_FAULT_COUNT");
    if (path == NULL || getpid() != first) return;
    int file = REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0) dprintf(file, "%ld\n", atomic_load(&count));
    if (file >= 0) REAL(close)(file);
}

static int is_ours(const char *path) {
    size_t length = strlen(home);
    return length > 0 && path != NULL && strncmp(path, home, length) == 0;
}

/// What is to become of a call on a path.
static enum fault fate(const char *path) {
    if (!is_ours(path)) return none;
    long number = atomic_fetch_add(&count, 1) + 1;
    enum fault fault = number == at ? wanted : none;
    if (fault == killed) {
        kill(getpid(), SIGKILL);
        pause();
    }
    if (fault == eio || fault == enospc) errno = fault == eio ? EIO : ENOSPC;
    return fault;
}

static enum fault fate_of(int fd) {
    char link[64], path[600];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return none;
    path[length] = 0;
    return fate(path);
}

/// What is done of a call that has no half.
#define WHOLE(what, call)                                                                                              \
    do {                                                                                                               \
        enum fault f = (what);                                                                                         \
        if (f == half) errno = EIO;                                                                                    \
        if (f == eio || f == enospc || f == half) return -1;                                                           \
        int result = (call);                                                                                           \
        if (f == torn) {                                                                                               \
            kill(getpid(), SIGKILL);                                                                                   \
            pause();                                                                                                   \
        }                                                                                                              \
        return result;                                                                                                 \
    } while (0)

/// How many bytes a write gets to write; the process dies behind them where it is torn.
#define PART(what, size, call)                                                                                         \
    do {                                                                                                               \
        enum fault f = (what);                                                                                         \
        size_t part = size;                                                                                            \
        if (f == eio || f == enospc) return -1;                                                                        \
        if (f == half || f == torn) part = part > 1 ? part / 2 : part;                                                 \
        ssize_t result = (call);                                                                                       \
        if (f == torn) {                                                                                               \
            kill(getpid(), SIGKILL);                                                                                   \
            pause();                                                                                                   \
        }                                                                                                              \
        return result;                                                                                                 \
    } while (0)

ssize_t write(int fd, const void *bytes, size_t size) { PART(fate_of(fd), size, REAL(write)(fd, bytes, part)); }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t to) {
    PART(fate_of(fd), size, REAL(pwrite)(fd, bytes, part, to));
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t to) {
    PART(fate_of(fd), size, REAL(pwrite64)(fd, bytes, part, to));
}

int fsync(int fd) { WHOLE(fate_of(fd), REAL(fsync)(fd)); }
int fdatasync(int fd) { WHOLE(fate_of(fd), REAL(fdatasync)(fd)); }
int ftruncate(int fd, off_t size) { WHOLE(fate_of(fd), REAL(ftruncate)(fd, size)); }
int ftruncate64(int fd, off64_t size) { WHOLE(fate_of(fd), REAL(ftruncate64)(fd, size)); }
int rename(const char *from, const char *to) { WHOLE(fate(to), REAL(rename)(from, to)); }
int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags) {
    WHOLE(fate(to), REAL(renameat2)(from_fd, from, to_fd, to, flags));
}
int link(const char *from, const char *to) { WHOLE(fate(to), REAL(link)(from, to)); }
int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags) {
    WHOLE(fate(to), REAL(linkat)(from_fd, from, to_fd, to, flags));
}
int unlink(const char *path) { WHOLE(fate(path), REAL(unlink)(path)); }
int unlinkat(int fd, const char *path, int flags) { WHOLE(fate(path), REAL(unlinkat)(fd, path, flags)); }
int mkdir(const char *path, mode_t mode) { WHOLE(fate(path), REAL(mkdir)(path, mode)); }
int rmdir(const char *path) { WHOLE(fate(path), REAL(rmdir)(path)); }

/// posix_fallocate returns its error.
int posix_fallocate(int fd, off_t from, off_t size) {
    enum fault fault = fate_of(fd);
    if (fault == eio || fault == half) return EIO;
    return fault == enospc ? ENOSPC : REAL(posix_fallocate)(fd, from, size);
}
int posix_fallocate64(int fd, off64_t from, off64_t size) {
    enum fault fault = fate_of(fd);
    if (fault == eio || fault == half) return EIO;
    return fault == enospc ? ENOSPC : REAL(posix_fallocate64)(fd, from, size);
}
int fallocate(int fd, int mode, off_t from, off_t size) { WHOLE(fate_of(fd), REAL(fallocate)(fd, mode, from, size)); }
int fallocate64(int fd, int mode, off64_t from, off64_t size) {
    WHOLE(fate_of(fd), REAL(fallocate64)(fd, mode, from, size));
}

/// Only an opening that may make a file changes anything.
#define OPEN(name, path, flags, call)                                                                                  \
    do {                                                                                                               \
        mode_t mode = 0;                                                                                               \
        if (flags & (O_CREAT | __O_TMPFILE)) {                                                                         \
            va_list rest;                                                                                              \
            va_start(rest, flags);                                                                                     \
            mode = va_arg(rest, mode_t);                                                                               \
            va_end(rest);                                                                                              \
        }                                                                                                              \
        struct stat status;                                                                                            \
        int makes = flags & O_CREAT && is_ours(path) && lstat(path, &status) != 0;                                     \
        WHOLE(makes ? fate(path) : none, call);                                                                        \
    } while (0)

int open(const char *path, int flags, ...) { OPEN(open, path, flags, REAL(open)(path, flags, mode)); }
int open64(const char *path, int flags, ...) { OPEN(open64, path, flags, REAL(open64)(path, flags, mode)); }
