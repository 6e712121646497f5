// SPDX-License-Identifier: Apache-2.0
//
// The way commands go to a TPM and answers come back (a "TCTI"). The ones of tpm2-tss wait without a limit, leave their
// descriptor open in programs that are executed meanwhile, and look for one more library at every connection.

#define _GNU_SOURCE
#include "CTSS2.h"

#ifdef LLV_HAS_TSS2

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { header_size = 10, largest_answer = 4096 };

typedef struct {
    TSS2_TCTI_CONTEXT_COMMON_V2 common;  // first: what tpm2-tss sees
    int file;
    bool is_socket;
    bool has_hung_up;
    bool is_waiting;  // for the answer to a command
    int32_t answer_timeout;
    size_t answer_count;
    uint8_t answer[largest_answer];
} line;

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void forget_answer(line *self) {
    explicit_bzero(self->answer, sizeof self->answer);
    self->answer_count = 0;
}

// An answer that comes too late would be taken for the next one's.
static TSS2_RC fail(line *self) {
    self->has_hung_up = true;
    self->is_waiting = false;
    forget_answer(self);
    return TSS2_TCTI_RC_IO_ERROR;
}

static TSS2_RC transmit(TSS2_TCTI_CONTEXT *context, size_t size, const uint8_t *command) {
    line *self = (line *)context;
    if (self->has_hung_up) return TSS2_TCTI_RC_IO_ERROR;
    if (self->is_waiting) return TSS2_TCTI_RC_BAD_SEQUENCE;
    forget_answer(self);
    for (size_t done = 0; done < size;) {
        // A device takes a whole command or nothing. A socket may be closed at the other end, which must not be a
        // signal to the program.
        ssize_t sent = self->is_socket ? send(self->file, command + done, size - done, MSG_NOSIGNAL)
                                       : write(self->file, command, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0 || (!self->is_socket && (size_t)sent != size)) return fail(self);
        done += (size_t)sent;
    }
    self->is_waiting = true;
    return TSS2_RC_SUCCESS;
}

/// How long the answer is by its own word, or 0 as long as its header is not there.
static size_t expected(const line *self) {
    if (self->answer_count < header_size) return 0;
    return (size_t)self->answer[2] << 24 | (size_t)self->answer[3] << 16 | (size_t)self->answer[4] << 8 | self->answer[5];
}

static bool is_whole(const line *self) {
    return self->answer_count >= header_size && self->answer_count == expected(self);
}

static TSS2_RC receive(TSS2_TCTI_CONTEXT *context, size_t *size, uint8_t *response, int32_t timeout) {
    line *self = (line *)context;
    if (size == NULL) return TSS2_TCTI_RC_BAD_REFERENCE;
    if (!self->is_waiting) return self->has_hung_up ? TSS2_TCTI_RC_IO_ERROR : TSS2_TCTI_RC_BAD_SEQUENCE;
    const bool may_try_again = timeout >= 0 && timeout < self->answer_timeout;
    const int64_t end = milliseconds() + (may_try_again ? timeout : self->answer_timeout);
    while (!is_whole(self)) {
        int64_t left = end - milliseconds();
        struct pollfd awaited = {.fd = self->file, .events = POLLIN};
        int ready = poll(&awaited, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0 && may_try_again) return TSS2_TCTI_RC_TRY_AGAIN;
        if (ready <= 0) return fail(self);
        ssize_t count = read(self->file, self->answer + self->answer_count, sizeof self->answer - self->answer_count);
        if (count < 0 && (errno == EINTR || errno == EAGAIN) && milliseconds() < end) continue;
        if (count <= 0) return fail(self);
        self->answer_count += (size_t)count;
        size_t whole = expected(self);
        if (self->answer_count >= header_size && (whole < self->answer_count || whole > sizeof self->answer)) {
            return fail(self);
        }
    }
    const size_t room = *size;
    *size = self->answer_count;
    if (response == NULL) return TSS2_RC_SUCCESS;
    if (room < self->answer_count) return TSS2_TCTI_RC_INSUFFICIENT_BUFFER;
    memcpy(response, self->answer, self->answer_count);
    forget_answer(self);
    self->is_waiting = false;
    return TSS2_RC_SUCCESS;
}

