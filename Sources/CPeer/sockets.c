// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPeer.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int address_of(const char *path, struct sockaddr_un *address, socklen_t *size) {
    size_t length = strlen(path);
    // A path that begins with NUL would be an abstract name, which no file permission guards.
    if (length == 0) return -EINVAL;
    if (length >= sizeof address->sun_path) return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length + 1);
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    return 0;
}

static int closing(int file, int failure) {
    close(file);
    return -failure;
}

int llv_peer_listen(const char *path, uint32_t permissions, int backlog) {
    struct sockaddr_un address;
    socklen_t size;
    int failure = address_of(path, &address, &size);
    if (failure != 0) return failure;
    int file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (file < 0) return -errno;
    // Before bind, so that there is no moment at which the entry is open to more; chmod then adds what the umask took.
    if (fchmod(file, permissions) != 0) return closing(file, errno);
    failure = llv_peer_ask_for_senders(file);
    if (failure != 0) return closing(file, -failure);
    if (bind(file, (const struct sockaddr *)&address, size) != 0) return closing(file, errno);
    if (chmod(path, permissions) != 0 || listen(file, backlog) != 0) {
        failure = errno;
        unlink(path);
        return closing(file, failure);
    }
    return file;
}

int llv_peer_accept(int listener) {
    for (;;) {
        int file = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (file >= 0) return file;
        // A connection that was given up while it waited is no reason to stop taking others.
        if (errno != EINTR && errno != ECONNABORTED) return -errno;
    }
}

int llv_peer_connect(const char *path) {
    struct sockaddr_un address;
    socklen_t size;
    int failure = address_of(path, &address, &size);
    if (failure != 0) return failure;
    int file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    // systemd's filter says EAFNOSUPPORT, others say these; a connect that fails with them is something else.
    if (file < 0) return errno == EPERM || errno == EACCES ? -EAFNOSUPPORT : -errno;
    while (connect(file, (const struct sockaddr *)&address, size) != 0) {
        if (errno != EINTR) return closing(file, errno);
    }
    return file;
}

int llv_peer_pair(int *ends) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int llv_peer_wait(int socket, bool for_writing, int milliseconds) {
    struct pollfd ready = {.fd = socket, .events = for_writing ? POLLOUT : POLLIN};
    int64_t end = now() + milliseconds;
    int left = milliseconds;
    for (;;) {
        int count = poll(&ready, 1, left);
        if (count >= 0) return count;
        if (errno != EINTR) return -errno;
        if (milliseconds < 0) continue;
        int64_t rest = end - now();
        left = rest > 0 ? (int)rest : 0;
    }
}

bool llv_peer_has_hung_up(int socket) {
    struct pollfd line = {.fd = socket, .events = 0};
    return poll(&line, 1, 0) == 1 && (line.revents & (POLLHUP | POLLERR)) != 0;
}
