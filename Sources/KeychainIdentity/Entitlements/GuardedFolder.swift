// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainModel
internal import KeychainSystem
internal import ProgramSigning

/// The property lists in a folder that only trusted owners can change, down to each file.
struct GuardedFolder {
    let path: String
    let owners: TrustedOwners

    /// Reads every file whose name ends in ".plist", and reports what is not as it has to be.
    ///
    /// A folder that is not there has none.
    func each<Content>(
        _ parse: (_ bytes: [UInt8], _ name: String) throws(EntitlementFault) -> Content
    ) -> (contents: [Content], reports: [EntitlementReport]) {
        let folder: TrustedPath
        let names: [String]
        do throws(FileFault) {
            folder = try TrustedPath(path, owners: owners)
            names = try GuardedFolder.names(in: folder)
        } catch .missing {
            return ([], [])
        } catch {
            return ([], [EntitlementReport(file: path, fault: .file(error))])
        }
        guard names.count <= GuardedFolder.mostFiles else {
            return ([], [EntitlementReport(file: path, fault: .tooManyFiles)])
        }
        var contents: [Content] = []
        var reports: [EntitlementReport] = []
        for name in names {
            do throws(EntitlementFault) { contents.append(try parse(bytes(of: name, in: folder), name)) } catch {
                reports.append(EntitlementReport(file: name, fault: error))
            }
        }
        return (contents, reports)
    }

    private func bytes(of name: String, in folder: TrustedPath) throws(EntitlementFault) -> [UInt8] {
        do throws(FileFault) {
            let file = try TrustedPath(entry: name, in: folder, owners: owners)
            return try FileReading.content(of: file.descriptor, file.facts, limit: GuardedFolder.largestFile)
        } catch { throw .file(error) }
    }

    private static func names(in folder: TrustedPath) throws(FileFault) -> [String] {
        guard folder.facts.kind == .folder else { throw .wrongKind }
        let file = llv_peer_reopen(folder.descriptor.number, true)
        guard file >= 0 else { throw .system(-file) }
        guard let stream = unsafe fdopendir(file) else {
            let failure = errno
            close(file)
            throw .system(failure)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.ends(with: ".plist"), !name.begins(with: ".") { names.append(name) }
        }
        guard errno == 0 else { throw .system(errno) }
        return names.sorted()
    }

    private static let mostFiles = 1024
    private static let largestFile = 64 << 10
}

/// Says whether something changed in folders, or on the way to them, since it was last asked; it never wakes a thread.
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

    /// A caller that acts on it afterwards sees the change, or hears of it at the next question.
    package func hasChanged() -> Bool {
        state.withLock { state in
            guard state.notes >= 0 else {
                // The kernel gives no notices: something may have changed every second.
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

    /// Every folder on the way too: replacing one of them changes what is in ours.
    private func watchAll(_ notes: Int32) {
        for folder in folders {
            var path = ""
            for component in folder.parts(between: "/") {
                path += "/" + component
                _ = unsafe inotify_add_watch(notes, path, FolderWatch.events)
            }
        }
    }

    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)
}
