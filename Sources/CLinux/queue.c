// SPDX-License-Identifier: Apache-2.0
//
// A queue of processes in front of a file's write lock: a turnstile of two locks on bytes of a file. The holder of the
// second byte has the turn; the holder of the first is next. The kernel's locks alone are no queue: a holder that asks again
// at once beats those who wait, nearly always. Here it finds the next one waiting at the first byte.
//
// The locks are those of an open file description: unlike POSIX locks they do not go when some other descriptor of the
// file is closed, and unlike flock there are two of them in one file. The kernel gives them back when their holder dies.
//
// Waiting for such a lock has no time limit. So what cannot be had at once is waited for by a thread of its own, and the
// caller waits for the thread. A caller that gives up leaves the thread behind: it gives back what it gets, unless the
// caller has come again by then.

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NEXT = 0, TURN = 1 };

struct llv_queue {
    int file;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool waits;       // whether the thread waits for the turn
    bool has_next;    // whether the thread was started with the first byte in hand
    bool is_wanted;   // whether the caller still waits for what the thread waits for
    bool is_closed;   // whether the thread is all that is left
    bool is_hurried;  // whether the caller's thread has short slices
    uint64_t slice;   // and what it had before
    int outcome;      // what came of the thread's waiting for a caller that wanted it, -1 before
    llv_child_wipe *child;
};

// Locks or unlocks one byte. Returns 0 or an errno; EAGAIN where another process has it and it is not waited for.
static int set_byte(int file, short type, off_t byte, bool waits) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    while (fcntl(file, waits ? F_OFD_SETLKW : F_OFD_SETLK, &lock) != 0) {
        if (errno == EINTR) continue;
        return errno == EACCES ? EAGAIN : errno;
    }
    return 0;
}

static void give_back(int file) {
    set_byte(file, F_UNLCK, TURN, false);
    set_byte(file, F_UNLCK, NEXT, false);
}

// A child has the same open file description, and would keep its locks after its parent was killed.
static void close_in_child(void *context) {
    llv_queue *queue = context;
    close(queue->file);
    queue->file = -1;
}

llv_queue *llv_queue_open(const char *path, int *failure) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        *failure = errno;
        return NULL;
    }
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(file);
        *failure = EINVAL;
        return NULL;
    }
    llv_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL) abort();
    queue->file = file;
    queue->outcome = -1;
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    queue->child = llv_child_wipe_add(queue, close_in_child);
    return queue;
}

static void end(llv_queue *queue) {
    llv_child_wipe_remove(queue->child);
    close(queue->file);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
    free(queue);
}

// One at a time for each queue.
static void *wait_for_turn(void *argument) {
    llv_queue *queue = argument;
    // All others wait while the one whose turn it is waits for a processor.
    llv_set_time_slice(LLV_SHORT_SLICE);
    int failure = queue->has_next ? 0 : set_byte(queue->file, F_WRLCK, NEXT, true);
    if (failure == 0) failure = set_byte(queue->file, F_WRLCK, TURN, true);
    set_byte(queue->file, F_UNLCK, NEXT, false);
    pthread_mutex_lock(&queue->mutex);
    queue->waits = false;
    if (queue->is_wanted) queue->outcome = failure;
    else give_back(queue->file);
    bool is_closed = queue->is_closed;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
    if (is_closed) end(queue);
    return NULL;
}

static int start_waiting(llv_queue *queue) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN > 65536 ? PTHREAD_STACK_MIN : 65536);
    // The program's signals are for threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, &attributes, wait_for_turn, queue);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    queue->waits = failure == 0;
    return failure;
}

// Takes the turn, or the next place. Returns 0, or EAGAIN where another process has the turn, or another errno.
static int try_to_enter(llv_queue *queue) {
    int failure = set_byte(queue->file, F_WRLCK, NEXT, false);
    queue->has_next = failure == 0;
    if (failure != 0) return failure;
    failure = set_byte(queue->file, F_WRLCK, TURN, false);
    if (failure != EAGAIN) set_byte(queue->file, F_UNLCK, NEXT, false);
    return failure;
}

static struct timespec in_seconds(double seconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    if (seconds > 1e6) seconds = 1e6;
    time.tv_sec += (time_t)seconds;
    time.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec += 1;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

int llv_queue_enter(llv_queue *queue, double seconds) {
    pthread_mutex_lock(&queue->mutex);
    // A thread that was left behind has a place in the queue already.
    if (!queue->waits) {
        int failure = try_to_enter(queue);
        if (failure == EAGAIN) failure = seconds > 0 ? start_waiting(queue) : ETIMEDOUT;
        if (!queue->waits) {
            if (failure != 0) give_back(queue->file);
            pthread_mutex_unlock(&queue->mutex);
            return failure;
        }
    }
    queue->slice = llv_set_time_slice(LLV_SHORT_SLICE);
    queue->is_hurried = true;
    struct timespec until = in_seconds(seconds);
    queue->is_wanted = true;
    while (queue->outcome < 0) {
        if (pthread_cond_timedwait(&queue->changed, &queue->mutex, &until) == ETIMEDOUT) break;
    }
    int outcome = queue->outcome < 0 ? ETIMEDOUT : queue->outcome;
    if (outcome != 0) {
        llv_set_time_slice(queue->slice);
        queue->is_hurried = false;
    }
    queue->is_wanted = false;
    queue->outcome = -1;
    pthread_mutex_unlock(&queue->mutex);
    return outcome;
}

void llv_queue_leave(llv_queue *queue) {
    set_byte(queue->file, F_UNLCK, TURN, false);
    if (queue->is_hurried) llv_set_time_slice(queue->slice);
    queue->is_hurried = false;
}

void llv_queue_close(llv_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    bool waits = queue->waits;
    queue->is_closed = true;
    pthread_mutex_unlock(&queue->mutex);
    if (!waits) end(queue);
}

int llv_try_locking(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return 0;
    int failure = set_byte(file, F_WRLCK, TURN + 1, false);
    close(file);
    return failure == EAGAIN ? 0 : failure;
}
