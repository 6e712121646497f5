// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest
internal import KeychainSystem
internal import Synchronization

/// A collection of the Secret Service: the items of one keychain that programs keep over the bus.
///
/// Any number of threads may call. Its writes take turns, so that two programs that replace the same item at once make one.
/// Before the first unlock nothing can be told, and every question ends with `interactionNotAllowed`; an empty answer always
/// means that there is nothing.
package final class SecretCollection: Sendable {
    private let session: @Sendable () throws(KeychainError) -> any KeychainSession
    /// Held while something is written.
    private let turn = ForkSafeMutex<Void>(())
    private let held = ForkSafeMutex<Held>(Held())
    /// How often the index was given up.
    private let losses = Atomic<UInt64>(0)

    /// The index, and what it knows of.
    private struct Held {
        var index: SecretIndex?
        /// The value of `losses` it was made at.
        var moment: UInt64 = 0
        /// Whether it knows where the secrets are; it cannot find out while the keychain is locked.
        var knowsSecrets = false
    }

    /// `session` gives the service's session with the keychain; its caller has the group `AccessGroup.secretService`, and
    /// administers the keychain if `bring` is to be called.
    package init(_ session: @escaping @Sendable () throws(KeychainError) -> any KeychainSession) {
        self.session = session
    }

    package func lockState() throws(KeychainError) -> LockState { try reading().lockState() }

    /// Something else changed the keychain, and it is not known what: the index is made anew when it is next needed.
    package func forgetIndex() { losses.add(1, ordering: .sequentiallyConsistent) }

    private func reading() throws(KeychainError) -> RowReading { RowReading(session: try session()) }

    /// How many items there are, where that is known without looking.
    var knownCount: Int? { held.withLock { $0.index?.count } }

    /// When one was changed last, in seconds since 1970, where that is known without looking.
    var lastModified: UInt64? {
        held.withLock { $0.index.flatMap { $0.count > 0 ? UnixTime.seconds($0.latest) : nil } }
    }

    // MARK: Reading

    /// All items, the one changed last first; those that cannot be read are left out.
    package func entries() throws(KeychainError) -> [SecretEntry] {
        let reading = try reading()
        var rows: [EntryRow] = []
        try reading.eachEntry { row in rows.append(row) }
        if rows.isEmpty { try reading.requireReadable() }
        return rows.sorted { $0.precedes($1) }.map(\.entry)
    }

    /// The item of a name; nil where there is none, and an error where that cannot be told.
    package func entry(_ id: String) throws(KeychainError) -> SecretEntry? {
        guard let id = SecretID(id) else { return nil }
        return try reading().entry(id)?.entry
    }

    /// The names of the items that have all these attributes and perhaps others, the one changed last first.
    package func search(_ attributes: [String: String]) throws(KeychainError) -> [String] {
        let reading = try reading()
        let candidates = try indexed(reading) { (held) throws(KeychainError) in
            attributes.isEmpty ? held.index?.all ?? [] : try held.index?.having(attributes) ?? []
        }
        guard !attributes.isEmpty, !candidates.isEmpty else {
            try reading.requireReadable()
            return candidates.map(\.id.text)
        }
        return try reading.entries(at: candidates.map(\.entry)).filter { $0.record.attributes.hasAll(of: attributes) }
            .sorted { $0.precedes($1) }.map(\.id.text)
    }

    /// The secret of an item, and what kind of content it is; nil where there is no such item.
    package func secret(of id: String) throws(KeychainError) -> (SecretValue, contentType: String)? {
        let reading = try reading()
        guard let id = SecretID(id), let row = try reading.entry(id) else { return nil }
        guard let reference = try secretReference(of: row, reading),
            let secret = try reading.secrets(at: [reference])[reference]
        else {
            throw KeychainError(
                .notAvailable,
                "the item is there and its secret is missing or cannot be read; store it again, or see `llavero check`")
        }
        return secret
    }

    /// The secrets of those of the items that are there and can be read.
    package func secrets(
        of ids: [String]
    ) throws(KeychainError) -> [String: (SecretValue, contentType: String)] {
        let wanted = Set(ids.compactMap(SecretID.init))
        guard !wanted.isEmpty else { return [:] }
        let reading = try reading()
        let rows = try indexedWithSecrets(reading) { held in wanted.compactMap { id in held.index?[id] } }
        let secrets = try reading.secrets(at: rows.compactMap(\.secret))
        var found: [String: (SecretValue, contentType: String)] = [:]
        for row in rows { if let reference = row.secret { found[row.id.text] = secrets[reference] } }
        return found
    }

    // MARK: Writing

    /// Stores an item, or, when it is to replace one, gives the item with exactly these attributes a new secret.
    ///
    /// An item that is replaced keeps its name and the time at which it was made.
    package func create(
        label: String, attributes: [String: String], contentType: String, secret: SecretValue, replacing: Bool
    ) throws(KeychainError) -> (id: String, replaced: Bool) {
        let record = EntryRecord(attributes: attributes, contentType: contentType)
        return try writing { (reading) throws(KeychainError) in
            if replacing, let old = try same(attributes, reading) {
                try change(old, label, record, secret, reading)
                return (old.id.text, true)
            }
            return (try add(label, record, secret, reading).text, false)
        }
    }

    /// Gives an item another secret; false where there is no such item, here and below.
    package func setSecret(
        _ secret: SecretValue, contentType: String, of id: String
    ) throws(KeychainError) -> Bool {
        try changing(id) { row in
            (row.label, EntryRecord(attributes: row.record.attributes, contentType: contentType), secret)
        }
    }

    package func setLabel(_ label: String, of id: String) throws(KeychainError) -> Bool {
        try changing(id) { row in (label, row.record, nil) }
    }

    package func setAttributes(_ attributes: [String: String], of id: String) throws(KeychainError) -> Bool {
        try changing(id) { row in
            (row.label, EntryRecord(attributes: attributes, contentType: row.record.contentType), nil)
        }
    }

    /// Removes an item, for good.
    ///
    /// The database would let go of what is locked, too; here nothing is removed by somebody who may not read it now.
    package func delete(_ id: String) throws(KeychainError) -> Bool {
        guard let id = SecretID(id) else { return false }
        return try writing { (reading) throws(KeychainError) in
            guard let row = try reading.entry(id) else { return false }
            let secret = try secretReference(of: row, reading)
            try reading.requireUnlocked()
            let predicate = SecretRows.rows(at: [row.reference] + [secret].compactMap(\.self))
            try reading.session.delete(DeleteRequest(predicate: predicate, tombstones: .never))
            try update { index in index.remove(id) }
            return true
        }
    }

    // MARK: What others did

    /// Takes in what was done with the keychain, and says what of it this collection did not do itself and did not know yet.
    ///
    /// Not to be called while one of its calls is under way on the same thread.
    package func noticed(_ changes: KeychainChanges) throws(KeychainError) -> [SecretChange] {
        let events = changes.events.filter {
            $0.isChange && $0.itemClass == .genericPassword && $0.group == AccessGroup.secretService.name
        }
        guard !events.isEmpty || changes.isIncomplete else { return [] }
        return try turn.withLock { (_) throws(KeychainError) in
            let reading = try reading()
            return try held.withLock { (held) throws(KeychainError) in
                // Nobody was told of any item yet.
                guard let index = held.index else { return [] }
                let isKnown = held.moment == losses.load(ordering: .sequentiallyConsistent)
                guard isKnown, !changes.isIncomplete, events.count <= SecretCollection.mostNoticed else {
                    held = try fresh(reading)
                    return held.index?.changes(since: index) ?? []
                }
                let removed = Set(events.filter { $0.kind == .deleted }.map(\.id))
                return try notice(Set(events.map(\.id)), removed: removed, &held, reading)
            }
        }
    }

    private func notice(
        _ references: Set<PersistentID>, removed: Set<PersistentID>, _ held: inout Held, _ reading: RowReading
    ) throws(KeychainError) -> [SecretChange] {
        var changes: [SecretChange] = []
        var gone = references
        for row in try reading.entries(at: Array(references)) {
            gone.remove(row.reference)
            let known = held.index?[row.id]
            guard known?.modified != row.modified || known?.entry != row.reference else { continue }
            try held.index?.put(row)
            // Its secret may have come before it, and is looked for again.
            if held.index?[row.id]?.secret == nil { held.knowsSecrets = false }
            changes.append(known == nil ? .made(row.id.text) : .changed(row.id.text))
        }
        do throws(KeychainError) {
            for (id, reference) in try reading.names(ofSecretsAt: Array(gone)) {
                held.index?.setSecret(reference, of: id)
                gone.remove(reference)
            }
        } catch {
            // Where they are is found out again once the keychain is unlocked.
            held.knowsSecrets = false
        }
        // Items that are gone as a whole first: of these nothing is left to be removed.
        for reference in gone {
            guard let row = held.index?.row(at: reference), row.entry == reference else { continue }
            held.index?.remove(row.id)
            changes.append(.removed(row.id.text))
        }
        for reference in gone {
            guard let row = held.index?.row(at: reference) else { continue }
            if removed.contains(reference) {
                // Somebody removed what a person sees of the item, with a tool: what is left would be an item without a secret.
                try reading.session.delete(
                    DeleteRequest(predicate: SecretRows.rows(at: [row.entry]), tombstones: .never))
                held.index?.remove(row.id)
                changes.append(.removed(row.id.text))
            } else {
                held.index?.setSecret(nil, of: row.id)
            }
        }
        return changes
    }

    private static let mostNoticed = 500
}

