// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a process, records each call that changes a file or folder below LLAVERO_HOME (or LLT_BELOW), with its data,
// and each sync. Scripts/faults/power.py makes of the record what a disk may hold after a power cut.
//
//   LLT_RECORD=/a/file   gets the records behind what it holds; any number of processes may share it
//
// A record is a line "verb inode number mode size", and so many bytes: what was written, or a path, or two with a NUL between
// them. Only calls that did something are recorded. The record's lock is held from before a call until it is recorded, so the
// order is that of the calls.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "watched.h"

static const char *record_path;

__attribute__((constructor)) static void start(void) {
    begin_watching();
    record_path = getenv("LLT_RECORD");
}

/// Opened for each call: a daemon closes all descriptors that it does not know.
static int begin(int is_ours) {
    if (!is_ours || record_path == NULL) return -1;
    int record = REAL(open)(record_path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (record < 0 || flock(record, LOCK_EX) != 0) abort();
    return record;
}

struct note {
    const char *verb;
    struct stat *status;
    long long number;
    const void *bytes;
    size_t size;
};

static void end(int record, const struct note *note) {
    if (record < 0) return;
    int failure = errno;
    if (note != NULL) {
        char line[128];
        int length = snprintf(
            line, sizeof line, "%s %llu %lld %o %zu\n", note->verb,
            note->status == NULL ? 0ull : (unsigned long long)note->status->st_ino, note->number,
            note->status == NULL ? 0u : note->status->st_mode & 07777u, note->size);
        if (REAL(write)(record, line, (size_t)length) != length) abort();
        if (note->size > 0 && REAL(write)(record, note->bytes, note->size) != (ssize_t)note->size) abort();
    }
    REAL(close)(record);
    errno = failure;
}

static struct stat status_of(int fd) {
    struct stat status = {0};
    fstat(fd, &status);
    return status;
}

/// A call on an open file that ends with 0, and what is recorded of it.
#define ON_FILE(fd, word, length, call)                                                                                \
    do {                                                                                                               \
        int record = begin(is_watched_file(fd));                                                                       \
        int result = (call);                                                                                           \
        struct stat status = status_of(fd);                                                                            \
        struct note note = {.verb = word, .status = &status, .number = (length)};                                      \
        end(record, result == 0 ? &note : NULL);                                                                       \
        return result;                                                                                                 \
    } while (0)

/// A call on a path that ends with 0; the inode is the path's own afterwards, where it has one.
#define ON_PATH(path, word, call)                                                                                      \
    do {                                                                                                               \
        int record = begin(is_watched(path));                                                                          \
        int result = (call);                                                                                           \
        struct stat status = {0};                                                                                      \
        if (record >= 0) lstat(path, &status);                                                                         \
        struct note note = {.verb = word, .status = &status, .bytes = path, .size = strlen(path)};                     \
        end(record, result == 0 ? &note : NULL);                                                                       \
        return result;                                                                                                 \
    } while (0)

#define WRITE(fd, written, place)                                                                                      \
    do {                                                                                                               \
        int record = begin(is_watched_file(fd));                                                                       \
        ssize_t result = (written);                                                                                    \
        struct stat status = status_of(fd);                                                                            \
        struct note note = {.verb = "write", .status = &status, .number = (place), .bytes = bytes,                     \
                            .size = result > 0 ? (size_t)result : 0};                                                  \
        end(record, result > 0 ? &note : NULL);                                                                        \
        return result;                                                                                                 \
    } while (0)

ssize_t write(int fd, const void *bytes, size_t size) {
    WRITE(fd, REAL(write)(fd, bytes, size), record < 0 ? 0 : lseek(fd, 0, SEEK_CUR) - result);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t to) { WRITE(fd, REAL(pwrite)(fd, bytes, size, to), to); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t to) {
    WRITE(fd, REAL(pwrite64)(fd, bytes, size, to), to);
}

int fsync(int fd) { ON_FILE(fd, "sync", 0, REAL(fsync)(fd)); }
int fdatasync(int fd) { ON_FILE(fd, "sync", 0, REAL(fdatasync)(fd)); }
int ftruncate(int fd, off_t size) { ON_FILE(fd, "size", status.st_size, REAL(ftruncate)(fd, size)); }
int ftruncate64(int fd, off64_t size) { ON_FILE(fd, "size", status.st_size, REAL(ftruncate64)(fd, size)); }
int fchmod(int fd, mode_t mode) { ON_FILE(fd, "mode", 0, REAL(fchmod)(fd, mode)); }
int posix_fallocate(int fd, off_t from, off_t size) {
    ON_FILE(fd, "size", status.st_size, REAL(posix_fallocate)(fd, from, size));
}
int posix_fallocate64(int fd, off64_t from, off64_t size) {
    ON_FILE(fd, "size", status.st_size, REAL(posix_fallocate64)(fd, from, size));
}
int fallocate(int fd, int mode, off_t from, off_t size) {
    ON_FILE(fd, "size", status.st_size, REAL(fallocate)(fd, mode, from, size));
}
int fallocate64(int fd, int mode, off64_t from, off64_t size) {
    ON_FILE(fd, "size", status.st_size, REAL(fallocate64)(fd, mode, from, size));
}

int unlink(const char *path) { ON_PATH(path, "unlink", REAL(unlink)(path)); }
int rmdir(const char *path) { ON_PATH(path, "unlink", REAL(rmdir)(path)); }
int mkdir(const char *path, mode_t mode) { ON_PATH(path, "folder", REAL(mkdir)(path, mode)); }
int chmod(const char *path, mode_t mode) { ON_PATH(path, "mode", REAL(chmod)(path, mode)); }
int link(const char *from, const char *to) { ON_PATH(to, "link", REAL(link)(from, to)); }
int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags) {
    ON_PATH(to, "link", REAL(linkat)(from_fd, from, to_fd, to, flags));
}

