// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
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
    /// How often others have changed the keychain.
    private let changes = Atomic<UInt64>(0)

    /// The index, and what it knows of.
    private struct Held {
        var index: SecretIndex?
        /// The value of `changes` it was made at.
        var moment: UInt64 = 0
        /// Whether it knows where the secrets are; it cannot find out while the keychain is locked.
        var knowsSecrets = false
    }

    /// `session` gives the service's session with the keychain; its caller has the group `AccessGroup.secretService`, and may
    /// administer the keychain if `bring` is to be called.
    package init(_ session: @escaping @Sendable () throws(KeychainError) -> any KeychainSession) {
        self.session = session
    }

    package func lockState() throws(KeychainError) -> LockState { try lockState(try session()) }

    private func lockState(_ session: any KeychainSession) throws(KeychainError) -> LockState {
        guard case .state(let state) = try session.perform(.state) else { throw SecretCollection.otherReply }
        return state.lockState
    }

    /// Something else changed the keychain: the index is made anew when it is next needed.
    package func forgetIndex() { changes.add(1, ordering: .sequentiallyConsistent) }

    /// How many items there are, where that is known without looking.
    var knownCount: Int? { held.withLock { $0.index?.count } }

    /// When one was changed last, in seconds since 1970, where that is known without looking.
    var lastModified: UInt64? {
        held.withLock { $0.index.flatMap { $0.count > 0 ? UnixTime.seconds($0.latest) : nil } }
    }

    // MARK: Reading

    /// All items, the one changed last first; those that cannot be read are left out.
    package func entries() throws(KeychainError) -> [SecretEntry] {
        let session = try session()
        var rows: [EntryRow] = []
        try requireReadable(session)
        try pages(of: SecretRows.entries, session) { (item) throws(KeychainError) in
            if let row = try? EntryRow(item) { rows.append(row) }
        }
        return rows.sorted { ($1.modified, $0.id.number) < ($0.modified, $1.id.number) }.map(\.entry)
    }

    /// The item of a name; nil where there is none, and an error where that cannot be told.
    package func entry(_ id: String) throws(KeychainError) -> SecretEntry? { try row(id)?.entry }

    /// The names of the items that have all these attributes and perhaps others, the one changed last first.
    package func search(_ attributes: [String: String]) throws(KeychainError) -> [String] {
        let session = try session()
        let candidates = try indexed(session) { (held) throws(KeychainError) in
            if attributes.isEmpty { return held.index?.all ?? [] }
            return try held.index?.having(attributes) ?? []
        }
        guard !attributes.isEmpty, !candidates.isEmpty else {
            try requireReadable(session)
            return candidates.map(\.id.text)
        }
        return try rows(candidates.map(\.entry), session).filter { $0.record.attributes.hasAll(of: attributes) }
            .sorted { ($1.modified, $0.id.number) < ($0.modified, $1.id.number) }.map(\.id.text)
    }

    /// The secret of an item, and of what kind it is; nil where there is no such item.
    package func secret(of id: String) throws(KeychainError) -> (SecretValue, contentType: String)? {
        let session = try session()
        guard let row = try row(id, session) else { return nil }
        guard let reference = try secretReference(of: row, session),
            let secret = try secrets([reference], session)[reference]
        else { throw SecretCollection.noSecret }
        return secret
    }

    /// The secrets of those of the items that are there and can be read.
    package func secrets(
        of ids: [String]
    ) throws(KeychainError) -> [String: (SecretValue, contentType: String)] {
        let wanted = Set(ids.compactMap(SecretID.init))
        guard !wanted.isEmpty else { return [:] }
        let session = try session()
        let rows = try indexedWithSecrets(session) { held in
            wanted.compactMap { id in held.index?[id] }
        }
        let secrets = try secrets(rows.compactMap(\.secret), session)
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
        return try writing { (session) throws(KeychainError) in
            if replacing, let old = try same(attributes, session) {
                try change(old, label, record, secret, session)
                return (old.id.text, true)
            }
            return (try add(label, record, secret, session).text, false)
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
        try writing { (session) throws(KeychainError) in
            guard let row = try row(id, session) else { return false }
            let secret = try secretReference(of: row, session)
            try requireUnlocked(session)
            let predicate = SecretRows.items([row.reference] + [secret].compactMap(\.self))
            try session.delete(DeleteRequest(predicate: predicate, tombstones: .never))
            try update { (index) throws(KeychainError) in index.remove(row.id) }
            return true
        }
    }
}

