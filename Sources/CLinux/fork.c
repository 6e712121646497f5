// SPDX-License-Identifier: Apache-2.0
//
// fork() copies one thread and every lock. If another thread is inside SQLite at that moment, the
// child inherits SQLite's global mutex locked by a thread it does not have, and its first call hangs
// for ever; the same goes for OpenSSL, and for our own mutexes. So operations hold the read side of a
// lock whose write side is taken around every fork().
//
// posix_spawn, vfork and _Fork run no handlers. The first two are followed by exec at once; after
// _Fork a program may only call async-signal-safe functions, which ours are not.

#define _GNU_SOURCE
#include "CLinux.h"
#include "child_wipe.h"

#include <pthread.h>
#include <stdatomic.h>

// Prefers writers, or a busy process could never fork. Such a lock must not be read-locked twice by one
// thread (a writer may queue in between), hence the depth.
#define LLV_GATE_INITIALIZER PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP

static pthread_rwlock_t gate = LLV_GATE_INITIALIZER;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
static _Atomic uint32_t epoch = 0;
static _Thread_local unsigned int depth = 0;

// A thread that forks in the middle of its own operation (from a callback or a signal handler) cannot wait
// for the others: one of them may be waiting for it. Such a child is only good for exec.
static void prepare(void) {
    if (depth == 0) pthread_rwlock_wrlock(&gate);
}

static void parent(void) {
    if (depth == 0) pthread_rwlock_unlock(&gate);
}

static void child(void) {
    // A fresh lock: the inherited one names threads that do not exist here. Assigned, not initialised with
    // pthread_rwlock_init, so that nothing in the old one is looked at.
    gate = (pthread_rwlock_t)LLV_GATE_INITIALIZER;
    atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
    llv_close_forked_child();
    if (depth > 0) {
        // Other threads may have been in the middle of anything; this child is good for exec, and touches nothing.
        pthread_rwlock_rdlock(&gate);
        return;
    }
    llv_child_wipe_all();
}

static void watch(void) {
    (void)pthread_atfork(prepare, parent, child);
}

void llv_fork_watch(void) {
    (void)pthread_once(&watch_once, watch);
}

uint32_t llv_fork_epoch(void) {
    return atomic_load_explicit(&epoch, memory_order_acquire);
}

void llv_operation_enter(void) {
    llv_fork_watch();
    if (depth++ == 0) pthread_rwlock_rdlock(&gate);
}

void llv_operation_leave(void) {
    if (--depth == 0) pthread_rwlock_unlock(&gate);
}

// While a person is asked no lock of ours is held, and a fork need not wait for the answer.
int llv_operation_suspend(void) {
    int was = depth;
    if (was > 0) {
        depth = 0;
        pthread_rwlock_unlock(&gate);
    }
    return was;
}

void llv_operation_resume(int was) {
    if (was <= 0) return;
    pthread_rwlock_rdlock(&gate);
    depth = was;
}
