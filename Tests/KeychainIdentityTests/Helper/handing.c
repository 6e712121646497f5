// SPDX-License-Identifier: Apache-2.0
//
// Sockets and descriptors that go from hand to hand, and process numbers that are given a second time.

#define _GNU_SOURCE
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void pass(int socket, int file) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {.iov_base = "take", .iov_len = 4};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &file, sizeof file);
    must((int)sendmsg(socket, &message, MSG_NOSIGNAL), "pass");
}

static int take(int socket) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char word[4];
    struct iovec part = {.iov_base = word, .iov_len = sizeof word};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    must((int)recvmsg(socket, &message, 0), "take");
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    must(header != NULL && header->cmsg_type == SCM_RIGHTS ? 0 : -1, "take");
    int file;
    memcpy(&file, CMSG_DATA(header), sizeof file);
    return file;
}

void play_passed(const char *path) {
    int ends[2];
    must(llv_peer_pair(ends), "pair");
    pid_t child = must(fork(), "fork");
    if (child == 0) {
        int socket = take(ends[1]);
        say(socket, "forged");
        await_hangup(socket);
        _exit(0);
    }
    int socket = connected(path);
    answer(socket);
    pass(ends[0], socket);
    await_hangup(socket);
    waitpid(child, NULL, 0);
}

void play_descriptors(const char *path) {
    int line[2], socket = connected(path);
    must(pipe2(line, O_CLOEXEC), "pipe");
    answer(socket);
    pass(socket, line[1]);
    close(line[1]);
    // Ends only when nobody has the other end any more: neither the queue nor the one who took it from there.
    char byte;
    must((int)read(line[0], &byte, 1), "read");
    await_end(socket);
}

static void connect_socket(int file, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    must(connect(file, (const struct sockaddr *)&address, sizeof address), "connect");
}

/// A child with the number of one that has ended. 0 in the child.
static pid_t fork_as(pid_t number) {
    struct clone_args how = {.exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&number, .set_tid_size = 1};
    return (pid_t)syscall(SYS_clone3, &how, sizeof how);
}

void play_reuse(const char *path, const char *control, bool is_after_nonce) {
    int signal = connected(control);
    int file = must(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "socket");
    pid_t first = must(fork(), "fork");
    if (first == 0) {
        connect_socket(file, path);
        if (is_after_nonce) must(llv_peer_wait(file, false, -1), "wait");
        _exit(0);
    }
    must(waitpid(first, NULL, 0), "waitpid");
    pid_t second = must(fork_as(first), "take the number");
    if (second == 0) {
        if (is_after_nonce) answer(file);
        say(signal, "ready");
        if (!is_after_nonce) answer(file);
        await_hangup(file);
        _exit(0);
    }
    waitpid(second, NULL, 0);
}
