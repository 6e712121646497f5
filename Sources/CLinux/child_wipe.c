// SPDX-License-Identifier: Apache-2.0
//
// A forked child gets a copy of the heap, and in it of the keys that OpenSSL has prepared there. No code in the child
// uses them, so they are wiped before fork() returns in it. The parent's own are another process's memory by then.

#include "CLinux.h"
#include "child_wipe.h"

#include <pthread.h>
#include <stdlib.h>

struct llv_child_wipe {
    struct llv_child_wipe *previous, *next;
    void *context;
    void (*wipe)(void *);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct llv_child_wipe *first = NULL;

struct llv_child_wipe *llv_child_wipe_add(void *context, void (*wipe)(void *)) {
    struct llv_child_wipe *entry = malloc(sizeof *entry);
    if (entry == NULL) abort();
    *entry = (struct llv_child_wipe){.context = context, .wipe = wipe};
    // Inside an operation, so that no fork comes while the list is being changed.
    llv_operation_enter();
    pthread_mutex_lock(&lock);
    entry->next = first;
    if (first != NULL) first->previous = entry;
    first = entry;
    pthread_mutex_unlock(&lock);
    llv_operation_leave();
    return entry;
}

void llv_child_wipe_remove(struct llv_child_wipe *entry) {
    llv_operation_enter();
    pthread_mutex_lock(&lock);
    if (entry->previous != NULL) entry->previous->next = entry->next;
    else first = entry->next;
    if (entry->next != NULL) entry->next->previous = entry->previous;
    pthread_mutex_unlock(&lock);
    llv_operation_leave();
    free(entry);
}

void llv_child_wipe_all(void) {
    // No other thread exists here, and none was changing the list when this process was made.
    for (struct llv_child_wipe *entry = first; entry != NULL; entry = entry->next) entry->wipe(entry->context);
}
