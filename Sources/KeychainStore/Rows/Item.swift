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
        if accessControl.rules != nil {
            do throws(CodingError) {
                record.append(unchecked: .accessControl, .data(try AccessControlCoding.encode(accessControl)))
            } catch { throw .unencodable }
        }
        return record
    }

    /// Reads what `record` wrote; nil when it contradicts itself or the row it was found in.
    init?(record: AttributeList, itemClass: ItemClass, id: PersistentID, accessibility: Accessibility) {
        guard case .data(let syncBytes)? = record[.syncIdentifier], let syncID = PersistentID(syncBytes),
            record[.accessible] == .string(accessibility.name)
        else { return nil }
        var accessControl = AccessControl(protection: accessibility)
        if let stored = record[.accessControl] {
            guard let constrained = AccessControl(stored, accessibility) else { return nil }
            accessControl = constrained
        }
        let entries = record.entries
        var attributes = AttributeList(reservingCapacity: entries.count)
        for index in entries.indices {
            switch entries[index].attribute {
            case .syncIdentifier, .accessControl: continue
            case let attribute: attributes.append(unchecked: attribute, entries[index].value)
            }
        }
        self.init(
            itemClass: itemClass, id: id, syncID: syncID, attributes: attributes, accessControl: accessControl,
            secret: nil)
    }
}

extension AccessControl {
    /// The access control in a record; a number is the flags of one that earlier software stored.
    fileprivate init?(_ value: AttributeValue, _ accessibility: Accessibility) {
        switch value {
        case .data(let bytes):
            guard let control = try? AccessControlCoding.decode(bytes), control.protection == accessibility else {
                return nil
            }
            self = control
        case .number(let number):
            self.init(protection: accessibility, flags: AccessFlags(rawValue: UInt64(bitPattern: number)))
        case .string, .date: return nil
        }
    }
}
