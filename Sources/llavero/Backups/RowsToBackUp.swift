// SPDX-License-Identifier: Apache-2.0

internal import KeychainBackup
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The items of one class that a backup is to have, and the list of all that there are.
struct RowsToBackUp {
    private let itemClass: ItemClass
    private let keychain: ToolKeychain
    private let view: ViewID?
    private let stamps: [RowStamp]
    /// What an earlier backup has; nil where all is to be read.
    private let earlier: [PersistentID: BackupEntry]?
    /// What became of the items that were read.
    private var states: [PersistentID: BackupEntry.State] = [:]

    init(
        _ itemClass: ItemClass, of keychain: ToolKeychain, in view: ViewID?, earlier: [PersistentID: BackupEntry]?
    ) throws(CommandError) {
        (self.itemClass, self.keychain, self.view, self.earlier) = (itemClass, keychain, view, earlier)
        do throws(CommandError) {
            stamps = try RowsToBackUp.stamps(of: itemClass, keychain, view)
        } catch {
            // What lies on a damaged page is left out and counted where everything is read, and would look unchanged else.
            guard earlier == nil else { throw error }
            stamps = []
        }
    }

    private static func stamps(
        of itemClass: ItemClass, _ keychain: ToolKeychain, _ view: ViewID?
    ) throws(CommandError) -> [RowStamp] {
        var stamps: [RowStamp] = []
        while true {
            let request = KeybagRequest.stamps(itemClass, behind: stamps.last?.row ?? .min, in: view)
            guard case .stamps(let more) = try keychain.perform(request) else { throw ToolKeychain.otherReply }
            stamps += more
            if more.count < RowStamp.most { return stamps }
        }
    }

    /// Reads what is new or has changed, or everything.
    mutating func read(
        _ content: inout BackupContent, into writer: BackupWriter, _ keychainID: KeychainUUID, _ bar: inout ProgressBar
    ) throws(CommandError) {
        guard let earlier else { return try read(.everything, &content, into: writer, &bar) }
        let changed = stamps.filter { earlier[$0.id]?.stamp != $0.stamp || earlier[$0.id]?.itemClass != itemClass }
        let ids = Set(changed.map(\.id))
        var rest = stamps[...]
        while let first = rest.firstIndex(where: { ids.contains($0.id) }) {
            let run = rest[first...].prefix { ids.contains($0.id) }
            rest = rest[run.endIndex...]
            guard let start = run.first?.row, let end = run.last?.row else { break }
            try read(
                Rows(
                    // Rows have numbers above the least there is.
                    behind: MatchPosition(in: keychainID, row: start - 1), last: end,
                    most: min(run.count, ItemPages.usualRows), ids: ids), &content, into: writer, &bar)
        }
    }

    private mutating func read(
        _ rows: Rows, _ content: inout BackupContent, into writer: BackupWriter, _ bar: inout ProgressBar
    ) throws(CommandError) {
        // What demands somebody is only counted.
        let all = pages(rows, [.attributes, .persistentReference])
        while let part = try all.next() {
            for case .item(let item) in part where item.accessControl.rules != nil && rows.has(item.persistentID) {
                leaveOut(item.persistentID, writer)
            }
            if rows.end(before: all.position) { break }
        }
        let pages = pages(rows, [.attributes, .data, .persistentReference])
        while let part = try pages.next() {
            for found in part {
                guard case .item(let item) = found else {
                    if case .damaged(let item) = found, let id = item.persistentID, isLost(id, &content) {
                        leaveOut(id, writer)
                        continue
                    }
                    if let item = ToolItem(found, in: keychain, of: .everybody) { content.lack.damage.note(item) }
                    continue
                }
                let id = item.persistentID
                if item.accessControl.rules != nil || !rows.has(id) { continue }
                // What this device has of its circle is worth nothing elsewhere, and back here it would be old.
                let isOfCircle = item.attributes?[.accessGroup] == .string(AccessGroup.sync.name)
                guard !isOfCircle, let kept = BackupItem(item) else {
                    leaveOut(id, writer)
                    continue
                }
                let isBound = item.accessControl.protection.isThisDeviceOnly
                try BackupJob.saying { () throws(BackupError) in try writer.put(kept, isBound: isBound) }
                states[id] = isBound ? .bound : .kept
                content.written += 1
                if ToolItem(found, in: keychain, of: .everybody)?.isFurther == true { content.further += 1 }
                bar.step(to: content.written, of: nil)
            }
            if rows.end(before: pages.position) { break }
        }
    }

    /// Whether it went with an old device key or passcode: nothing opens it, so no backup lacks it.
    private func isLost(_ id: PersistentID, _ content: inout BackupContent) -> Bool {
        // Behind a damaged page they cannot be told from what is damaged.
        let lost = content.lost ?? Set((try? keychain.lostItems()) ?? [])
        content.lost = lost
        return lost.contains(.item(itemClass, id))
    }

    private mutating func leaveOut(_ id: PersistentID, _ writer: BackupWriter) {
        if states.updateValue(.left, forKey: id) == nil { writer.leaveOut() }
    }

    private func pages(_ rows: Rows, _ returning: ReturnTypes) -> ItemPages {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        return ItemPages(
            predicate, returning: returning, in: keychain, of: .everybody, rows: rows.most, skipsGuarded: true,
            in: view,
            from: rows.behind)
    }

    /// All items that there are: what was read, and what was not is as it was before.
    ///
    /// What could not be read now, and could then, stays as it was then.
    func entries() -> [BackupEntry] {
        var states = states
        var entries = stamps.compactMap { stamp -> BackupEntry? in
            if let state = states.removeValue(forKey: stamp.id) {
                return BackupEntry(itemClass, state, stamp.id, stamp: stamp.stamp)
            }
            return earlier?[stamp.id]
        }
        // Stored between the look at the stamps and the reading, where there is no view.
        for (id, state) in states { entries.append(BackupEntry(itemClass, state, id, stamp: 0)) }
        return entries
    }

    /// Which rows are read.
    private struct Rows {
        let behind: MatchPosition?
        let last: Int64
        let most: Int
        /// nil for all.
        let ids: Set<PersistentID>?

        static let everything = Rows(behind: nil, last: .max, most: 500, ids: nil)

        func has(_ id: PersistentID) -> Bool { ids?.contains(id) ?? true }
        func end(before position: MatchPosition?) -> Bool { position.map { $0.row >= last } ?? true }
    }
}

extension BackupItem {
    /// nil of an item that must not leave the keychain.
    init?(_ found: FoundItem) {
        guard let attributes = found.attributes, found.accessControl.rules == nil,
            found.accessControl.protection != .whenPasscodeSetThisDeviceOnly,
            attributes[.tokenID] == nil || attributes[.tokenID] == .emptyString,
            // Of a key that may not leave the bytes are not told.
            found.itemClass != .key || found.secret != nil
        else { return nil }
        self.init(
            itemClass: found.itemClass, id: found.persistentID, attributes: attributes, secret: found.secret)
    }

    /// The item as a keychain takes it back; nil of one that says nothing of its protection.
    var found: FoundItem? {
        guard case .string(let name)? = attributes[.accessible], let protection = Accessibility(name: name) else {
            return nil
        }
        return FoundItem(
            itemClass: itemClass, persistentID: id, attributes: attributes,
            accessControl: AccessControl(protection: protection), secret: secret)
    }
}
