// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// Says whether something changed in folders, or on the way to them, since it was last asked; wakes nobody.
package final class FolderWatch: Sendable {
    private let folders: [String]

    private struct State: Sendable {
        /// Where the kernel notes changes; negative when it does not.
        var notes: Int32
        var askedAt: Int = 0
    }

    private let state: ForkSafeMutex<State>

    package init(_ folders: [String]) {
        self.folders = folders
        let notes = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        state = ForkSafeMutex(State(notes: notes))
        if notes >= 0 { watchAll(notes) }
    }

    deinit { state.withLock { if $0.notes >= 0 { close($0.notes) } } }

    /// Whoever acts on it afterwards sees the change, or hears of it at the next question.
    package func hasChanged() -> Bool {
        state.withLock { state in
            guard state.notes >= 0 else {
                // Nobody notes anything: every second something may have changed.
                var now = timespec()
                unsafe clock_gettime(CLOCK_MONOTONIC, &now)
                defer { state.askedAt = now.tv_sec }
                return now.tv_sec != state.askedAt
            }
            guard FolderWatch.drain(state.notes) else { return false }
            // What was made or moved has to be watched too.
            watchAll(state.notes)
            return true
        }
    }

    private static func drain(_ notes: Int32) -> Bool {
        // On the stack, for this is asked before every call; aligned as the kernel's notes are.
        unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
            var isNews = false
            while unsafe read(notes, bytes.baseAddress, bytes.count) > 0 { isNews = true }
            return isNews
        }
    }

    /// Every folder on the way too: whoever puts another in its place changes what is in ours.
    private func watchAll(_ notes: Int32) {
        for folder in folders {
            var path = ""
            for component in folder.split(separator: "/") {
                path += "/" + component
                _ = unsafe inotify_add_watch(notes, path, FolderWatch.events)
            }
        }
    }

    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)
}
