// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPeer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static llv_peer_credentials plain(const struct ucred *credentials) {
    return (llv_peer_credentials){.pid = credentials->pid, .uid = credentials->uid, .gid = credentials->gid};
}

int llv_peer_read_credentials(int socket, llv_peer_credentials *credentials) {
    struct ucred found;
    socklen_t size = sizeof found;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0) return -errno;
    if (size != sizeof found) return -EPROTO;
    *credentials = plain(&found);
    return 0;
}

int llv_peer_ask_for_senders(int socket) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 ? 0 : -errno;
}

static void close_all(const struct cmsghdr *header) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
        int file;
        memcpy(&file, CMSG_DATA(header) + index * sizeof file, sizeof file);
        close(file);
    }
}

int64_t llv_peer_receive(int socket, void *bytes, size_t room, bool waits, llv_peer_packet *packet) {
    // Room for the sender and nothing else: descriptors that do not fit are never opened here, so that no client fills our
    // table of them. The kernel writes the sender first.
    union {
        struct cmsghdr alignment;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = room};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes};
    int flags = MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT);
    ssize_t count;
    do {
        message.msg_controllen = sizeof control.bytes;
        count = recvmsg(socket, &message, flags);
    } while (count < 0 && errno == EINTR);
    *packet = (llv_peer_packet){0};
    if (count < 0) return -errno;
    packet->is_truncated = (message.msg_flags & MSG_TRUNC) != 0;
    packet->carried_descriptors = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS
            && header->cmsg_len == CMSG_LEN(sizeof(struct ucred))) {
            struct ucred sender;
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
            packet->has_sender = true;
            packet->sender = plain(&sender);
        } else {
            packet->carried_descriptors = true;
            if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) close_all(header);
        }
    }
    return count;
}

int llv_peer_send(int socket, const void *bytes, size_t count, bool waits) {
    int flags = MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT);
    for (;;) {
        ssize_t sent = send(socket, bytes, count, flags);
        if (sent >= 0) return (size_t)sent == count ? 0 : -EMSGSIZE;
        if (errno != EINTR) return -errno;
    }
}
