// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainSystem

/// How much each user may keep with a daemon that is not the user's own.
package struct KeychainQuota: Sendable {
    /// Keychains in the user's folder.
    package var keychains: Int
    /// Bytes on the disk of all that is in that folder: databases, their logs, audit logs.
    package var bytes: Int

    package static let standard = KeychainQuota(keychains: 64, bytes: 1 << 30)

    package init(keychains: Int, bytes: Int) {
        self.keychains = keychains
        self.bytes = bytes
    }
}

/// Who has how much of a quota, and whether there is room for more.
///
/// A folder is measured when what was written since the last time could have filled it, so most calls cost nothing.
final class QuotaKeeper: Sendable {
    private struct Use: Sendable {
        var measured: Int
        /// What may have been written since.
        var since = 0
    }

    private struct State: Sendable {
        var uses: [UInt32: Use] = [:]
        /// Names of keychains that are being made.
        var making: [UInt32: Set<String>] = [:]
    }

    private let quota: KeychainQuota
    private let state = ForkSafeMutex(State())

    init(_ quota: KeychainQuota) { self.quota = quota }

    /// Makes a keychain, which `body` does, unless the user has as many as may be, or no room for another.
    func making<Result>(
        _ place: Place, of user: UInt32, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard case .folder(let root, let name) = place, try !place.exists else { return try body() }
        let limit = quota.keychains
        let isAllowed = state.withLock { state in
            let names = UserFolder.keychains(in: root).union(state.making[user, default: []])
            guard names.count < limit || names.contains(name) else { return false }
            state.making[user, default: []].insert(name)
            return true
        }
        guard isAllowed else {
            throw KeychainError(
                .notAvailable,
                "the user has reached the limit of keychains; delete one, or ask the administrator to raise llaverod's --keychains-per-user",
                subject: "\(limit) keychains")
        }
        defer {
            state.withLock { state in
                state.making[user]?.remove(name)
                if state.making[user]?.isEmpty == true { state.making[user] = nil }
            }
        }
        try makeRoom(for: QuotaKeeper.newKeychain, of: user, in: place) { 0 }
        return try body()
    }

    /// Refuses what puts so many bytes into a keychain when the user has no room for them.
    ///
    /// `reclaim` makes what can be used again, and says how many bytes of the keychain are free for that.
    func makeRoom(
        for bytes: Int, of user: UInt32, in place: Place, reclaim: () -> Int
    ) throws(KeychainError) {
        // Once to the log, once to the database; and a record of who did it.
        let needed = 3 * bytes + QuotaKeeper.everyCall
        guard hasRoom(for: bytes, of: user, in: place, needed, willUse: needed, reclaim) else {
            throw KeychainError(
                .notAvailable,
                "the user's keychains have reached the limit of disk space; `llavero forget` and `llavero remove --forever` make room, for what was changed or removed is kept for 30 days, and `llavero compact` has other keychains use it; or ask the administrator to raise llaverod's --disk-per-user",
                subject: "\(quota.bytes >> 20) MiB")
        }
    }

    /// Whether an item that is no small one would be stored.
    func hasRoom(of user: UInt32, in place: Place, reclaim: () -> Int) -> Bool {
        hasRoom(for: QuotaKeeper.item, of: user, in: place, QuotaKeeper.item, willUse: 0, reclaim)
    }

    private func hasRoom(
        for bytes: Int, of user: UInt32, in place: Place, _ needed: Int, willUse: Int, _ reclaim: () -> Int
    ) -> Bool {
        guard case .folder(let root, _) = place else { return true }
        let limit = quota.bytes
        let isKnown = state.withLock { state in
            guard let use = state.uses[user], use.measured + use.since + needed <= limit else { return false }
            state.uses[user]?.since += willUse
            return true
        }
        if isKnown { return true }
        var measured = UserFolder.bytes(in: root)
        var free = 0
        if measured + bytes > limit {
            free = reclaim()
            measured = UserFolder.bytes(in: root)
        }
        state.withLock { $0.uses[user] = Use(measured: measured, since: willUse) }
        return measured - free + bytes <= limit
    }

    /// Something of the user's was removed.
    func forget(_ user: UInt32) { state.withLock { $0.uses[user] = nil } }

    /// What a new one takes, with the room that its audit log sets aside.
    private static let newKeychain = 5 << 20
    private static let everyCall = 16 << 10
    private static let item = 1 << 20
}

/// The folder in which a user's keychains are; only the daemon writes there.
private enum UserFolder {
    static func keychains(in root: String) -> Set<String> {
        Set(names(in: root).filter(Place.isName))
    }

    /// Bytes that its files take on the disk.
    static func bytes(in folder: String) -> Int {
        var sum = 0
        for name in names(in: folder) {
            let path = folder + "/" + name
            var facts = stat()
            guard unsafe lstat(path, &facts) == 0 else { continue }
            sum += Int(facts.st_blocks) * 512
            if facts.st_mode & S_IFMT == S_IFDIR { sum += bytes(in: path) }
        }
        return sum
    }

    private static func names(in folder: String) -> [String] {
        guard let entries = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
