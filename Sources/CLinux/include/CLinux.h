// SPDX-License-Identifier: Apache-2.0
//
// What Linux offers and Swift's Glibc module does not: variadic calls, calls hidden behind
// _GNU_SOURCE, fork handlers, and byte loops the optimiser must leave alone.

#ifndef LLV_CLINUX_H
#define LLV_CLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "child.h"

#pragma clang assume_nonnull begin

/// How long this thread computes at a stretch while others want the processor too; 0 is what the system thinks best. Its
/// share stays the same: with a short slice it goes on soon after it woke, with a long one it lets those go first.
/// Linux 6.12 and newer; before, nothing changes. Returns what it was.
uint64_t llv_set_time_slice(uint64_t nanoseconds);
enum { LLV_SHORT_SLICE = 100000, LLV_LONG_SLICE = 100000000 };

/// Gives the calling thread a name, of which the kernel keeps the first 15 bytes.
void llv_name_thread(const char *name);

/// Gives memory that is free back to the system, as far as the allocator can.
void llv_give_back_memory(void);

/// How many columns of a terminal a character takes, as the C library knows it in UTF-8, whatever the locale of the process; 1
/// for one that it does not know, and for a control character.
int llv_character_width(uint32_t character);

// MARK: Secrets (secrets.c)

/// Overwrites memory with zeros; never optimised away.
void llv_wipe(void *bytes, size_t count);

/// Overwrites all that malloc gave for this memory, and gives it back; nothing for NULL. Swift's Glibc module has no
/// malloc_usable_size.
void llv_wipe_and_free(void *_Nullable memory);

/// Whether two buffers hold the same bytes, in a time that depends on `count` alone.
bool llv_is_equal_in_constant_time(const void *left, const void *right, size_t count);

/// Whether every byte is zero, in a time that depends on `count` alone.
bool llv_is_zero_in_constant_time(const void *bytes, size_t count);

/// What keeps a mapping for secrets in memory.
enum {
    LLV_SECRET_HIDDEN = 1,    // memfd_secret: not even the kernel maps it, never swapped
    LLV_SECRET_LOCKED = 2,    // mlock: never swapped
    LLV_SECRET_UNLOCKED = 3,  // neither was allowed: it may be swapped
};

/// Maps zeroed memory for secrets: absent from core dumps and from forked children.
/// NULL when nothing could be mapped at all. `kind` receives one of LLV_SECRET_….
void *_Nullable llv_map_secret(size_t size, int *kind);

/// Says that a filter of this process's system calls, if there is one, allows memfd_secret; without it such a process does not try.
void llv_trust_filter_with_hidden_memory(void);

/// Gives such a mapping back, in which nothing is any more.
void llv_unmap_secret(void *memory, size_t size);

// MARK: fork (fork.c)

/// How many forks lie between the process that first called `llv_fork_watch` and this one.
uint32_t llv_fork_epoch(void);

/// Registers the fork handlers; every call after the first does nothing.
void llv_fork_watch(void);

/// Enters and leaves an operation: fork() waits until no other thread is inside one. May be nested.
/// Both must be called on the same thread.
void llv_operation_enter(void);
void llv_operation_leave(void);

/// Leaves all operations this thread is in, for as long as a person is asked; resume goes back in. Nothing may be locked
/// meanwhile, and nothing that was read of ours before may be taken for granted after.
int llv_operation_suspend(void);
void llv_operation_resume(int suspended);

/// A key that lies in ordinary memory, to be wiped in a forked child before any code runs there.
typedef struct llv_child_wipe llv_child_wipe;

/// From now on, `wipe` is called with `context` in every child that is forked outside of an operation of its own thread.
/// It may free memory, and must take no lock.
llv_child_wipe *llv_child_wipe_add(void *context, void (*wipe)(void *));

/// Takes it back; call it before the context goes.
void llv_child_wipe_remove(llv_child_wipe *entry);

// MARK: Files (files.c)

/// Renames unless `to` exists. Returns 0 or an errno, EEXIST when it does.
int llv_rename_noreplace(const char *from, const char *to);

/// Has two paths change places, at one moment. Returns 0 or an errno; EINVAL where the file system cannot do that.
int llv_rename_exchange(const char *from, const char *to);

/// Keeps every SQLite connection away from a database until the descriptor that is returned is closed; a negative errno where
/// one is open, -EAGAIN then. No connection of this process may have the file open: closing would take its locks.
int llv_lock_database(const char *path);

/// The file system's magic number (statfs), or a negative errno.
int64_t llv_filesystem_type(const char *path);

/// 1 when the path is on a file system mounted read-only, 0 when not, or a negative errno.
int llv_filesystem_is_readonly(const char *path);

/// Flushes a file, or a folder's list of names, to the disk. Returns 0 or an errno.
int llv_sync_path(const char *path);

/// Sets room for `size` bytes of an open file aside, without making the file any larger. Returns 0 or an errno.
int llv_reserve_space(int file, int64_t size);

/// What lstat says, as plain numbers: Foundation re-declares `struct stat`, and Swift then cannot tell whose it is.
typedef struct {
    bool is_folder;
    bool is_regular_file;
    uint32_t permissions;
    uint32_t owner;
    int64_t size;
    int64_t modified;  // seconds since 1970
    uint64_t device;
    uint64_t inode;
    uint64_t links;
} llv_file_status;

/// Fills `status` about the path itself, not what a link points to; 0 or errno.
int llv_read_file_status(const char *path, llv_file_status *status);

