// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainConnection
package import KeychainModel
internal import KeychainSystem

/// The list of collections as it lies beside the keychains, in a file of its owner's alone.
///
/// It is read when it has changed and written whole at each change. A file that is damaged, or that others could have changed,
/// is left as it is, and every question and every change ends with an error that says so: a list that was thought empty would
/// have programs make new collections in the place of those that hold their secrets. A person may move it away: then the next list is empty.
package final class CollectionRegistry: Sendable {
    private let file: OwnersFile
    private let root: String
    /// Seconds since 1970.
    private let clock: @Sendable () -> UInt64
    /// As the file has it; nil before it was read.
    private let list = ForkSafeMutex<Held?>(nil)

    private struct Held: Sendable {
        var list: CollectionList
        /// Of the file that it was read from; nil where there was none.
        let version: OwnersFile.Version?
    }

    /// The registry of the keychains in a folder.
    package init(root: String, clock: @escaping @Sendable () -> UInt64) {
        self.root = root
        self.clock = clock
        // No keychain's name begins with a dot.
        file = OwnersFile(
            ".secret-service", in: root, atMost: 1 << 21,
            .init(
                failed: "the list of collections cannot be read or written",
                exposed:
                    "other users can read or change the list of collections; make sure that it was not changed, then run chmod 600 FILE",
                damaged:
                    "the list of collections is damaged and was left as it is; bring it back from a backup, or move it away to begin a new one"
            ))
    }

    package var path: String { file.path }

    package func collections() throws(KeychainError) -> CollectionList {
        try list.withLock { (list) throws(KeychainError) in try read(&list) }
    }

    /// Makes a collection of that label; its keychain is not there yet.
    package func add(label: String) throws(KeychainError) -> CollectionList.Collection {
        try changing { (list) throws(KeychainError) in
            try list.add(label: label, at: clock()) { (name) throws(KeychainError) in
                let place = Place.folder(root: root, name: name)
                // A new one does not begin where another one is missed.
                if try place.exists { return true }
                return try VanishedKeychain(at: place) != nil
            }
        }
    }

    /// False where there is no such collection, here and below.
    package func setLabel(_ label: String, of id: String) throws(KeychainError) -> Bool {
        try changing { (list) throws(KeychainError) in try list.setLabel(label, of: id, at: clock()) }
    }

    /// Takes a collection out of the list, and leaves its keychain alone.
    package func remove(_ id: String) throws(KeychainError) -> Bool {
        try changing { (list) throws(KeychainError) in list.remove(id) }
    }

    /// Has an alias mean a collection, or with nil what it means when nobody says anything.
    package func setAlias(_ alias: String, to id: String?) throws(KeychainError) -> Bool {
        try changing { (list) throws(KeychainError) in try list.setAlias(alias, to: id) }
    }

    private func changing<Result: Sendable>(
        _ body: (inout CollectionList) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try list.withLock { (list) throws(KeychainError) in
            try file.inTurn { () throws(KeychainError) in
                var changed = try read(&list)
                let result = try body(&changed)
                let bytes: [UInt8]
                do throws(CodingError) { bytes = try changed.encoded() } catch {
                    throw KeychainError(.parameter, "the list of collections cannot be written", subject: path)
                }
                // Read again the next time: another process may change it first.
                list = nil
                try file.replace(with: bytes)
                return result
            }
        }
    }

    private func read(_ list: inout Held?) throws(KeychainError) -> CollectionList {
        if let list, list.version == file.version { return list.list }
        list = nil
        var read = Held(list: CollectionList(), version: nil)
        if let (bytes, version) = try file.content() {
            do throws(CodingError) { read = Held(list: try CollectionList(decoding: bytes), version: version) } catch {
                throw file.damaged
            }
        }
        list = read
        return read.list
    }
}
