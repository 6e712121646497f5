// SPDX-License-Identifier: Apache-2.0
//
// Programs that connect and then become another one, which is entitled to what they want.

#define _GNU_SOURCE
#include "helper.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void become(const char *program, int socket) {
    char number[16];
    snprintf(number, sizeof number, "%d", socket);
    must(fcntl(socket, F_SETFD, 0), "keep the socket");
    execl(program, program, "keep", number, (char *)NULL);
    must(-1, "exec");
}

/// Forks somebody who keeps the socket, waits until this process has executed another program, and goes on then; the
/// process itself returns at once, to execute it.
static bool leave_holder(int control) {
    int line[2];
    must(pipe2(line, O_CLOEXEC), "pipe");
    if (must(fork(), "fork") != 0) {
        close(line[0]);
        // The other end stays open until exec closes it.
        return false;
    }
    close(line[1]);
    char byte;
    while (read(line[0], &byte, 1) > 0) {}
    say(control, "ready");
    return true;
}

void play_exec_before(const char *path, const char *control, const char *program) {
    int signal = connected(control), socket = connected(path);
    say(socket, "request");
    if (!leave_holder(signal)) become(program, socket);
    answer(socket);
    await_hangup(socket);
}

void play_exec_after_answer(const char *path, const char *control, const char *program) {
    int signal = connected(control), socket = connected(path);
    answer(socket);
    if (!leave_holder(signal)) become(program, socket);
    await_hangup(socket);
}

void play_exec_later(const char *path, const char *control, const char *program) {
    int signal = connected(control), socket = connected(path);
    answer(socket);
    say(socket, "hello");
    char word[8];
    llv_peer_packet packet;
    must(llv_peer_receive(socket, word, sizeof word, true, &packet) == 2 ? 0 : -1, "go");
    if (!leave_holder(signal)) become(program, socket);
    await_hangup(socket);
}

/// Answers the nonce under the number of another process. Root of the namespace of processes may do that.
static void answer_as(int socket, pid_t pid) {
    char nonce[64];
    llv_peer_packet packet;
    must(llv_peer_receive(socket, nonce, sizeof nonce, true, &packet) == 16 ? 0 : -1, "nonce");
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control = {0};
    struct ucred sender = {.pid = pid, .uid = getuid(), .gid = getgid()};
    struct iovec part = {.iov_base = nonce, .iov_len = 16};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_CREDENTIALS;
    header->cmsg_len = CMSG_LEN(sizeof sender);
    memcpy(CMSG_DATA(header), &sender, sizeof sender);
    must((int)sendmsg(socket, &message, MSG_NOSIGNAL), "forge");
}

void play_forged(const char *path, const char *control, const char *program) {
    int signal = connected(control), socket = connected(path);
    pid_t self = getpid();
    if (!leave_holder(signal)) become(program, socket);
    answer_as(socket, self);
    await_hangup(socket);
}
