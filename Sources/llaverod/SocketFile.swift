// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication

/// The file of a socket, as it was when it was made.
///
/// A login session that ends takes its runtime folder along, and the next one has another, with nobody's socket or somebody
/// else's. A daemon that nobody finds any more would keep its keychains from everybody.
struct SocketFile {
    let path: String
    private let device: dev_t
    private let number: ino_t

    /// nil where there is none.
    init?(_ path: String) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return nil }
        self.path = path
        (device, number) = (facts.st_dev, facts.st_ino)
    }

    /// Whether it is there still, and not another in its place.
    var isThere: Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 && facts.st_dev == device && facts.st_ino == number
    }

    /// Runs `body` on a thread of its own when it is gone; nobody wakes before that for nothing.
    func whenGone(_ body: @escaping @Sendable () -> Void) {
        let notes = inotify_init1(Int32(IN_CLOEXEC))
        let events = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        let isWatched = unsafe notes >= 0 && inotify_add_watch(notes, path, events) >= 0
        let file = self
        _ = PromptThread.start {
            defer { if notes >= 0 { close(notes) } }
            // Looked at first: it may have gone before it was watched.
            while file.isThere {
                // Where the kernel notes nothing, the daemon stays.
                guard isWatched else { return }
                let count = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
                    unsafe read(notes, bytes.baseAddress, bytes.count)
                }
                if count < 0, errno != EINTR { return }
            }
            body()
        }
    }
}