#define RENAME(word, from, to, call)                                                                                   \
    do {                                                                                                               \
        int record = begin(is_watched(from) && is_watched(to));                                                        \
        int result = (call);                                                                                           \
        char both[1200];                                                                                               \
        int size = record < 0 ? 0 : snprintf(both, sizeof both, "%s%c%s", from, 0, to);                                \
        struct note note = {.verb = word, .bytes = both, .size = (size_t)size};                                        \
        end(record, result == 0 ? &note : NULL);                                                                       \
        return result;                                                                                                 \
    } while (0)

int rename(const char *from, const char *to) { RENAME("rename", from, to, REAL(rename)(from, to)); }
int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags) {
    RENAME(flags & RENAME_EXCHANGE ? "exchange" : "rename", from, to, REAL(renameat2)(from_fd, from, to_fd, to, flags));
}

/// What an opening changed: a file is new, or was emptied.
static void end_opening(int record, int fd, const char *path, int flags, int was_there) {
    struct stat status = {0};
    if (record >= 0 && fd >= 0) status = status_of(fd);
    int is_nameless = (flags & __O_TMPFILE) != 0;
    struct note made = {.verb = "file", .status = &status, .bytes = path, .size = is_nameless ? 0 : strlen(path)};
    struct note emptied = {.verb = "size", .status = &status};
    const struct note *note = flags & (O_CREAT | __O_TMPFILE) && !was_there ? &made : flags & O_TRUNC ? &emptied : NULL;
    end(record, fd >= 0 ? note : NULL);
}

#define OPEN(name, path, flags)                                                                                        \
    do {                                                                                                               \
        mode_t mode = 0;                                                                                               \
        if (flags & (O_CREAT | __O_TMPFILE)) {                                                                         \
            va_list rest;                                                                                              \
            va_start(rest, flags);                                                                                     \
            mode = va_arg(rest, mode_t);                                                                               \
            va_end(rest);                                                                                              \
        }                                                                                                              \
        int record = begin(is_watched(path) && flags & (O_CREAT | __O_TMPFILE | O_TRUNC));                             \
        struct stat before;                                                                                            \
        int was_there = record >= 0 && !(flags & __O_TMPFILE) && lstat(path, &before) == 0;                            \
        int fd = REAL(name)(path, flags, mode);                                                                        \
        end_opening(record, fd, path, flags, was_there);                                                               \
        return fd;                                                                                                     \
    } while (0)

int open(const char *path, int flags, ...) { OPEN(open, path, flags); }
int open64(const char *path, int flags, ...) { OPEN(open64, path, flags); }
int mkstemp(char *template) {
    int record = begin(is_watched(template));
    int fd = REAL(mkstemp)(template);
    end_opening(record, fd, template, O_CREAT, 0);
    return fd;
}