// MARK: - The index

extension SecretCollection {
    /// Does something with the index, which is made where there is none, or where the one there was given up.
    private func indexed<Result: Sendable>(
        _ reading: RowReading, _ body: (inout Held) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try held.withLock { (held) throws(KeychainError) in
            if held.index == nil || held.moment != losses.load(ordering: .sequentiallyConsistent) {
                held = try fresh(reading)
            }
            return try body(&held)
        }
    }

    /// The same with an index that knows where the secrets are, which takes an unlocked keychain to find out.
    private func indexedWithSecrets<Result: Sendable>(
        _ reading: RowReading, _ body: (inout Held) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try indexed(reading) { (held) throws(KeychainError) in
            if !held.knowsSecrets {
                try reading.eachSecret { id, reference in held.index?.setSecret(reference, of: id) }
                held.knowsSecrets = true
            }
            return try body(&held)
        }
    }

    /// An index of what is there now.
    private func fresh(_ reading: RowReading) throws(KeychainError) -> Held {
        // Before anything is read: what changes meanwhile makes it anew the next time.
        let moment = losses.load(ordering: .sequentiallyConsistent)
        var index = try SecretIndex()
        try reading.eachEntry { (row) throws(KeychainError) in try index.put(row) }
        if index.count == 0 { try reading.requireReadable() }
        // Without an entry there is no secret to look for.
        return Held(index: index, moment: moment, knowsSecrets: index.count == 0)
    }