/// A file in memory of exactly these bytes, which cannot be changed any more and its owner alone may open. It stays open
/// in programs that are executed. Returns a descriptor, or a negative errno.
int llv_sealed_file(const char *name, const void *_Nullable bytes, size_t count);

/// Allocates a file of so many bytes, readable by its owner alone, or makes the one that is there so large. Returns 0 or an
/// errno, and then leaves no room taken.
int llv_allocate_file(const char *path, int64_t size);

/// Writes zeros over a regular file and syncs them; 0, or an errno.
///
/// What a file system or a disk has kept of the bytes elsewhere stays there.
int llv_blank_file(const char *path);

/// Writes zeros over all files in an open folder and in those below it, and removes what is in it; closes it. What cannot be removed
/// stays.
void llv_blank_folder(int folder);

/// Does the same to each folder in `place` whose name is `beginning` and six characters, that is ours alone and that nobody has
/// locked (flock): what a process left that was killed. Removes the folder, too.
void llv_blank_left_folders(const char *place, const char *beginning);

/// Gives back the room that a file takes. Returns how many bytes that were, or a negative errno.
int64_t llv_empty_file(const char *path);

/// Copies a file into one that must not be there yet and that its owner alone can read. Returns 0 or an errno.
int llv_copy_file(const char *from, const char *to);

/// Writes over a file of exactly as many bytes, in place: first the bytes before `middle` and then the others, or the other
/// way round, each synced before the other is begun. Needs no room on the disk. Returns 0 or an errno.
int llv_overwrite_halves(const char *path, const void *bytes, size_t count, size_t middle, bool last_first);

/// Keeps this thread from being killed by SIGXFSZ when a file grows beyond the process's limit (ulimit -f): the write fails
/// with EFBIG instead. Returns what `llv_release_file_size_signal` is to be told.
bool llv_hold_file_size_signal(void);
void llv_release_file_size_signal(bool held);

/// The same for the whole process, and not for programs that it executes.
void llv_catch_file_size_signal(void);

// MARK: Queues (queue.c)

/// The queue of processes in front of a file, kept in a file beside it. For one thread at a time.
typedef struct llv_queue llv_queue;

/// Opens a queue, making its file if it is missing. NULL when it cannot, and `failure` receives an errno.
llv_queue *_Nullable llv_queue_open(const char *path, int *failure);

/// Waits for the turn, at most so many seconds. Returns 0, ETIMEDOUT, or the errno of a lock that cannot be had at all.
int llv_queue_enter(llv_queue *queue, double seconds);

/// Lets the next one have its turn.
void llv_queue_leave(llv_queue *queue);

/// Gives the queue up; never in a forked child, which has nothing of it.
void llv_queue_close(llv_queue *queue);

/// Whether locks work on the file system of a file: 0, or the errno that each of them fails with. 0 also where there is no
/// such file.
int llv_try_locking(const char *path);

// MARK: The process (process.c)

/// The program's arguments as it was started with them, the name first; also where there is no /proc to read them from.
int llv_argument_count(void);
const char *_Nullable llv_argument(int index);

/// Opens /dev/null in the place of each of stdin, stdout and stderr that is not open, so that nothing else that is opened
/// gets its number; a call that uses one fails. Returns 0 or an errno.
int llv_fill_standard_descriptors(void);

/// Writes out what was printed. Returns 0, or an errno when that, or anything printed before, did not arrive.
int llv_flush_output(void);

/// Whether the program was started with more rights than its caller (set-uid, file capabilities).
bool llv_is_secure_execution(void);

/// Forbids core dumps and debuggers of the same user from now on. With `for_good` the limit of core dumps cannot be raised
/// again, by programs that are executed either. Returns 0 or an errno.
int llv_disable_core_dumps(bool for_good);

/// Signals that end the process remove this file first, until NULL is given; one file at a time, of one thread.
void llv_remove_when_killed(const char *_Nullable path);

/// Keeps Swift's runtime from writing registers, and the memory they point to, to stderr when the program crashes, as it
/// does where it finds its backtracer. For programs of our own: all that others made of such signals is undone.
void llv_forbid_crash_reports(void);

/// Sets the limit of core dumps back to what it was, for a program that is executed next; this process stays closed.
/// Returns 0 or an errno.
int llv_restore_core_limit(void);

/// Lets processes of the same user see which file this one executes, until `llv_hide_process` has been called as often,
/// where `llv_disable_core_dumps` keeps them from it; else both do nothing. A debugger may come in between.
void llv_show_process(void);
void llv_hide_process(void);

/// Gives up the effective user and group that the program's file gave, for good. Returns 0 or an errno.
int llv_drop_effective_ids(void);

/// Lets the process have so many files open, or as many as its starter allows. Returns 0 or an errno.
int llv_make_room_for_files(uint64_t count);

/// The capability to look into processes of other users.
extern const uint64_t llv_look_into_processes;

/// Gives up every capability that is not in `kept`, in every set, and what an executed file could give; for good. Counts
/// for this thread and those it starts, so it comes first of all. Returns 0 or an errno.
int llv_drop_capabilities(uint64_t kept);

/// Has the kernel refuse execve and execveat with EPERM from now on, to this thread and those it starts, and every call of
/// another architecture's; for good. Wants no_new_privs, as after `llv_drop_capabilities`. Returns 0 or an errno.
int llv_forbid_programs(void);

#pragma clang assume_nonnull end

#endif
