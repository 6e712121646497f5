// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <time.h>
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

int llv_rename_exchange(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

// The bytes that SQLite locks, far behind what a database holds: whoever has it open with a log has a lock on one of them.
enum { sqlite_lock_bytes = 0x40000000, sqlite_lock_count = 512 };

int llv_lock_database(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return -errno;
    // Of the open file description: a lock that SQLite takes in this process is another's too.
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = sqlite_lock_bytes, .l_len = sqlite_lock_count};
    if (fcntl(file, F_OFD_SETLK, &lock) == 0) return file;
    int failure = errno == EACCES ? EAGAIN : errno;
    close(file);
    return -failure;
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

int llv_allocate_file(const char *path, int64_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    struct stat before;
    off_t had = fstat(file, &before) == 0 ? before.st_size : 0;
    int failure;
    do failure = posix_fallocate(file, 0, size);
    while (failure == EINTR);
    // What was there before stays, and a part of the rest would be missed elsewhere.
    if (failure != 0 && ftruncate(file, had) != 0) failure = errno;
    close(file);
    return failure;
}

/// Writes zeros over an open regular file; 0, or an errno.
static int blank(int file) {
    static const char zeros[4096];
    struct stat status;
    int failure = fstat(file, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
    for (int64_t done = 0; failure == 0 && done < status.st_size;) {
        int64_t rest = status.st_size - done;
        ssize_t count = pwrite(file, zeros, rest < (int64_t)sizeof zeros ? (size_t)rest : sizeof zeros, done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) failure = count == 0 ? EIO : errno;
        else done += count;
    }
    return failure;
}

int llv_blank_file(const char *path) {
    int file = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return errno;
    int failure = blank(file);
    if (failure == 0 && fsync(file) != 0) failure = errno;
    close(file);
    return failure;
}

void llv_blank_folder(int folder) {
    DIR *open_folder = fdopendir(folder);
    if (open_folder == NULL) {
        close(folder);
        return;
    }
    // Programs lock their files so, and themselves out.
    (void)fchmod(dirfd(open_folder), 0700);
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        // Not what it links to: another name of a file elsewhere is that file.
        struct stat status;
        if (fstatat(dirfd(open_folder), name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISDIR(status.st_mode)) {
            (void)fchmodat(dirfd(open_folder), name, 0700, AT_SYMLINK_NOFOLLOW);
            const int below = openat(dirfd(open_folder), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (below >= 0) llv_blank_folder(below);
            (void)unlinkat(dirfd(open_folder), name, AT_REMOVEDIR);
            continue;
        }
        if (S_ISREG(status.st_mode) && status.st_nlink == 1) {
            (void)fchmodat(dirfd(open_folder), name, 0600, AT_SYMLINK_NOFOLLOW);
            const int file = openat(dirfd(open_folder), name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
            if (file >= 0) {
                (void)blank(file);
                close(file);
            }
        }
        (void)unlinkat(dirfd(open_folder), name, 0);
    }
    closedir(open_folder);
}

void llv_blank_left_folders(const char *place, const char *beginning) {
    DIR *open_place = opendir(place);
    if (open_place == NULL) return;
    const size_t length = strlen(beginning);
    for (struct dirent *entry; (entry = readdir(open_place)) != NULL;) {
        const char *name = entry->d_name;
        if (strncmp(name, beginning, length) != 0 || strlen(name) != length + 6) continue;
        const int folder = openat(dirfd(open_place), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0) continue;
        struct stat status;
        if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 0077) == 0
            && flock(folder, LOCK_EX | LOCK_NB) == 0) {
            // Opened once more, for the lock goes with its descriptor.
            const int inside = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (inside >= 0) llv_blank_folder(inside);
            (void)unlinkat(dirfd(open_place), name, AT_REMOVEDIR);
        }
        close(folder);
    }
    closedir(open_place);
}

int64_t llv_empty_file(const char *path) {
    int file = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return -(int64_t)errno;
    struct stat status;
    int64_t result = fstat(file, &status) != 0 || ftruncate(file, 0) != 0 ? -(int64_t)errno : (int64_t)status.st_size;
    // Some file systems have the room free only when it is on the disk that it is.
    if (result > 0) (void)fsync(file);
    close(file);
    return result;
}

int llv_copy_file(const char *from, const char *to) {
    char bytes[65536];
    int source = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (source < 0) return errno;
    struct stat status;
    int failure = fstat(source, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
    int copy = failure == 0 ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    if (failure == 0 && copy < 0) failure = errno;
    while (failure == 0) {
        ssize_t got = read(source, bytes, sizeof bytes);
        if (got == 0) break;
        if (got < 0 && errno != EINTR) failure = errno;
        for (ssize_t done = 0; failure == 0 && done < got;) {
            ssize_t written = write(copy, bytes + done, (size_t)(got - done));
            if (written < 0 && errno != EINTR) failure = errno;
            else if (written > 0) done += written;
        }
    }
    close(source);
    if (copy >= 0) close(copy);
    return failure;
}

static int write_part(int file, const char *bytes, size_t from, size_t to) {
    for (size_t done = from; done < to;) {
        ssize_t written = pwrite(file, bytes + done, to - done, (off_t)done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written == 0 ? EIO : errno;
        done += (size_t)written;
    }
    return fsync(file) == 0 ? 0 : errno;
}

int llv_overwrite_halves(const char *path, const void *bytes, size_t count, size_t middle, bool last_first) {
    int file = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return errno;
    struct stat status;
    int failure = fstat(file, &status) != 0 ? errno : 0;
    if (failure == 0 && (!S_ISREG(status.st_mode) || (size_t)status.st_size != count || middle > count)) failure = EINVAL;
    for (int half = 0; half < 2 && failure == 0; half++) {
        bool is_last = (half == 1) != last_first;
        failure = write_part(file, bytes, is_last ? middle : 0, is_last ? count : middle);
    }
    close(file);
    return failure;
}

bool llv_hold_file_size_signal(void) {
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    if (pthread_sigmask(SIG_BLOCK, &signals, &before) != 0) return false;
    return !sigismember(&before, SIGXFSZ);
}

void llv_release_file_size_signal(bool held) {
    if (!held) return;
    int failure = errno;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    // The kernel sends it to the thread that wrote, and it would come as soon as it may.
    struct timespec now = {0, 0};
    (void)sigtimedwait(&signals, NULL, &now);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    errno = failure;
}

static void pass_over(int number) {
    (void)number;
}

void llv_catch_file_size_signal(void) {
    struct sigaction action;
    if (sigaction(SIGXFSZ, NULL, &action) != 0 || action.sa_handler != SIG_DFL) return;
    action = (struct sigaction){.sa_handler = pass_over, .sa_flags = SA_RESTART};
    (void)sigaction(SIGXFSZ, &action, NULL);
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
    status->links = found.st_nlink;
    return 0;
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
