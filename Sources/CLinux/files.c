// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

int llv_rename_noreplace(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // NFS and a few others do not know the flag. Between the check and the rename another process may create
    // `to`; rename() then still refuses to replace a folder that has anything in it (ENOTEMPTY or EEXIST).
    struct stat status;
    if (lstat(to, &status) == 0) return EEXIST;
    if (errno != ENOENT) return errno;
    if (rename(from, to) == 0) return 0;
    return errno == ENOTEMPTY ? EEXIST : errno;
}

int64_t llv_filesystem_type(const char *path) {
    struct statfs status;
    if (statfs(path, &status) != 0) return -(int64_t)errno;
    return (int64_t)(uint32_t)status.f_type;
}

int llv_filesystem_is_readonly(const char *path) {
    struct statvfs status;
    if (statvfs(path, &status) != 0) return -errno;
    return (status.f_flag & ST_RDONLY) != 0;
}

int llv_sync_path(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    int failure = fsync(fd) == 0 ? 0 : errno;
    close(fd);
    return failure;
}

int llv_read_file_status(const char *path, llv_file_status *status) {
    struct stat found;
    if (lstat(path, &found) != 0) return errno;
    status->is_folder = S_ISDIR(found.st_mode);
    status->is_regular_file = S_ISREG(found.st_mode);
    status->permissions = found.st_mode & 07777;
    status->owner = found.st_uid;
    status->size = found.st_size;
    status->modified = found.st_mtim.tv_sec;
    status->device = found.st_dev;
    status->inode = found.st_ino;
    return 0;
}
