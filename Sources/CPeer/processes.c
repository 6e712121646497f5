// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPeer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/nsfs.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Debian 12's headers are of Linux 6.1; the number is the same on all architectures with asm-generic/socket.h.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

int llv_peer_open_process(int socket, int32_t pid, bool *is_exact) {
    int file = -1;
    socklen_t size = sizeof file;
    *is_exact = getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &file, &size) == 0 && size == sizeof file && file >= 0;
    if (*is_exact) return fcntl(file, F_SETFD, FD_CLOEXEC) == 0 ? file : (close(file), -EBADF);
    // ENOPROTOOPT is an older kernel's answer; any other says something about this peer, or about us.
    if (errno != ENOPROTOOPT) return -errno;
    if (pid <= 0) return -ESRCH;
    file = (int)syscall(SYS_pidfd_open, pid, 0);
    return file >= 0 ? file : -errno;
}

int llv_peer_is_alive(int process) {
    struct pollfd ended = {.fd = process, .events = POLLIN};
    for (;;) {
        int count = poll(&ended, 1, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -errno;
        if (count > 0 && (ended.revents & POLLNVAL) != 0) return -EBADF;
        return count == 0;
    }
}

int llv_peer_end_process(int process) {
    return syscall(SYS_pidfd_send_signal, process, SIGTERM, NULL, 0) == 0 ? 0 : -errno;
}

/// Room for "/proc/", a number, and the longest name used here.
enum { longest_path = 64 };

static int path_of(char path[longest_path], int32_t pid, const char *name) {
    int length = pid == 0 ? snprintf(path, longest_path, "/proc/self/%s", name)
                          : snprintf(path, longest_path, "/proc/%d/%s", (int)pid, name);
    return length > 0 && length < longest_path ? 0 : -ENAMETOOLONG;
}

int llv_peer_open_process_folder(int32_t pid) {
    char path[longest_path];
    int failure = path_of(path, pid, "");
    if (failure != 0) return failure;
    int file = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return file >= 0 ? file : -errno;
}

int llv_peer_open_image(int32_t pid) {
    char path[longest_path];
    int failure = path_of(path, pid, "exe");
    if (failure != 0) return failure;
    // Without O_PATH a program that its user may run and not read could not be looked at.
    int file = open(path, O_PATH | O_CLOEXEC);
    return file >= 0 ? file : -errno;
}

/// Opens what `path` is where `root` is the root. Links of /proc that lead to a file, and not to a path, are not followed: in
/// them "self" would be this process.
static int open_in(int root, const char *path) {
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    int file = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
    return file >= 0 ? file : -errno;
}

/// The path of the working folder with `path` after it, if the process's root has that very folder there.
static int join(int folder, int root, const char *path, char *joined, size_t room) {
    int current = openat(folder, "cwd", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (current < 0) return -errno;
    int64_t count = llv_peer_read_path(current, joined, room);
    struct stat wanted, found;
    int failure = count < 0 ? (int)count : fstat(current, &wanted) != 0 ? -errno : 0;
    close(current);
    if (failure != 0) return failure;
    joined[count] = 0;
    int again = open_in(root, joined);
    if (again < 0) return again;
    bool is_same = fstat(again, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino;
    close(again);
    if (!is_same) return -ENOENT;
    int length = snprintf(joined + count, room - (size_t)count, "/%s", path);
    return length > 0 && (size_t)length < room - (size_t)count ? 0 : -ENAMETOOLONG;
}

int llv_peer_open_its_file(int folder, const char *path) {
    int root = openat(folder, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return -errno;
    char joined[2 * PATH_MAX];
    int file = path[0] == '/' ? 0 : join(folder, root, path, joined, sizeof joined);
    if (file == 0) file = open_in(root, path[0] == '/' ? path : joined);
    close(root);
    struct stat found;
    if (file >= 0 && (fstat(file, &found) != 0 || !S_ISREG(found.st_mode))) {
        close(file);
        return -EINVAL;
    }
    return file;
}

static int read_namespace(int32_t pid, const char *kind, uint64_t *number) {
    char path[longest_path], name[longest_path], text[longest_path];
    snprintf(name, sizeof name, "ns/%s", kind);
    int failure = path_of(path, pid, name);
    if (failure != 0) return failure;
    // "mnt:[4026531841]". Reading the link costs a fifth of what stat does, which opens the namespace.
    ssize_t count = readlink(path, text, sizeof text - 1);
    if (count < 0) return -errno;
    text[count] = 0;
    snprintf(name, sizeof name, "%s:[%%" SCNu64 "]%%n", kind);
    int end = 0;
    return sscanf(text, name, number, &end) == 1 && end == count ? 0 : -EPROTO;
}

int llv_peer_read_namespaces(int32_t pid, llv_peer_namespaces *namespaces) {
    int failure = read_namespace(pid, "mnt", &namespaces->mount);
    return failure != 0 ? failure : read_namespace(pid, "user", &namespaces->user);
}

int llv_peer_read_owner(int32_t pid, uint32_t *owner) {
    char path[longest_path];
    int failure = path_of(path, pid, "ns/user");
    if (failure != 0) return failure;
    int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0) return -errno;
    // The kernel shows no parent of our own namespace: the one before it is the one that was made here.
    for (int parent; (parent = ioctl(space, NS_GET_PARENT)) >= 0; space = parent) {
        uid_t user = 0;
        if (ioctl(space, NS_GET_OWNER_UID, &user) == 0) *owner = user;
        close(space);
    }
    failure = errno == EPERM ? 0 : -errno;
    close(space);
    return failure;
}

int64_t llv_peer_read_process_file(int32_t pid, const char *name, void *bytes, size_t room) {
    char path[longest_path];
    int failure = path_of(path, pid, name);
    return failure != 0 ? failure : llv_peer_read_file_at(path, bytes, room);
}

int64_t llv_peer_read_file_at(const char *path, void *bytes, size_t room) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return -errno;
    size_t done = 0;
    while (done < room) {
        ssize_t count = read(file, (char *)bytes + done, room - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            int failure = errno;
            close(file);
            return -failure;
        }
        if (count == 0) break;
        done += (size_t)count;
    }
    close(file);
    return (int64_t)done;
}
