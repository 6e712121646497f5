// SPDX-License-Identifier: Apache-2.0
//
// What all roles of the helper use. Each ends the program with a message when it cannot do its part.

#ifndef LLT_PEER_HELPER_H
#define LLT_PEER_HELPER_H

#include <stdbool.h>

#include "CPeer.h"

/// Fails with the name of what was tried when `result` is negative; else returns it.
int must(int result, const char *what);

/// Sends a text without its NUL.
void say(int socket, const char *text);

/// Waits for the nonce and sends it back.
void answer(int socket);

/// Waits until the other end is closed, reading what comes.
void await_end(int socket);

/// The same without reading: somebody else may.
void await_hangup(int socket);

/// Connects.
int connected(const char *path);

/// A program to be executed, with the number of a descriptor that it is to keep, as `keep FD`.
void become(const char *program, int socket);

void play_exec_before(const char *path, const char *control, const char *program);
void play_exec_after_answer(const char *path, const char *control, const char *program);
void play_exec_later(const char *path, const char *control, const char *program);
void play_forged(const char *path, const char *control, const char *program);
void play_passed(const char *path);
void play_descriptors(const char *path);
void play_reuse(const char *path, const char *control, bool is_after_nonce);

#endif
