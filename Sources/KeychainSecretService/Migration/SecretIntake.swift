// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// Takes items of another provider into a collection, with the times that they have there.
///
/// What is here already stays as it is. First it is decided about every item (`take`), then all are stored (`store`), and last
/// the keychain is read again and compared (`missing`).
package struct SecretIntake {
    /// What becomes of an item.
    package enum Outcome: Sendable, Equatable {
        case new
        /// It is here, but for its times.
        case here
        /// The source has it twice.
        case twice
    }

    private struct Known {
        let label: String
        let record: EntryRecord
        let secret: SecretValue
        let contentType: String
        let created: UInt64
        let modified: UInt64

        func isSame(_ item: OfferedSecret) -> Bool { item.isSame(label, record, secret, contentType) }
    }

    /// nil where there is no keychain yet, and none is to be made.
    private let session: (any KeychainSession)?
    /// What is in the keychain, by names of attributes and values, in no particular order.
    private var known: [[String: String]: [Known]] = [:]
    /// What is to be stored.
    private var new: [OfferedSecret] = []
    /// The places in `new` by attributes.
    private var places: [[String: String]: [Int]] = [:]
    private let now: UInt64

    /// Reads what the keychain has, which has to be unlocked.
    ///
    /// The session's caller has the group `AccessGroup.secretService`, and
    /// may administer the keychain.
    package init(_ session: any KeychainSession, at now: UInt64) throws(KeychainError) {
        self.session = session
        self.now = now
        known = try SecretIntake.read(session)
    }

    /// Where there is no keychain yet: nothing is here, and nothing can be stored.
    package init() {
        session = nil
        now = 0
    }

    /// How many items are to be stored.
    package var count: Int { new.count }

    /// Whether programs find another item first by the attributes of this one, of those here and those to be stored.
    package func isBehindOther(_ item: OfferedSecret) -> Bool {
        let (set, modified) = (item.attributes.asSet, times(of: item).modified)
        // Those of KWallet's own interface have none, and nobody looks for one of them by that.
        guard !set.isEmpty else { return false }
        if known[set]?.contains(where: { !$0.isSame(item) && $0.modified >= modified }) ?? false { return true }
        return places[set]?.contains { !new[$0].isSame(as: item) && times(of: new[$0]).modified >= modified } ?? false
    }

    /// Decides about one item; of two that differ in their times alone the one changed last is kept.
    package mutating func take(_ item: OfferedSecret) -> Outcome {
        let set = item.attributes.asSet
        if known[set]?.contains(where: { $0.isSame(item) }) ?? false { return .here }
        if let place = places[set]?.first(where: { new[$0].isSame(as: item) }) {
            if item.modified > new[place].modified { new[place] = item }
            return .twice
        }
        places[set, default: []].append(new.count)
        new.append(item)
        return .new
    }

    /// Stores what is new; `step` is told how many are.
    package func store(step: (Int) -> Void) throws(KeychainError) {
        guard let session else { throw SecretIntake.noKeychain }
        var batch: [FoundItem] = []
        var size = 0
        for (index, item) in new.enumerated() {
            batch += try rows(of: item)
            size += item.secret.count + 1000
            guard index == new.count - 1 || batch.count >= SecretIntake.rowsOfBatch || size > SecretIntake.bytesOfBatch
            else { continue }
            let request = RestoreRequest(items: batch, replaces: false, isWhole: false, isRehearsal: false)
            guard case .restored(let outcomes, _) = try session.perform(.restore(request)),
                outcomes.count == batch.count
            else { throw RowReading.otherReply }
            batch = []
            size = 0
            step(index + 1)
        }
    }

    /// Reads everything again, and returns what was to be stored and is not here as it should be.
    package func missing() throws(KeychainError) -> [OfferedSecret] {
        guard !new.isEmpty else { return [] }
        guard let session else { throw SecretIntake.noKeychain }
        let found = try SecretIntake.read(session)
        return new.filter { item in
            let (created, modified) = times(of: item)
            return
                !(found[item.attributes.asSet]?.contains {
                    $0.isSame(item) && $0.created == created && $0.modified == modified
                } ?? false)
        }
    }

    // MARK: Rows

    /// Both rows of an item.
    private func rows(of item: OfferedSecret) throws(KeychainError) -> [FoundItem] {
        let id = SecretID.random()
        let record = EntryRecord(attributes: item.attributes, contentType: item.contentType)
        let (created, modified) = times(of: item)
        let dates = (UnixTime.date(created), UnixTime.date(modified))
        return [
            SecretRows.restored(
                nil, try SecretRows.entryAttributes(id, item.label, record), SecretRows.entryClass, created: dates.0,
                modified: dates.1, secret: nil),
            SecretRows.restored(
                nil, SecretRows.secretAttributes(id, item.label, record), SecretRows.secretClass, created: dates.0,
                modified: dates.1, secret: item.secret),
        ]
    }

    private func times(of item: OfferedSecret) -> (created: UInt64, modified: UInt64) {
        let modified = item.modified > 0 ? item.modified : max(item.created, 0)
        let created = item.created > 0 ? item.created : modified
        return created > 0 ? (created, modified) : (now, now)
    }

    private static func read(
        _ session: any KeychainSession
    ) throws(KeychainError) -> [[String: String]: [Known]] {
        let reading = RowReading(session: session)
        var secrets: [SecretID: (SecretValue, String)] = [:]
        try reading.eachValue { id, secret, contentType in secrets[id] = (secret, contentType) }
        var known: [[String: String]: [Known]] = [:]
        try reading.eachEntry { (row) throws(KeychainError) in
            guard let (secret, contentType) = secrets[row.id] else { return }
            known[row.record.attributes.asSet, default: []].append(
                Known(
                    label: row.label, record: row.record, secret: secret, contentType: contentType,
                    created: row.entry.created, modified: row.entry.modified))
        }
        return known
    }

    private static let rowsOfBatch = 200
    private static let bytesOfBatch = 2 << 20
    private static let noKeychain = KeychainError(.noSuchKeychain, "there is no keychain to store the items in")
}
