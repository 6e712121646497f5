// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPeer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/// Room for "/proc/self/fd/" and a number.
enum { longest_link = 32 };

static llv_peer_file plain(struct stat found) {
    return (llv_peer_file){
        .device = found.st_dev,
        .inode = found.st_ino,
        .size = found.st_size,
        .modified_seconds = found.st_mtim.tv_sec,
        .modified_nanoseconds = found.st_mtim.tv_nsec,
        .changed_seconds = found.st_ctim.tv_sec,
        .changed_nanoseconds = found.st_ctim.tv_nsec,
        .links = found.st_nlink,
        .owner = found.st_uid,
        .group = found.st_gid,
        .permissions = found.st_mode & 07777,
        .is_regular_file = S_ISREG(found.st_mode),
        .is_folder = S_ISDIR(found.st_mode),
        .is_symbolic_link = S_ISLNK(found.st_mode),
    };
}

int llv_peer_read_file(int file, llv_peer_file *status) {
    struct stat found;
    if (fstat(file, &found) != 0) return -errno;
    *status = plain(found);
    return 0;
}

int llv_peer_read_image(int folder, llv_peer_file *status) {
    struct stat found;
    if (fstatat(folder, "exe", &found, 0) != 0) return -errno;
    *status = plain(found);
    return 0;
}

int64_t llv_peer_read_path(int file, void *bytes, size_t room) {
    char link[longest_link];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t count = readlink(link, bytes, room);
    if (count < 0) return -errno;
    return (size_t)count < room ? count : -ENAMETOOLONG;
}

int llv_peer_open_entry(int folder, const char *name) {
    int file = folder < 0 ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)
                          : openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return file >= 0 ? file : -errno;
}

int llv_peer_reopen(int file, bool is_folder) {
    struct stat found;
    if (fstat(file, &found) != 0) return -errno;
    // Opening a device or a pipe can do things or wait; what is open as O_PATH cannot be exchanged meanwhile.
    if (!is_folder && !S_ISREG(found.st_mode)) return -EINVAL;
    char link[longest_link];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int again = open(link, O_RDONLY | O_CLOEXEC | O_NOCTTY | (is_folder ? O_DIRECTORY : 0));
    return again >= 0 ? again : -errno;
}