// MARK: - Rows

extension SecretCollection {
    /// Every item that matches, part by part.
    private func pages(
        of predicate: ItemPredicate, _ session: any KeychainSession,
        _ body: (FoundItem) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let match = MatchRequest(
            predicate: predicate, returning: .attributes, limit: .atMost(SecretCollection.rowsOfPage))
        var start: MatchPosition?
        repeat {
            guard let request = MatchPageRequest(match, from: start) else { throw SecretCollection.otherReply }
            let page = try session.match(request)
            for case .item(let item) in page.found { try body(item) }
            start = page.next
        } while start != nil
    }

    private func row(_ id: String) throws(KeychainError) -> EntryRow? { try row(id, try session()) }

    /// The entry of a name, as it is in the keychain now.
    private func row(_ id: String, _ session: any KeychainSession) throws(KeychainError) -> EntryRow? {
        guard let id = SecretID(id) else { return nil }
        for returning in [ReturnTypes.attributes, [.attributes, .damaged]] {
            let request = MatchRequest(predicate: SecretRows.entry(id), returning: returning, limit: .single)
            let found = try found(request, session)
            if found.contains(where: { if case .damaged = $0 { true } else { false } }) { throw EntryRow.unreadable }
            for case .item(let item) in found {
                guard let row = try EntryRow(item) else { throw EntryRow.unreadable }
                return row
            }
        }
        try requireReadable(session)
        return nil
    }

    /// The entries at these places that can be read, as they are in the keychain now.
    private func rows(
        _ references: [PersistentID], _ session: any KeychainSession
    ) throws(KeychainError) -> [EntryRow] {
        let request = MatchRequest(
            predicate: SecretRows.items(references), returning: .attributes, limit: .all)
        var rows: [EntryRow] = []
        for case .item(let item) in try found(request, session) {
            if let row = try? EntryRow(item) { rows.append(row) }
        }
        return rows
    }

    /// The secrets at these places that can be read.
    private func secrets(
        _ references: [PersistentID], _ session: any KeychainSession
    ) throws(KeychainError) -> [PersistentID: (SecretValue, contentType: String)] {
        guard !references.isEmpty else { return [:] }
        let request = MatchRequest(
            predicate: SecretRows.items(references), returning: [.attributes, .data], limit: .all)
        var secrets: [PersistentID: (SecretValue, contentType: String)] = [:]
        for case .item(let item) in try found(request, session) {
            guard let secret = item.secret, case .string(let contentType)? = item.attributes?[.itemDescription] else {
                continue
            }
            secrets[item.persistentID] = (secret, contentType)
        }
        return secrets
    }

    /// What is found; nothing is no error.
    private func found(_ request: MatchRequest, _ session: any KeychainSession) throws(KeychainError) -> [Found] {
        do throws(KeychainError) { return try session.match(request) } catch {
            guard error.reason == .itemNotFound else { throw error }
            return []
        }
    }

    /// The item whose attributes are exactly these; of several the one changed last.
    private func same(
        _ attributes: [String: String], _ session: any KeychainSession
    ) throws(KeychainError) -> EntryRow? {
        let candidates = try indexed(session) { (held) throws(KeychainError) in
            try held.index?.being(attributes) ?? []
        }
        guard !candidates.isEmpty else { return nil }
        return try rows(candidates.map(\.entry), session).filter { $0.record.attributes.isSameSet(as: attributes) }
            .min { ($1.modified, $0.id.number) < ($0.modified, $1.id.number) }
    }