    /// Changes the index after a write, if there is one.
    private func update(_ body: (inout SecretIndex) throws(KeychainError) -> Void) throws(KeychainError) {
        try held.withLock { (held) throws(KeychainError) in
            guard var index = held.index else { return }
            // So that there is one of it, which is changed in its place.
            held.index = nil
            try body(&index)
            held.index = index
        }
    }

    private func secretReference(of row: EntryRow, _ reading: RowReading) throws(KeychainError) -> PersistentID? {
        try indexedWithSecrets(reading) { held in held.index?[row.id]?.secret }
    }

    /// The item whose attributes are exactly these; of several the one changed last.
    private func same(_ attributes: [String: String], _ reading: RowReading) throws(KeychainError) -> EntryRow? {
        let candidates = try indexed(reading) { (held) throws(KeychainError) in
            try held.index?.being(attributes) ?? []
        }
        return try reading.entries(at: candidates.map(\.entry)).filter {
            $0.record.attributes.isSameSet(as: attributes)
        }
        .min { $0.precedes($1) }
    }
}

extension SecretIndex {
    fileprivate mutating func put(_ row: EntryRow) throws(KeychainError) {
        try put(row.id, row.record.attributes, modified: row.modified, entry: row.reference, secret: nil)
    }
}

// MARK: - Writes

