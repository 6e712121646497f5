// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a process, makes calls on files below LLAVERO_HOME fail.
//
//   LLT_FAIL=read:5:keychain.db   each call of a kind fails with an errno on files whose path ends so
//                                 read | lock | status
//   LLT_FAIL_AT=3:5               the third call that changes a file fails with an errno
//   LLT_FAIL_LOG=/some/file       gets a byte for each call that failed

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[512], kind_wanted[16], ending[256];
static int number, number_at;
static long at;
static atomic_long count;

__attribute__((constructor)) static void start(void) {
    const char *fail = getenv("LLT_FAIL"), *fail_at = getenv("LLT_FAIL_AT"), *folder = getenv("LLAVERO_HOME");
    if (folder != NULL) snprintf(home, sizeof home, "%s", folder);
    if (fail != NULL) sscanf(fail, "%15[a-z]:%d:%255s", kind_wanted, &number, ending);
    if (fail_at != NULL) sscanf(fail_at, "%ld:%d", &at, &number_at);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void log_failure(void) {
    const char *path = getenv("LLT_FAIL_LOG");
    if (path == NULL) return;
    int file = REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0 && REAL(write)(file, "x", 1) != 1) abort();
    close(file);
}

static int is_ours(const char *path) {
    size_t length = strlen(home);
    return length > 0 && strncmp(path, home, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int fails(const char *kind, const char *path) {
    size_t length = strlen(path), rest = strlen(ending);
    if (number == 0 || strcmp(kind, kind_wanted) != 0 || !is_ours(path) || rest > length) return 0;
    if (strcmp(path + length - rest, ending) != 0) return 0;
    log_failure();
    errno = number;
    return 1;
}

static int path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = 0;
    return length > 0;
}

static int fails_on(const char *kind, int fd) {
    char path[600];
    return number != 0 && path_of(fd, path, sizeof path) && fails(kind, path);
}

static int fails_now(const char *path) {
    if (at == 0 || !is_ours(path) || atomic_fetch_add(&count, 1) + 1 != at) return 0;
    log_failure();
    errno = number_at;
    return 1;
}

static int fails_now_on(int fd) {
    char path[600];
    return at != 0 && path_of(fd, path, sizeof path) && fails_now(path);
}

ssize_t read(int fd, void *bytes, size_t size) { return fails_on("read", fd) ? -1 : REAL(read)(fd, bytes, size); }
ssize_t pread(int fd, void *bytes, size_t size, off_t from) {
    return fails_on("read", fd) ? -1 : REAL(pread)(fd, bytes, size, from);
}
ssize_t pread64(int fd, void *bytes, size_t size, off64_t from) {
    return fails_on("read", fd) ? -1 : REAL(pread64)(fd, bytes, size, from);
}

static int is_lock(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

int fcntl(int fd, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return is_lock(command) && fails_on("lock", fd) ? -1 : REAL(fcntl)(fd, command, argument);
}

int fcntl64(int fd, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return is_lock(command) && fails_on("lock", fd) ? -1 : REAL(fcntl64)(fd, command, argument);
}

int lstat(const char *path, struct stat *status) { return fails("status", path) ? -1 : REAL(lstat)(path, status); }

ssize_t write(int fd, const void *bytes, size_t size) { return fails_now_on(fd) ? -1 : REAL(write)(fd, bytes, size); }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t to) {
    return fails_now_on(fd) ? -1 : REAL(pwrite)(fd, bytes, size, to);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t to) {
    return fails_now_on(fd) ? -1 : REAL(pwrite64)(fd, bytes, size, to);
}
int fsync(int fd) { return fails_now_on(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails_now_on(fd) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return fails_now_on(fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return fails_now_on(fd) ? -1 : REAL(ftruncate64)(fd, size); }
int rename(const char *from, const char *to) { return fails_now(to) ? -1 : REAL(rename)(from, to); }
int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags) {
    return fails_now(to) ? -1 : REAL(renameat2)(from_fd, from, to_fd, to, flags);
}
