// SPDX-License-Identifier: Apache-2.0
//
// Who is at the other end of a socket, as the kernel tells it. Swift's Glibc module lacks struct ucred, pidfds, control
// messages, accept4 and O_PATH. Unless a line says otherwise a function returns a descriptor or a length, 0 when there is
// neither, or a negative errno; every descriptor is closed by exec.

#ifndef LLV_CPEER_H
#define LLV_CPEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Sockets (sockets.c). All are SOCK_SEQPACKET: each packet has one sender, and arrives whole or not at all.

/// Listens at `path`, where nothing may be, with the given permissions. What is accepted asks for credentials from its
/// first packet on.
int llv_peer_listen(const char *path, uint32_t permissions, int backlog);

/// Takes a connection, or -EAGAIN from a listener that does not wait.
int llv_peer_accept(int listener);

/// Connects to who listens at `path`; -EAFNOSUPPORT where this process may use no Unix sockets at all.
int llv_peer_connect(const char *path);

/// Two connected ends; each has the caller for its peer.
int llv_peer_pair(int *_Nonnull ends);

/// Waits until there is something to read (or room to write), at most so many milliseconds, for ever when negative.
/// 1, or 0 when the time is over.
int llv_peer_wait(int socket, bool for_writing, int milliseconds);

/// Whether the other end was closed; false while something can still be sent to it, and when that is unknown.
bool llv_peer_has_hung_up(int socket);

// MARK: Packets (packets.c)

/// A process as the kernel names it in our namespaces; pid 0 when it has no number there.
typedef struct {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
} llv_peer_credentials;

/// Who connected, with the effective ids of that moment; not who has the socket now.
int llv_peer_read_credentials(int socket, llv_peer_credentials *credentials);

/// From now on the kernel writes on each packet who sent it. What was queued before may come without a sender.
int llv_peer_ask_for_senders(int socket);

/// What came with a packet.
typedef struct {
    bool has_sender;           // false at the end of the connection, or when it was sent before senders were asked for
    llv_peer_credentials sender;  // its process, and its real ids unless it named others of its own
    bool is_truncated;         // it was longer than the room for it; the rest is gone
    bool carried_descriptors;  // or other control data that was not requested; none of it is left open here
} llv_peer_packet;

/// The next packet; 0 and no sender when the other end hung up, -EAGAIN when there is none and it is not to wait.
int64_t llv_peer_receive(int socket, void *bytes, size_t room, bool waits, llv_peer_packet *packet);

/// Sends one packet under our own credentials, whole or not at all; never raises SIGPIPE. 0 or a negative errno.
int llv_peer_send(int socket, const void *bytes, size_t count, bool waits);

// MARK: Processes (processes.c)

/// A pidfd of who connected. `is_exact` says that the kernel kept it since then (SO_PEERPIDFD, Linux 6.5); otherwise it
/// is of the process that has the number `pid` now.
int llv_peer_open_process(int socket, int32_t pid, bool *is_exact);

/// 1 while the process of a pidfd runs, 0 when it ended, also when it was not yet waited for.
int llv_peer_is_alive(int process);

/// Asks the process of a pidfd to end, with SIGTERM. 0 or a negative errno.
int llv_peer_end_process(int process);

/// The folder /proc/PID of a process: nothing is in it any more when that process has ended, even if another has its number then.
int llv_peer_open_process_folder(int32_t pid);

/// The file a process executes, without a right to read it (O_PATH). As long as it is open its device and inode belong
/// to no other file.
int llv_peer_open_image(int32_t pid);

/// The regular file that `path` is to the process of a /proc/PID folder: from its root, or from its working folder, with links
/// followed, and without a right to read it (O_PATH). -EINVAL when it is no regular file, -ENOENT also when the working folder
/// is not found from the process's root. The process may have changed its working folder since it began.
int llv_peer_open_its_file(int folder, const char *path);

/// Which file systems and users a process sees; two processes in the same namespaces have the same numbers.
typedef struct {
    uint64_t mount;
    uint64_t user;
} llv_peer_namespaces;

/// Those of a process, or our own for 0.
int llv_peer_read_namespaces(int32_t pid, llv_peer_namespaces *namespaces);

/// The user of ours who made the namespace of users that a process is in, however deep; leaves `owner` as it is where the
/// process is in our own. Returns 0 or a negative errno.
int llv_peer_read_owner(int32_t pid, uint32_t *owner);

/// Up to `room` bytes of /proc/PID/`name`.
int64_t llv_peer_read_process_file(int32_t pid, const char *name, void *bytes, size_t room);

/// Up to `room` bytes of the file at `path`.
int64_t llv_peer_read_file_at(const char *path, void *bytes, size_t room);

// MARK: Files (files.c)

/// What fstat says, as plain numbers.
typedef struct {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    int64_t modified_seconds;
    int64_t modified_nanoseconds;
    int64_t changed_seconds;
    int64_t changed_nanoseconds;
    uint64_t links;
    uint32_t owner;
    uint32_t group;
    uint32_t permissions;
    bool is_regular_file;
    bool is_folder;
    bool is_symbolic_link;
} llv_peer_file;

int llv_peer_read_file(int file, llv_peer_file *status);

/// The same of the file that the process of a /proc/PID folder executes: one call instead of open, fstat and close.
int llv_peer_read_image(int folder, llv_peer_file *status);

/// The path of an open file, without NUL; " (deleted)" follows that of one that has none any more. -ENAMETOOLONG when
/// there is not enough room.
int64_t llv_peer_read_path(int file, void *bytes, size_t room);

/// The entry `name` of `folder` itself, even if it is a symbolic link, without a right to read it (O_PATH). The root
/// folder when `folder` is negative.
int llv_peer_open_entry(int folder, const char *name);

/// The same file, to be read; -EINVAL when it is no regular file and -ENOTDIR when it was to be a folder.
int llv_peer_reopen(int file, bool is_folder);

#pragma clang assume_nonnull end

#endif