    /// Refuses to say that there is nothing where there may be something: no row was read, which would have told.
    ///
    /// A row that is there is opened, or says why not; of an empty keychain the lock state has to be asked, which takes longer.
    private func requireReadable(_ session: any KeychainSession) throws(KeychainError) {
        let request = MatchRequest(predicate: SecretRows.entries, returning: .attributes, limit: .single)
        if try !found(request, session).isEmpty { return }
        guard try lockState(session) != .beforeFirstUnlock else { throw SecretCollection.notYet }
    }

    private func requireUnlocked(_ session: any KeychainSession) throws(KeychainError) {
        switch try lockState(session) {
        case .unlocked, .noPasscode: return
        case .locked: throw SecretCollection.locked
        case .beforeFirstUnlock: throw SecretCollection.notYet
        }
    }

    private static let rowsOfPage = 2000
    private static let notYet = KeychainError(
        .interactionNotAllowed, "the keychain was not unlocked yet, so nothing can be told of its items; unlock it")
    private static let locked = KeychainError(.interactionNotAllowed, "the keychain is locked; unlock it")
    private static let noSecret = KeychainError(
        .notAvailable,
        "the item is there and its secret is missing or cannot be read; store it again, or see `llavero check`")
    private static let otherReply = KeychainError(
        .internalError, "the keychain answered another question than the one of the Secret Service")
}

// MARK: - The index

extension SecretCollection {
    /// Does something with the index, which is made where there is none, or where others have changed the keychain since.
    private func indexed<Result: Sendable>(
        _ session: any KeychainSession, _ body: (inout Held) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try held.withLock { (held) throws(KeychainError) in
            // Before it is read: what changes meanwhile makes it anew the next time.
            let moment = changes.load(ordering: .sequentiallyConsistent)
            if held.index == nil || held.moment != moment {
                held = Held(index: try made(session), moment: moment)
            }
            return try body(&held)
        }
    }

    /// The same with an index that knows where the secrets are, which takes an unlocked keychain to find out.
    private func indexedWithSecrets<Result: Sendable>(
        _ session: any KeychainSession, _ body: (inout Held) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try indexed(session) { (held) throws(KeychainError) in
            if !held.knowsSecrets {
                try pages(of: SecretRows.secrets, session) { (item) throws(KeychainError) in
                    guard case .data(let name)? = item.attributes?[.generic],
                        let id = SecretID(String(decoding: name, as: UTF8.self))
                    else { return }
                    held.index?.setSecret(item.persistentID, of: id)
                }
                held.knowsSecrets = true
            }
            return try body(&held)
        }
    }

    /// An index of what is there now.
    private func made(_ session: any KeychainSession) throws(KeychainError) -> SecretIndex {
        var index = try SecretIndex()
        try pages(of: SecretRows.entries, session) { (item) throws(KeychainError) in
            guard let row = try? EntryRow(item) else { return }
            try index.put(
                row.id, row.record.attributes, modified: row.modified, entry: row.reference, secret: nil)
        }
        if index.count == 0 { try requireReadable(session) }
        return index
    }

    /// Changes the index after a write, if there is one.
    private func update(_ body: (inout SecretIndex) throws(KeychainError) -> Void) throws(KeychainError) {
        try held.withLock { (held) throws(KeychainError) in
            guard var index = held.index else { return }
            held.index = nil
            try body(&index)
            held.index = index
        }
    }

    private func secretReference(
        of row: EntryRow, _ session: any KeychainSession
    ) throws(KeychainError) -> PersistentID? {
        try indexedWithSecrets(session) { held in held.index?[row.id]?.secret }
    }
}

// MARK: - Writes

extension SecretCollection {
    /// Does something that changes the keychain, alone.
    private func writing<Result: Sendable>(
        _ body: (any KeychainSession) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try turn.withLock { (_) throws(KeychainError) in
            do throws(KeychainError) { return try body(try session()) } catch {
                // What became of it may not be known, as where the disk failed.
                forgetIndex()
                throw error
            }
        }
    }

    /// Changes an item to what `body` makes of it; false where there is none.
    private func changing(
        _ id: String, _ body: (EntryRow) -> (label: String, EntryRecord, SecretValue?)
    ) throws(KeychainError) -> Bool {
        try writing { (session) throws(KeychainError) in
            guard let row = try row(id, session) else { return false }
            let (label, record, secret) = body(row)
            try change(row, label, record, secret, session)
            return true
        }
    }

