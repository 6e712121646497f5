// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void llv_wipe(void *bytes, size_t count) {
    explicit_bzero(bytes, count);
}

void llv_wipe_and_free(void *memory) {
    if (!memory) return;
    explicit_bzero(memory, malloc_usable_size(memory));
    free(memory);
}

// The empty asm makes the running value opaque at every step, so the compiler cannot prove that a
// difference stays one and leave the loop early.
#define LLV_KEEP(value) __asm__ volatile("" : "+r"(value))

bool llv_is_equal_in_constant_time(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    unsigned int difference = 0;
    for (size_t i = 0; i < count; i++) {
        difference |= (unsigned int)(a[i] ^ b[i]);
        LLV_KEEP(difference);
    }
    return difference == 0;
}

bool llv_is_zero_in_constant_time(const void *bytes, size_t count) {
    const unsigned char *a = bytes;
    unsigned int any = 0;
    for (size_t i = 0; i < count; i++) {
        any |= a[i];
        LLV_KEEP(any);
    }
    return any == 0;
}

// A filter of system calls may kill who makes one that it does not list, and a service manager's sets do not list this one. Nothing tells
// that beforehand: in a process with a filter it is made only where the program knows that its filter allows it.
static atomic_bool filter_allows;

void llv_trust_filter_with_hidden_memory(void) {
    atomic_store(&filter_allows, true);
}

static bool may_be_killed(void) {
    return !atomic_load(&filter_allows) && prctl(PR_GET_SECCOMP) != 0;
}

// ENOSYS (old kernel, secretmem.enable=0), EPERM (container filters) and EAGAIN (RLIMIT_MEMLOCK) are normal here.
static void *map_hidden(size_t size) {
#ifdef SYS_memfd_secret
    if (may_be_killed()) return NULL;
    int fd = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
    if (fd < 0) return NULL;
    void *memory = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0) memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);  // the mapping keeps the memory; without the descriptor it cannot be mapped again
    return memory == MAP_FAILED ? NULL : memory;
#else
    (void)size;
    return NULL;
#endif
}

void *llv_map_secret(size_t size, int *kind) {
    *kind = LLV_SECRET_HIDDEN;
    // The kernel counts such memory as a file, which may grow no larger than ulimit -f says.
    bool held = llv_hold_file_size_signal();
    void *memory = map_hidden(size);
    llv_release_file_size_signal(held);
    if (memory == NULL) {
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return NULL;
        *kind = mlock(memory, size) == 0 ? LLV_SECRET_LOCKED : LLV_SECRET_UNLOCKED;
    }
    (void)madvise(memory, size, MADV_DONTDUMP);
    // DONTFORK and not WIPEONFORK: a memfd_secret mapping is shared, so a child that wiped "its" keys would
    // zero its parent's; and WIPEONFORK exists only for private memory.
    if (madvise(memory, size, MADV_DONTFORK) != 0) {
        munmap(memory, size);
        return NULL;
    }
    return memory;
}

void llv_unmap_secret(void *memory, size_t size) {
    munmap(memory, size);
}
