// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a process, ends it by SIGKILL at one of the calls that change files below LLAVERO_HOME, or at one of
// the commands it sends to a TPM.
//
//   LLT_KILL_AT=sync:before:3   before | after | torn (half of the bytes are written), and the count of the kind
//                               write | sync | truncate | rename | unlink | mkdir | command | any
//   LLT_KILL_TPM=/some/socket   where that TPM is; without it commands are neither counted nor listed
//   LLT_KILL_LOG=/some/file     appends one line "kind name" for each call instead
//   LLT_KILL_DISK=/some/folder  keeps there what would survive a power cut: each file as it was last synced (by
//                               inode), and each folder's names as they were last synced ("names-" and the inode)

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum when { BEFORE, AFTER, TORN };

static char home[512], kind_wanted[16], when_name[16], *log_path, *disk_path, *tpm_path;
static enum when when_wanted;
static long count_wanted;
static atomic_long count;

__attribute__((constructor)) static void start(void) {
    const char *at = getenv("LLT_KILL_AT"), *folder = getenv("LLAVERO_HOME");
    if (folder != NULL) snprintf(home, sizeof home, "%s", folder);
    if (at != NULL) sscanf(at, "%15[a-z]:%15[a-z]:%ld", kind_wanted, when_name, &count_wanted);
    when_wanted = strcmp(when_name, "after") == 0 ? AFTER : strcmp(when_name, "torn") == 0 ? TORN : BEFORE;
    log_path = getenv("LLT_KILL_LOG");
    disk_path = getenv("LLT_KILL_DISK");
    tpm_path = getenv("LLT_KILL_TPM");
}

static _Noreturn void end(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int is_ours(const char *path) {
    size_t length = strlen(home);
    return length > 0 && strncmp(path, home, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_ours(path);
}

static void list(const char *kind, const char *path) {
    char line[640];
    int length = snprintf(line, sizeof line, "%s %s\n", kind, strrchr(path, '/') + 1);
    int fd = open(log_path, O_WRONLY | O_APPEND | O_CREAT, 0600);
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (fd >= 0 && real(fd, line, (size_t)length) != length) abort();
    close(fd);
}

// Whether this call is the one; a wanted "before" has ended the process by then.
static int reached(const char *kind, const char *path) {
    if (log_path != NULL) list(kind, path);
    if (count_wanted == 0 || (strcmp(kind_wanted, "any") != 0 && strcmp(kind_wanted, kind) != 0)) return 0;
    if (atomic_fetch_add(&count, 1) + 1 != count_wanted) return 0;
    if (when_wanted == BEFORE) end();
    return 1;
}

static void keep_names(int fd, unsigned long inode) {
    char name[600], line[400];
    snprintf(name, sizeof name, "%s/names-%lu", disk_path, inode);
    int copy = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    DIR *folder = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY));
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        int length = snprintf(line, sizeof line, "%lu %s\n", (unsigned long)entry->d_ino, entry->d_name);
        if (write(copy, line, (size_t)length) != length) abort();
    }
    if (folder != NULL) closedir(folder);
    close(copy);
}

static void keep(int fd) {
    struct stat status;
    char name[600], bytes[65536];
    if (fstat(fd, &status) != 0) return;
    if (S_ISDIR(status.st_mode)) return keep_names(fd, status.st_ino);
    snprintf(name, sizeof name, "%s/%lu", disk_path, (unsigned long)status.st_ino);
    int copy = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600), read_fd = -1;
    // The descriptor may be for writing only. Its locks are in danger from another one being closed, which is why
    // this is for processes that nobody shares the folder with.
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    read_fd = open(link, O_RDONLY);
    for (ssize_t got; (got = read(read_fd, bytes, sizeof bytes)) > 0;)
        if (write(copy, bytes, (size_t)got) != got) abort();
    close(read_fd);
    close(copy);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRITING(name, parameters, whole, half)                          \
    ssize_t name parameters {                                           \
        char path[600];                                                 \
        int ours = path_of(fd, path, sizeof path);                      \
        int now = ours && reached("write", path);                       \
        if (now && when_wanted == TORN && REAL(name) half >= 0) end();  \
        ssize_t result = REAL(name) whole;                              \
        if (now) end();                                                 \
        return result;                                                  \
    }

WRITING(write, (int fd, const void *bytes, size_t size), (fd, bytes, size), (fd, bytes, size / 2))
WRITING(pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at), (fd, bytes, size / 2, at))
WRITING(pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at),
        (fd, bytes, size / 2, at))

static int is_to_tpm(int fd, char *path, size_t size) {
    struct sockaddr_un peer = {0};
    socklen_t length = sizeof peer - 1;
    if (tpm_path == NULL || getpeername(fd, (struct sockaddr *)&peer, &length) != 0) return 0;
    snprintf(path, size, "%s", peer.sun_path);
    return peer.sun_family == AF_UNIX && strcmp(peer.sun_path, tpm_path) == 0;
}

// Half a command would be no command, so torn is as before. After is before the answer: the TPM does what it was told,
// and nobody hears of it.
ssize_t send(int fd, const void *bytes, size_t size, int flags) {
    char path[600];
    int now = is_to_tpm(fd, path, sizeof path) && reached("command", path);
    if (now && when_wanted == TORN) end();
    ssize_t result = REAL(send)(fd, bytes, size, flags);
    if (now) end();
    return result;
}

#define CHANGING(name, kind, parameters, test, arguments, keeping)      \
    int name parameters {                                               \
        char path[600];                                                 \
        int ours = test;                                                \
        int now = ours && reached(kind, path);                          \
        int result = REAL(name) arguments;                              \
        if (ours && disk_path != NULL && result == 0) keeping;          \
        if (now) end();                                                 \
        return result;                                                  \
    }

static int named(const char *name, char *path, size_t size) {
    snprintf(path, size, "%s", name);
    return is_ours(path);
}

CHANGING(fsync, "sync", (int fd), path_of(fd, path, sizeof path), (fd), keep(fd))
CHANGING(fdatasync, "sync", (int fd), path_of(fd, path, sizeof path), (fd), keep(fd))
CHANGING(ftruncate, "truncate", (int fd, off_t size), path_of(fd, path, sizeof path), (fd, size), (void)0)
CHANGING(ftruncate64, "truncate", (int fd, off64_t size), path_of(fd, path, sizeof path), (fd, size), (void)0)
CHANGING(unlink, "unlink", (const char *name), named(name, path, sizeof path), (name), (void)0)
CHANGING(rename, "rename", (const char *from, const char *to), named(to, path, sizeof path), (from, to), (void)0)
CHANGING(renameat2, "rename", (int from_fd, const char *from, int to_fd, const char *to, unsigned int flags),
         named(to, path, sizeof path), (from_fd, from, to_fd, to, flags), (void)0)
CHANGING(mkdir, "mkdir", (const char *name, mode_t mode), named(name, path, sizeof path), (name, mode), (void)0)
