// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What a session tells of a collection's rows.
///
/// Nothing is taken for missing because it could not be read: before the first unlock every question ends with an error.
struct RowReading {
    let session: any KeychainSession

    /// The entry of a name, as it is in the keychain now; nil where there is none.
    func entry(_ id: SecretID) throws(KeychainError) -> EntryRow? {
        // The first look is the fast one; it says of a damaged row what it says of none.
        for returning in [ReturnTypes.attributes, [.attributes, .damaged]] {
            let request = MatchRequest(predicate: SecretRows.entry(id), returning: returning, limit: .single)
            let found = try found(request)
            for case .item(let item) in found {
                guard let row = try EntryRow(item) else { throw EntryRow.unreadable }
                return row
            }
            guard found.isEmpty else { throw EntryRow.unreadable }
        }
        try requireReadable()
        return nil
    }

    /// The entries at these places that can be read; other rows there are passed over.
    func entries(at references: [PersistentID]) throws(KeychainError) -> [EntryRow] {
        guard !references.isEmpty else { return [] }
        let request = MatchRequest(predicate: SecretRows.entries(at: references), returning: .attributes, limit: .all)
        var rows: [EntryRow] = []
        for case .item(let item) in try found(request) { if let row = try? EntryRow(item) { rows.append(row) } }
        return rows
    }

    /// Every entry that can be read.
    func eachEntry(_ body: (EntryRow) throws(KeychainError) -> Void) throws(KeychainError) {
        try each(SecretRows.entries) { (item) throws(KeychainError) in
            if let row = try? EntryRow(item) { try body(row) }
        }
    }

    /// Where every secret is; takes an unlocked keychain, unless there is none.
    func eachSecret(_ body: (SecretID, PersistentID) -> Void) throws(KeychainError) {
        try each(SecretRows.secrets) { item in
            if let id = RowReading.name(of: item) { body(id, item.persistentID) }
        }
    }

    /// Every secret that can be read, with what it is.
    func eachValue(_ body: (SecretID, SecretValue, _ contentType: String) -> Void) throws(KeychainError) {
        // So few that large ones are one answer, too.
        try each(SecretRows.secrets, [.attributes, .data], rows: 50) { item in
            guard let id = RowReading.name(of: item), let secret = item.secret,
                case .string(let contentType)? = item.attributes?[.itemDescription]
            else { return }
            body(id, secret, contentType)
        }
    }

    /// The secrets at these places that can be read, with what they are.
    func secrets(
        at references: [PersistentID]
    ) throws(KeychainError) -> [PersistentID: (SecretValue, contentType: String)] {
        guard !references.isEmpty else { return [:] }
        let request = MatchRequest(
            predicate: SecretRows.secrets(at: references), returning: [.attributes, .data], limit: .all)
        var secrets: [PersistentID: (SecretValue, contentType: String)] = [:]
        for case .item(let item) in try found(request) {
            guard let secret = item.secret, case .string(let contentType)? = item.attributes?[.itemDescription] else {
                continue
            }
            secrets[item.persistentID] = (secret, contentType)
        }
        return secrets
    }

    /// Whose secrets are at these places, of those that are there.
    func names(ofSecretsAt references: [PersistentID]) throws(KeychainError) -> [(SecretID, PersistentID)] {
        guard !references.isEmpty else { return [] }
        let request = MatchRequest(predicate: SecretRows.secrets(at: references), returning: .attributes, limit: .all)
        var names: [(SecretID, PersistentID)] = []
        for case .item(let item) in try found(request) {
            if let id = RowReading.name(of: item) { names.append((id, item.persistentID)) }
        }
        return names
    }

    /// Whose secret a row is.
    private static func name(of item: FoundItem) -> SecretID? {
        guard case .string(let name)? = item.attributes?[.viewHint] else { return nil }
        return SecretID(name)
    }

    // MARK: Whether anything can be told

    func lockState() throws(KeychainError) -> LockState { try session.lockState() }

    /// Refuses to say that there is nothing where there may be something: no row was read, which would have told.
    ///
    /// A row that is there opens, or says why not; of a collection without any the lock state has to be asked, which takes
    /// longer.
    func requireReadable() throws(KeychainError) {
        let request = MatchRequest(predicate: SecretRows.entries, returning: .attributes, limit: .single)
        if try !found(request).isEmpty { return }
        guard try lockState() != .beforeFirstUnlock else { throw RowReading.notYet }
    }

    func requireUnlocked() throws(KeychainError) {
        switch try lockState() {
        case .unlocked, .noPasscode: return
        case .locked: throw RowReading.locked
        case .beforeFirstUnlock: throw RowReading.notYet
        }
    }

    // MARK: Requests

    /// What is found; nothing is no error.
    private func found(_ request: MatchRequest) throws(KeychainError) -> [Found] {
        do throws(KeychainError) { return try session.match(request) } catch {
            guard error.reason == .itemNotFound else { throw error }
            return []
        }
    }

    /// Every item that matches, part by part.
    private func each(
        _ predicate: ItemPredicate, _ returning: ReturnTypes = .attributes, rows: Int = rowsOfPage,
        _ body: (FoundItem) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let match = MatchRequest(predicate: predicate, returning: returning, limit: .atMost(rows))
        var start: MatchPosition?
        repeat {
            guard let request = MatchPageRequest(match, from: start) else { throw RowReading.otherReply }
            let page = try session.match(request)
            for case .item(let item) in page.found { try body(item) }
            start = page.next
        } while start != nil
    }

    private static let rowsOfPage = 2000
    private static let notYet = KeychainError(
        .interactionNotAllowed, "the keychain was not unlocked yet, so nothing can be told of its items; unlock it")
    private static let locked = KeychainError(.interactionNotAllowed, "the keychain is locked; unlock it")
    static let otherReply = KeychainError(
        .internalError, "the keychain answered another question than the one of the Secret Service")
}
