// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a process, counts the calls below LLAVERO_HOME (or LLT_BELOW) that change files, those that read them and
// those that lock them, and has one of them go wrong.
//
//   LLT_FAULT=17:torn        the seventeenth call of its kind: eio | enospc | short | torn | killed of those that change,
//                            read-eio of those that read or open, lock-eio | lock-enolck of those that lock
//   LLT_FAULT_COUNT=/a/file  gets a line with the three numbers of calls when the process ends
//
// short writes half of the bytes and says so; torn writes half and dies; killed dies before the call. Where a call has no half,
// short is EIO, and torn dies after it.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "watched.h"

enum fault { none, eio, enospc, half, torn, killed, read_eio, lock_eio, lock_enolck };
enum kind { changing, reading, locking, kinds };

static const char *const names[] = {"", "eio", "enospc", "short", "torn", "killed", "read-eio", "lock-eio", "lock-enolck"};
static const enum kind kind_of[] = {
    changing, changing, changing, changing, changing, changing, reading, locking, locking};
static const int number_of[] = {0, EIO, ENOSPC, 0, 0, 0, EIO, EIO, ENOLCK};

static enum fault wanted;
static long at;
static atomic_long counts[kinds];
static pid_t first;

__attribute__((constructor)) static void start(void) {
    const char *fault = getenv("LLT_FAULT");
    char name[16] = "";
    first = getpid();
    begin_watching();
    if (fault == NULL || sscanf(fault, "%ld:%15s", &at, name) != 2) return;
    for (int index = 1; index < (int)(sizeof names / sizeof *names); index++)
        if (strcmp(name, names[index]) == 0) wanted = (enum fault)index;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("LLT_FAULT_COUNT");
    if (path == NULL || getpid() != first) return;
    int file = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    char line[96];
    int length = snprintf(
        line, sizeof line, "%ld %ld %ld\n", atomic_load(&counts[changing]), atomic_load(&counts[reading]),
        atomic_load(&counts[locking]));
    if (REAL(write)(file, line, (size_t)length) < 0) abort();
    REAL(close)(file);
}

/// What is to become of a call.
static enum fault fate_of_kind(enum kind kind, int is_ours) {
    if (!is_ours) return none;
    long number = atomic_fetch_add(&counts[kind], 1) + 1;
    enum fault fault = kind_of[wanted] == kind && number == at ? wanted : none;
    if (fault == killed) {
        kill(getpid(), SIGKILL);
        pause();
    }
    if (number_of[fault] != 0) errno = number_of[fault];
    return fault;
}

static enum fault fate(const char *path) { return fate_of_kind(changing, is_watched(path)); }
static enum fault fate_of(int fd) { return fate_of_kind(changing, is_watched_file(fd)); }

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

/// A read that fails, and a lock that is refused.
#define FAILING(what, call)                                                                                            \
    do {                                                                                                               \
        if ((what) != none) return -1;                                                                                 \
        return (call);                                                                                                 \
    } while (0)

static enum fault fate_of_reading(int fd) { return fate_of_kind(reading, is_watched_file(fd)); }

ssize_t read(int fd, void *bytes, size_t size) { FAILING(fate_of_reading(fd), REAL(read)(fd, bytes, size)); }
ssize_t pread(int fd, void *bytes, size_t size, off_t from) {
    FAILING(fate_of_reading(fd), REAL(pread)(fd, bytes, size, from));
}
ssize_t pread64(int fd, void *bytes, size_t size, off64_t from) {
    FAILING(fate_of_reading(fd), REAL(pread64)(fd, bytes, size, from));
}

int flock(int fd, int operation) {
    enum fault fault = operation & LOCK_UN ? none : fate_of_kind(locking, is_watched_file(fd));
    FAILING(fault, REAL(flock)(fd, operation));
}

/// A lock that is given back is none that could be refused.
static enum fault fate_of_locking(int fd, int command, const void *argument) {
    int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    if (!locks || ((const struct flock *)argument)->l_type == F_UNLCK) return none;
    return fate_of_kind(locking, is_watched_file(fd));
}

#define CONTROL(name, fd, command)                                                                                     \
    do {                                                                                                               \
        va_list rest;                                                                                                  \
        va_start(rest, command);                                                                                       \
        void *argument = va_arg(rest, void *);                                                                         \
        va_end(rest);                                                                                                  \
        FAILING(fate_of_locking(fd, command, argument), REAL(name)(fd, command, argument));                            \
    } while (0)

int fcntl(int fd, int command, ...) { CONTROL(fcntl, fd, command); }
int fcntl64(int fd, int command, ...) { CONTROL(fcntl64, fd, command); }

/// An opening that makes a file changes something, another one reads.
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
        int is_there = is_watched(path) && lstat(path, &status) == 0;                                                  \
        if (is_there && fate_of_kind(reading, 1) != none) return -1;                                                   \
        WHOLE(flags &O_CREAT && !is_there ? fate(path) : none, call);                                                  \
    } while (0)

int open(const char *path, int flags, ...) { OPEN(open, path, flags, REAL(open)(path, flags, mode)); }
int open64(const char *path, int flags, ...) { OPEN(open64, path, flags, REAL(open64)(path, flags, mode)); }
