// SPDX-License-Identifier: Apache-2.0

internal import KeychainBackup
internal import KeychainModel
internal import KeychainTools

/// A backup and those that it goes on from, the newest first, each seen to be what its signer wrote.
struct BackupChain {
    let path: String
    private let files: [BackupFile]
    /// Of the newest.
    let header: BackupHeader
    /// Of the one that has everything.
    let first: BackupHeader

    var isAlone: Bool { files.count == 1 }
    var count: Int { files.count }

    /// The others are looked for in the folder of the first.
    init(_ path: String) throws(CommandError) {
        self.path = path
        let newest = try BackupFile(path)
        var (files, (last, _)) = ([newest], try newest.verify())
        header = last
        let folder = path == "-" || last.base == nil ? nil : try BackupFolder(BackupChain.folder(of: path))
        while let base = last.base {
            guard let place = folder?.path(of: base.file) else {
                throw .failure(
                    "\(PlainText.shown(path)) is complete and undamaged itself, but has only what changed since an earlier backup, and that is not in its folder; put the earlier one beside it, or take one that has everything"
                )
            }
            let file = try BackupFile(place)
            let (header, hash) = try file.verify()
            // Each goes on from exactly one file, and the way back ends.
            guard hash == base.hash, header.signer == last.signer, header.keychain == last.keychain,
                (header.base?.depth ?? 0) < base.depth
            else {
                throw .failure("\(PlainText.shown(place)) is not the backup that a later one goes on from")
            }
            files.append(file)
            last = header
        }
        (self.files, first) = (files, last)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Opens the one that has everything, and each by the one before it.
    func opened(by opening: BackupOpening) throws(CommandError) -> OpenedBackup {
        var parts: [OpenedBackup.Part] = []
        for file in files.reversed() {
            let (reader, before) = (try file.reader(), parts.last?.key)
            if let before {
                try file.saying { () throws(BackupError) in try reader.open(base: before) }
            } else {
                try opening.open(reader, of: file)
            }
            guard let key = reader.openedKey else { throw BackupFile.failure(.notOpened, "the backup") }
            parts.append(OpenedBackup.Part(file: file, key: key))
        }
        return try OpenedBackup(newestFirst: parts.reversed(), opening)
    }
}

/// The items of a backup, wherever they stand on the way back.
struct OpenedBackup {
    struct Part {
        let file: BackupFile
        let key: BackupKey
    }

    private let parts: [Part]
    private let opening: BackupOpening
    /// How many items it has, among them those that only another device opens.
    private(set) var items = 0
    private(set) var foreign = 0
    /// Those that there were; nil where the one file has no list, and all of it counts.
    private var listed: Set<PersistentID>?

    /// Reads all of it: what does not open must be seen before anything is done with the rest.
    init(newestFirst parts: [Part], _ opening: BackupOpening) throws(CommandError) {
        (self.parts, self.opening) = (parts, opening)
        if parts.count > 1 { listed = try list() }
        var (items, foreign) = (0, 0)
        try forEachItem { (_, item) throws(CommandError) in
            items += 1
            if item == nil { foreign += 1 }
        }
        (self.items, self.foreign) = (items, foreign)
        guard listed.map({ $0.count == items }) ?? true else { throw BackupFile.failure(.damaged, "the backup") }
    }

    /// Goes through the items, each as it was last; nil stands for one that only the device opens that made the backup.
    func forEachItem(_ body: (PersistentID, BackupItem?) throws(CommandError) -> Void) throws(CommandError) {
        var left = listed
        for part in parts {
            let reader = try reader(of: part, skippingItems: false)
            while let record = try part.file.saying({ () throws(BackupError) in try reader.next() }) {
                switch record {
                case .item(let item): if Self.takes(item.id, from: &left) { try body(item.id, item) }
                case .bound(let id): if Self.takes(id, from: &left) { try body(id, nil) }
                case .list, .counts: break
                }
            }
        }
    }

    /// How many of them belong to others.
    func further() throws(CommandError) -> Int {
        var further = 0
        try forEachItem { (_, item) in if item?.found.map(FurtherItem.isOne) ?? false { further += 1 } }
        return further
    }

    private static func takes(_ id: PersistentID, from left: inout Set<PersistentID>?) -> Bool {
        left == nil || left?.remove(id) != nil
    }

    private func list() throws(CommandError) -> Set<PersistentID> {
        var ids: Set<PersistentID> = []
        guard let newest = parts.first else { return ids }
        let reader = try reader(of: newest, skippingItems: true)
        while let record = try newest.file.saying({ () throws(BackupError) in try reader.next() }) {
            guard case .list(let entries) = record else { continue }
            for entry in entries where entry.state != .left { ids.insert(entry.id) }
        }
        return ids
    }

    private func reader(of part: Part, skippingItems: Bool) throws(CommandError) -> BackupReader {
        let reader = try part.file.reader(skippingItems: skippingItems)
        try part.file.saying { () throws(BackupError) in try reader.open(key: part.key) }
        opening.lendDevice(to: reader)
        return reader
    }
}