    private func add(
        _ label: String, _ record: EntryRecord, _ secret: SecretValue, _ session: any KeychainSession
    ) throws(KeychainError) -> SecretID {
        // Also where it is not looked at: who writes knows then what is there.
        _ = try indexed(session) { held in held.index?.count }
        return try namingSecret { (isNameTaken) throws(KeychainError) in
            let id = SecretID.random()
            let entry = try SecretRows.entryAttributes(id, label, record)
            let shown = SecretRows.secretAttributes(id, label, record, isNameTaken: isNameTaken)
            let request = AddAllRequest(
                entries: [
                    .item(SecretRows.add(entry, SecretRows.entryClass, nil)),
                    .item(SecretRows.add(shown, SecretRows.secretClass, secret)),
                ], returning: .attributes)
            try put(id, record, try session.add(request))
            return id
        }
    }

    private func put(_ id: SecretID, _ record: EntryRecord, _ found: [Found]) throws(KeychainError) {
        guard found.count == 2, case .item(let entry) = found[0], case .item(let secret) = found[1],
            case .date(let modified)? = entry.attributes?[.modificationDate]
        else { throw SecretCollection.otherReply }
        try update { (index) throws(KeychainError) in
            try index.put(
                id, record.attributes, modified: modified, entry: entry.persistentID, secret: secret.persistentID)
        }
    }

    /// Makes an item say something else, and with a secret also gives it that.
    private func change(
        _ row: EntryRow, _ label: String, _ record: EntryRecord, _ secret: SecretValue?, _ session: any KeychainSession
    ) throws(KeychainError) {
        let entry = SecretRows.update(row.reference, try SecretRows.entryAttributes(row.id, label, record), nil)
        let isShownAlike = record.attributes.isSameSet(as: row.record.attributes)
        try namingSecret { (isNameTaken) throws(KeychainError) in
            var attributes = SecretRows.secretAttributes(row.id, label, record, isNameTaken: isNameTaken)
            guard let reference = try secretReference(of: row, session) else {
                return try supply(row.id, attributes, secret, entry, session)
            }
            // What people call it stays where nothing about it changed: a person may have given it another name.
            if isShownAlike { (attributes[.service], attributes[.account]) = (nil, nil) }
            do throws(KeychainError) {
                try session.update(UpdateAllRequest([entry, SecretRows.update(reference, attributes, secret)]))
            } catch {
                // The entry was read a moment ago, so it is the secret that others have removed.
                guard error.reason == .itemNotFound else { throw error }
                try update { (index) throws(KeychainError) in index.setSecret(nil, of: row.id) }
                try supply(
                    row.id, SecretRows.secretAttributes(row.id, label, record, isNameTaken: isNameTaken), secret, entry,
                    session)
            }
        }
        guard let changed = try rows([row.reference], session).first else { return forgetIndex() }
        try update { (index) throws(KeychainError) in
            try index.put(row.id, record.attributes, modified: changed.modified, entry: row.reference, secret: nil)
        }
    }

    /// Changes an item whose secret is missing, and gives it the new one if there is one.
    private func supply(
        _ id: SecretID, _ attributes: AttributeList, _ secret: SecretValue?, _ entry: UpdateRequest,
        _ session: any KeychainSession
    ) throws(KeychainError) {
        try requireUnlocked(session)
        if let secret {
            // First: with the entry changed and this undone the item would say what it is not.
            let added = try session.add(SecretRows.add(attributes, SecretRows.secretClass, secret))
            try update { (index) throws(KeychainError) in index.setSecret(added?.persistentID, of: id) }
        }
        try session.update(UpdateAllRequest([entry]))
    }

    /// Does `body`, and where people know another secret by the same name, once more with a name of its own.
    private func namingSecret<Result>(
        _ body: (_ isNameTaken: Bool) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) { return try body(false) } catch {
            guard error.reason == .duplicateItem else { throw error }
            return try body(true)
        }
    }
}
