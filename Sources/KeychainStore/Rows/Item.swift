// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel

/// One item in the open, with everything that is written for it.
struct Item {
    let itemClass: ItemClass
    var id: PersistentID
    var syncID: PersistentID
    /// The attributes as callers see them: defaults, dates, group and class of protection among them.
    var attributes: AttributeList
    var accessControl: AccessControl
    var secret: SecretValue?
    /// What its circle knows of it besides.
    var circle = CircleFacts()

    var group: String { text(.accessGroup) }
    var viewHint: String { text(.viewHint) }
    var tokenID: String { text(.tokenID) }
    var isSynchronizable: Bool { attributes[.synchronizable] == .number(1) }
    var isTombstone: Bool { attributes[.tombstone] == .number(1) }

    private func text(_ attribute: Attribute) -> String {
        guard case .string(let text)? = attributes[attribute] else { return "" }
        return text
    }

    func date(_ attribute: Attribute) -> Double {
        guard case .date(let date)? = attributes[attribute] else { return 0 }
        return date
    }

    /// A tombstone of this item: what tells it from others, and nothing more.
    func tombstone(at date: Double) -> Item {
        var tombstone = self
        var kept = AttributeList()
        let identity = ItemIdentity.parts(of: itemClass).map(\.attribute)
        let common: [Attribute] = [
            .accessGroup, .accessible, .creationDate, .synchronizable, .multiUser, .viewHint, .tokenID,
        ]
        for entry in attributes.entries where identity.contains(entry.attribute) || common.contains(entry.attribute) {
            kept.append(unchecked: entry.attribute, entry.value)
        }
        kept[.tombstone] = .number(1)
        kept[.modificationDate] = .date(date)
        tombstone.attributes = kept
        tombstone.accessControl = AccessControl(protection: accessControl.protection)
        tombstone.secret = nil
        tombstone.circle = CircleFacts()
        return tombstone
    }

    /// Whether two items would be one to the unique key.
    func hasSameIdentity(as other: Item) -> Bool {
        let identity = ItemIdentity.parts(of: itemClass).map(\.attribute)
        let common: [Attribute] = [.accessGroup, .synchronizable, .viewHint, .tokenID]
        return (identity + common).allSatisfy { attribute in
            switch (attributes[attribute], other.attributes[attribute]) {
            case (nil, nil): true
            // As the columns see it: the port 1 and a text of the same four bytes are two values there.
            case (let mine?, let theirs?):
                TableColumn.Storage(of: attribute) == .hashed
                    ? mine.hasSameComparisonBytes(as: theirs) : mine == theirs
            default: false
            }
        }
    }
}

// MARK: The sealed record

extension Item {
    /// The attributes that are sealed: those callers see, the sync identity, and the access control if it has rules.
    ///
    /// Throws `unencodable`: an item whose rules cannot be written down is not written without them.
    func record() throws(SealingError) -> AttributeList {
        var record = attributes
        record.append(unchecked: .syncIdentifier, .data(syncID.bytes))
        if !circle.isEmpty { record.append(unchecked: .circleFacts, .data(circle.bytes)) }
        if accessControl.rules != nil {
            do throws(CodingError) {
                record.append(unchecked: .accessControl, .data(try AccessControlCoding.encode(accessControl)))
            } catch { throw .unencodable }
        }
        return record
    }

    /// Reads what `record` wrote; nil when it contradicts itself or the row it was found in.
    init?(_ opened: RowReader.Opened, of row: RowReader) {
        let (record, accessibility) = unsafe (opened.record, opened.accessibility)
        guard case .data(let syncBytes)? = record[.syncIdentifier], let syncID = PersistentID(syncBytes),
            record[.accessible] == .string(accessibility.name)
        else { return nil }
        var accessControl = AccessControl(protection: accessibility)
        if let stored = record[.accessControl] {
            guard let constrained = AccessControl(stored, accessibility, row.accessControls) else { return nil }
            accessControl = constrained
        }
        let entries = record.entries
        var attributes = AttributeList(reservingCapacity: entries.count)
        var circle = CircleFacts()
        for index in entries.indices {
            switch entries[index].attribute {
            case .syncIdentifier, .accessControl: continue
            case .circleFacts:
                guard case .data(let bytes) = entries[index].value, let facts = CircleFacts(bytes) else { return nil }
                circle = facts
            case let attribute: attributes.append(unchecked: attribute, entries[index].value)
            }
        }
        self.init(
            itemClass: row.table.itemClass, id: unsafe opened.id, syncID: syncID, attributes: attributes,
            accessControl: accessControl, secret: nil, circle: circle)
    }
}

/// What a circle knows of an item and no caller sees; an item that was in none has nothing of it.
struct CircleFacts: Equatable {
    /// The generation of a view's keys under which the secret as it is was first sealed; 0 of one that never was.
    var secretGeneration: UInt32 = 0
    /// What software of later versions knows of the item, as it came.
    var later: [UInt8] = []

    init(secretGeneration: UInt32 = 0, later: [UInt8] = []) {
        (self.secretGeneration, self.later) = (secretGeneration, later)
    }

    var isEmpty: Bool { secretGeneration == 0 && later.isEmpty }

    var bytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: secretGeneration >> (24 - 8 * UInt32($0))) } + later
    }

    /// nil of what `bytes` does not give.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        self.init(
            secretGeneration: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, later: Array(bytes.dropFirst(4)))
        if isEmpty { return nil }
    }

    /// Of a secret that was in a circle before, nobody knows since when: it counts as the oldest, so that nobody forgets to
    /// change it who should.
    static let oldestGeneration: UInt32 = 1
}

extension AccessControl {
    /// The access control in a record; a number is the flags of one that earlier software stored.
    fileprivate init?(_ value: AttributeValue, _ accessibility: Accessibility, _ known: AccessControlMemory) {
        switch value {
        case .data(let bytes):
            guard let control = known.control(bytes), control.protection == accessibility else { return nil }
            self = control
        case .number(let number):
            self.init(protection: accessibility, flags: AccessFlags(rawValue: UInt64(bitPattern: number)))
        case .string, .date: return nil
        }
    }
}

/// The access control that was read last: an item that is read again has it, and often the next one of a list.
final class AccessControlMemory {
    private var last: (bytes: [UInt8], control: AccessControl)?

    func control(_ bytes: [UInt8]) -> AccessControl? {
        if let last, last.bytes == bytes { return last.control }
        guard let control = try? AccessControlCoding.decode(bytes) else { return nil }
        last = (bytes, control)
        return control
    }
}
