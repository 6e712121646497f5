// SPDX-License-Identifier: Apache-2.0
//
// The honest client, and those that are not. Usage: ROLE SOCKET [CONTROL [PROGRAM]].

#define _GNU_SOURCE
#include "helper.h"

#include <link.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int must(int result, const char *what) {
    if (result >= 0) return result;
    fprintf(stderr, "%s: %d\n", what, result);
    exit(70);
}

void say(int socket, const char *text) {
    must(llv_peer_send(socket, text, strlen(text), true), "send");
}

void answer(int socket) {
    char nonce[64];
    llv_peer_packet packet;
    int64_t count = llv_peer_receive(socket, nonce, sizeof nonce, true, &packet);
    must(count == 16 ? 0 : -1, "nonce");
    must(llv_peer_send(socket, nonce, 16, true), "answer");
}

void await_end(int socket) {
    char bytes[4096];
    llv_peer_packet packet;
    while (llv_peer_receive(socket, bytes, sizeof bytes, true, &packet) > 0) {}
}

void await_hangup(int socket) {
    struct pollfd line = {.fd = socket};
    while (poll(&line, 1, -1) < 0) {}
}

int connected(const char *path) {
    return must(llv_peer_connect(path), "connect");
}

static int note_library(struct dl_phdr_info *library, size_t size, void *found) {
    (void)size;
    if (strstr(library->dlpi_name, "intruder.so") != NULL) *(bool *)found = true;
    return 0;
}

static void play_inherited(const char *path, bool answers_itself) {
    int socket = connected(path);
    if (answers_itself) answer(socket);
    pid_t child = must(fork(), "fork");
    if (child == 0) {
        if (!answers_itself) answer(socket);
        say(socket, "forged");
        await_hangup(socket);
        _exit(0);
    }
    await_hangup(socket);
    waitpid(child, NULL, 0);
}

/// Forbids that others of its user look at it, once it is told to.
static void play_closing(const char *path) {
    int socket = connected(path);
    answer(socket);
    char word[8];
    llv_peer_packet packet;
    must(llv_peer_receive(socket, word, sizeof word, true, &packet) > 0 ? 0 : -1, "word");
    must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "prctl");
    say(socket, "closed");
    await_hangup(socket);
}

/// Waits until another program has changed its memory, which is no business of theirs, and then does what that wants.
static void play_steerable(const char *path) {
    static volatile char steered = 0;
    int socket = connected(path);
    answer(socket);
    char place[32];
    snprintf(place, sizeof place, "%lx", (unsigned long)&steered);
    say(socket, place);
    while (!steered) poll(NULL, 0, 10);
    must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "prctl");
    say(socket, "closed");
    await_hangup(socket);
}

/// Traces a process until it is ended itself.
static void play_trace(const char *control, const char *process) {
    must((int)ptrace(PTRACE_SEIZE, atoi(process), NULL, NULL), "trace");
    int signal = connected(control);
    say(signal, "ready");
    for (;;) pause();
}

static void play(const char *role, const char *path) {
    int socket = connected(path);
    if (strcmp(role, "honest") == 0) {
        answer(socket);
        say(socket, "hello");
    } else if (strcmp(role, "early") == 0) {
        for (int count = 0; count < 3; count++) say(socket, "a request that nobody vouches for");
        answer(socket);
        say(socket, "late");
    } else if (strcmp(role, "flood") == 0) {
        for (int count = 0; count < 100; count++) say(socket, "early");
    } else if (strcmp(role, "large") == 0) {
        char bytes[2048];
        memset(bytes, 'x', sizeof bytes);
        answer(socket);
        must(llv_peer_send(socket, bytes, sizeof bytes, true), "send");
    } else if (strcmp(role, "empty") == 0) {
        answer(socket);
        must(llv_peer_send(socket, "", 0, true), "send");
    } else if (strcmp(role, "libraries") == 0) {
        bool is_preloaded = false;
        dl_iterate_phdr(note_library, &is_preloaded);
        answer(socket);
        say(socket, is_preloaded ? "preloaded" : "clean");
    } else if (strcmp(role, "gone") == 0) {
        say(socket, "request");
        exit(0);
    } else if (strcmp(role, "mute") != 0) {
        must(-1, role);
    }
    await_end(socket);
}

int main(int count, char **words) {
    if (count < 3) return 64;
    const char *role = words[1], *path = words[2];
    const char *control = count > 3 ? words[3] : "", *program = count > 4 ? words[4] : "";
    if (strcmp(role, "keep") == 0) await_hangup(atoi(path));
    else if (strcmp(role, "exec-before") == 0) play_exec_before(path, control, program);
    else if (strcmp(role, "exec-after-answer") == 0) play_exec_after_answer(path, control, program);
    else if (strcmp(role, "exec-later") == 0) play_exec_later(path, control, program);
    else if (strcmp(role, "forged") == 0) play_forged(path, control, program);
    else if (strcmp(role, "inherited") == 0) play_inherited(path, false);
    else if (strcmp(role, "inherited-later") == 0) play_inherited(path, true);
    else if (strcmp(role, "passed") == 0) play_passed(path);
    else if (strcmp(role, "descriptors") == 0) play_descriptors(path);
    else if (strcmp(role, "reuse-before") == 0) play_reuse(path, control, false);
    else if (strcmp(role, "reuse-after") == 0) play_reuse(path, control, true);
    else if (strcmp(role, "closing") == 0) play_closing(path);
    else if (strcmp(role, "steerable") == 0) play_steerable(path);
    else if (strcmp(role, "trace") == 0) play_trace(control, program);
    else play(role, path);
    return 0;
}
