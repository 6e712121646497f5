// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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

int llv_reserve_space(int file, int64_t size) {
    while (fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size) != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
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

static int write_all(int file, const void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t written = write(file, (const char *)bytes + done, count - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written == 0 ? EIO : errno;
        done += (size_t)written;
    }
    return fsync(file) == 0 ? 0 : errno;
}

int llv_replace_file(const char *path, const void *bytes, size_t count) {
    char fresh[4096], folder[4096];
    const char *slash = strrchr(path, '/');
    if (slash == NULL || strlen(path) + 5 > sizeof fresh) return ENAMETOOLONG;
    snprintf(fresh, sizeof fresh, "%s.new", path);
    snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    // What a crash left under this name was never in force.
    if (unlink(fresh) != 0 && errno != ENOENT) return errno;
    int file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    int failure = write_all(file, bytes, count);
    close(file);
    if (failure == 0 && rename(fresh, path) != 0) failure = errno;
    if (failure != 0) {
        unlink(fresh);
        return failure;
    }
    return llv_sync_path(folder);
}

int llv_sealed_file(const char *name, const void *bytes, size_t count) {
    int file = memfd_create(name, MFD_ALLOW_SEALING);
    if (file < 0) return -errno;
    size_t done = 0;
    while (done < count) {
        ssize_t written = write(file, (const char *)bytes + done, count - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) goto failed;
        done += (size_t)written;
    }
    if (fchmod(file, 0400) != 0) goto failed;
    if (fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0) goto failed;
    return file;

failed:;
    int failure = errno == 0 ? EIO : errno;
    close(file);
    return -failure;
}