static TSS2_RC cancel(TSS2_TCTI_CONTEXT *context) {
    (void)context;
    return TSS2_TCTI_RC_NOT_IMPLEMENTED;
}

static TSS2_RC get_poll_handles(TSS2_TCTI_CONTEXT *context, TSS2_TCTI_POLL_HANDLE *handles, size_t *count) {
    (void)context, (void)handles, (void)count;
    return TSS2_TCTI_RC_NOT_IMPLEMENTED;
}

static TSS2_RC set_locality(TSS2_TCTI_CONTEXT *context, uint8_t locality) {
    (void)context, (void)locality;
    return TSS2_TCTI_RC_NOT_IMPLEMENTED;
}

static TSS2_RC make_sticky(TSS2_TCTI_CONTEXT *context, TPM2_HANDLE *handle, uint8_t sticky) {
    (void)context, (void)handle, (void)sticky;
    return TSS2_TCTI_RC_NOT_IMPLEMENTED;
}

// Not used: the opener of the line closes it.
static void finalize(TSS2_TCTI_CONTEXT *context) {
    (void)context;
}

/// A descriptor, or -1.
static int open_socket(const char *path, int32_t answer_timeout) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0) return -1;
    // swtpm serves one client at a time. When others queue already, connecting waits, as long as sending may.
    struct timeval limit = {.tv_sec = answer_timeout / 1000, .tv_usec = (suseconds_t)(answer_timeout % 1000) * 1000};
    if (setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0
        && connect(file, (struct sockaddr *)&address, sizeof address) == 0) {
        return file;
    }
    close(file);
    return -1;
}

/// A descriptor, or -1.
static int open_device(const char *path) {
    // Without waiting, so that the time is ours to watch: the kernel then works off a command after write() returned.
    int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file >= 0 && (fstat(file, &status) != 0 || !S_ISCHR(status.st_mode))) {
        close(file);
        return -1;
    }
    return file;
}

static const char *after(const char *prefix, const char *text) {
    size_t count = strlen(prefix);
    return strncmp(text, prefix, count) == 0 ? text + count : NULL;
}

TSS2_RC llv_line_open(const char *connection, int32_t answer_timeout, TSS2_TCTI_CONTEXT **opened) {
    const char *device = after("device:", connection);
    const char *emulator = after("swtpm:path=", connection);
    *opened = NULL;
    if (answer_timeout <= 0 || (device == NULL && emulator == NULL)) return TSS2_TCTI_RC_BAD_VALUE;
    int file = device != NULL ? open_device(device) : open_socket(emulator, answer_timeout);
    if (file < 0) return TSS2_TCTI_RC_IO_ERROR;
    line *self = calloc(1, sizeof *self);
    if (self == NULL) {
        close(file);
        return TSS2_TCTI_RC_MEMORY;
    }
    self->common = (TSS2_TCTI_CONTEXT_COMMON_V2){
        .v1 = {
            .magic = 0x4c4c415645524f31,  // "LLAVERO1"
            .version = 2,
            .transmit = transmit,
            .receive = receive,
            .finalize = finalize,
            .cancel = cancel,
            .getPollHandles = get_poll_handles,
            .setLocality = set_locality,
        },
        .makeSticky = make_sticky,
    };
    self->file = file;
    self->is_socket = device == NULL;
    self->answer_timeout = answer_timeout;
    *opened = (TSS2_TCTI_CONTEXT *)self;
    return TSS2_RC_SUCCESS;
}

void llv_line_hang_up(TSS2_TCTI_CONTEXT *context) {
    ((line *)context)->has_hung_up = true;
}

void llv_line_close(TSS2_TCTI_CONTEXT *context) {
    line *self = (line *)context;
    close(self->file);
    forget_answer(self);
    free(self);
}

#endif