extension SecretCollection {
    /// Does something that changes the keychain, alone.
    private func writing<Result: Sendable>(
        _ body: (RowReading) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try turn.withLock { (_) throws(KeychainError) in
            do throws(KeychainError) { return try body(try reading()) } catch {
                // What became of it may not be known, as where the disk failed.
                if error.reason != .interactionNotAllowed { forgetIndex() }
                throw error
            }
        }
    }

    /// Changes an item to what `body` makes of it; false where there is none.
    private func changing(
        _ id: String, _ body: (EntryRow) -> (label: String, EntryRecord, SecretValue?)
    ) throws(KeychainError) -> Bool {
        guard let id = SecretID(id) else { return false }
        return try writing { (reading) throws(KeychainError) in
            guard let row = try reading.entry(id) else { return false }
            let (label, record, secret) = body(row)
            try change(row, label, record, secret, reading)
            return true
        }
    }

    private func add(
        _ label: String, _ record: EntryRecord, _ secret: SecretValue, _ reading: RowReading
    ) throws(KeychainError) -> SecretID {
        let id = SecretID.random()
        let request = AddAllRequest(
            entries: [
                .item(SecretRows.add(try SecretRows.entryAttributes(id, label, record), SecretRows.entryClass, nil)),
                .item(SecretRows.add(SecretRows.secretAttributes(id, label, record), SecretRows.secretClass, secret)),
            ], returning: .attributes)
        let found = try reading.session.add(request)
        guard found.count == 2, case .item(let entry) = found[0], case .item(let secret) = found[1],
            case .date(let modified)? = entry.attributes?[.modificationDate]
        else { throw RowReading.otherReply }
        try update { (index) throws(KeychainError) in
            try index.put(
                id, record.attributes, modified: modified, entry: entry.persistentID, secret: secret.persistentID)
        }
        return id
    }

    /// Makes an item say something else, and with a secret also gives it that.
    private func change(
        _ row: EntryRow, _ label: String, _ record: EntryRecord, _ secret: SecretValue?, _ reading: RowReading
    ) throws(KeychainError) {
        let entry = SecretRows.update(row.reference, try SecretRows.entryAttributes(row.id, label, record), nil)
        let attributes = SecretRows.secretAttributes(row.id, label, record)
        if let reference = try secretReference(of: row, reading) {
            var changes = attributes
            // What people call it stays where nothing about it changed: a person may have given it another name.
            if record.attributes.isSameSet(as: row.record.attributes) {
                (changes[.service], changes[.account]) = (nil, nil)
            }
            do throws(KeychainError) {
                try reading.session.update(UpdateAllRequest([entry, SecretRows.update(reference, changes, secret)]))
            } catch {
                // The entry was read a moment ago, so it is the secret that others have removed.
                guard error.reason == .itemNotFound else { throw error }
                try update { index in index.setSecret(nil, of: row.id) }
                try supply(row.id, attributes, secret, entry, reading)
            }
        } else {
            try supply(row.id, attributes, secret, entry, reading)
        }
        guard let changed = try reading.entries(at: [row.reference]).first else { return forgetIndex() }
        try update { (index) throws(KeychainError) in try index.put(changed) }
    }

    /// Changes an item whose secret is missing, and gives it the new one if there is one.
    private func supply(
        _ id: SecretID, _ attributes: AttributeList, _ secret: SecretValue?, _ entry: UpdateRequest,
        _ reading: RowReading
    ) throws(KeychainError) {
        try reading.requireUnlocked()
        if let secret {
            // First: with the entry changed and this undone the item would say what it is not.
            let added = try reading.session.add(SecretRows.add(attributes, SecretRows.secretClass, secret))
            try update { index in index.setSecret(added?.persistentID, of: id) }
        }
        try reading.session.update(UpdateAllRequest([entry]))
    }
}

// MARK: - Other words

/// What somebody else did with an item.
package enum SecretChange: Sendable, Hashable {
    case made(String)
    case changed(String)
    case removed(String)
}
