// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel
internal import KeychainRequest

/// The name of an item in its collection: sixteen digits, drawn at random and never given to another one.
package struct SecretID: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) { self.number = number }

    /// nil of any other text than the one that stands for a number.
    package init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy(SecretID.isDigit), let number = UInt64(text, radix: 16) else {
            return nil
        }
        self.number = number
    }

    package static func random() -> SecretID {
        var generator = SystemRandomNumberGenerator()
        return SecretID(number: generator.next())
    }

    package var text: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}

/// How an item of the Secret Service lies in the keychain: as two passwords, which are made, changed and removed together.
///
/// - The **entry** says everything but the secret. It can be read from the first unlock on, so that a locked keychain still
///   tells which items it has, and lists of people's passwords leave it out (`kSecAttrIsInvisible`).
/// - The **secret** can be read while the keychain is unlocked. It is what people see of the item: under its label, with the
///   service and the user that its attributes name.
///
/// The entry's account is the item's name, which the database lets no other entry have. The secret's account is the user's, and
/// it has the name as its view hint: that is a part of what tells passwords apart, so two items may say the same.
enum SecretRows {
    /// The service of all entries, by which they are found.
    static let service = SecretServiceEntry.service
    static let entryClass = Accessibility.afterFirstUnlock
    static let secretClass = Accessibility.whenUnlocked

    // MARK: Asking

    /// Every entry.
    static var entries: ItemPredicate {
        var attributes = AttributeList()
        attributes[.service] = .string(service)
        return predicate(attributes, entryClass, .none)
    }

    /// Every secret.
    static var secrets: ItemPredicate { predicate(AttributeList(), secretClass, .none) }

    /// The entry of one name.
    static func entry(_ id: SecretID) -> ItemPredicate {
        var entry = entries
        entry.attributes[.account] = .string(id.text)
        return entry
    }

    /// What of the rows at these places is an entry.
    static func entries(at references: [PersistentID]) -> ItemPredicate {
        predicate(AttributeList(), entryClass, places(references))
    }

    /// What of the rows at these places is a secret.
    static func secrets(at references: [PersistentID]) -> ItemPredicate {
        predicate(AttributeList(), secretClass, places(references))
    }

    /// The rows at these places, of either kind.
    static func rows(at references: [PersistentID]) -> ItemPredicate {
        predicate(AttributeList(), nil, places(references))
    }

    private static func places(_ references: [PersistentID]) -> ItemPredicate.Restriction {
        .items(references.map { .persistent(.item(.genericPassword, $0)) })
    }

    private static func predicate(
        _ attributes: AttributeList, _ accessibility: Accessibility?, _ restriction: ItemPredicate.Restriction
    ) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes,
            groups: .named(AccessGroup.secretService.name), synchronizable: .only(false), tombstones: false,
            accessibility: accessibility, restriction: restriction, filters: [])
    }

    // MARK: Writing

    static func entryAttributes(_ id: SecretID, _ label: String, _ record: EntryRecord) throws(KeychainError)
        -> AttributeList
    {
        var attributes = AttributeList()
        attributes[.account] = .string(id.text)
        attributes[.service] = .string(service)
        attributes[.label] = .string(label)
        attributes[.isInvisible] = .number(1)
        attributes[.generic] = .data(try bytes(of: record))
        return attributes
    }

    static func secretAttributes(_ id: SecretID, _ label: String, _ record: EntryRecord) -> AttributeList {
        var attributes = shown(record.attributes)
        attributes[.label] = .string(label)
        attributes[.itemDescription] = .string(record.contentType)
        attributes[.viewHint] = .string(id.text)
        return attributes
    }

    /// What people know the item by: of the names that programs give to such attributes, the first that is there.
    static func shown(_ attributes: [String: String]) -> AttributeList {
        var list = AttributeList()
        list[.service] = .string(text(of: placeNames, attributes) ?? "Secret Service")
        list[.account] = .string(text(of: userNames, attributes) ?? "")
        return list
    }

    private static func text(of names: [String], _ attributes: [String: String]) -> String? {
        for name in names {
            // What is read as a name of something by people: not a page of text.
            if let text = attributes[name], !text.isEmpty, text.utf8.count <= 200 { return text }
        }
        return nil
    }

    private static let placeNames = [
        "service", "server", "host", "hostname", "domain", "url", "uri", "signon_realm", "application", "app_id",
        "connection-id", "xdg:schema",
    ]
    private static let userNames = ["username", "user", "account", "username_value", "login", "email"]

    static func add(_ attributes: AttributeList, _ accessibility: Accessibility, _ secret: SecretValue?) -> AddRequest {
        AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.secretService.name),
            protection: .accessControl(AccessControl(protection: accessibility)), isSynchronizable: false,
            isTombstone: false, secret: secret, returning: .attributes, origin: .caller)
    }

    static func update(
        _ reference: PersistentID, _ attributes: AttributeList, _ secret: SecretValue?
    ) -> UpdateRequest {
        let changes = ItemChanges(
            attributes: attributes, group: nil, accessControl: nil, isSynchronizable: nil, secret: secret)
        return UpdateRequest(predicate: rows(at: [reference]), changes: changes, tombstones: .never)
    }

    /// A row as a restore takes it: with everything that it says of itself.
    static func restored(
        _ reference: PersistentID?, _ attributes: AttributeList, _ accessibility: Accessibility, created: Double,
        modified: Double, secret: SecretValue?
    ) -> FoundItem {
        var attributes = attributes
        attributes[.creationDate] = .date(created)
        attributes[.modificationDate] = .date(modified)
        attributes[.accessGroup] = .string(AccessGroup.secretService.name)
        attributes[.accessible] = .string(accessibility.name)
        attributes[.synchronizable] = .number(0)
        attributes[.tombstone] = .number(0)
        attributes[.multiUser] = .emptyData
        var random = SystemRandomNumberGenerator()
        return FoundItem(
            itemClass: .genericPassword,
            persistentID: reference ?? PersistentID(high: random.next(), low: random.next()), attributes: attributes,
            accessControl: AccessControl(protection: accessibility), secret: secret)
    }

    static func bytes(of record: EntryRecord) throws(KeychainError) -> [UInt8] {
        do throws(CodingError) { return try record.encoded() } catch {
            throw KeychainError(.parameter, "the attributes of the item cannot be stored", subject: "gena")
        }
    }
}

/// An entry as it was read.
struct EntryRow {
    let id: SecretID
    let reference: PersistentID
    /// Everything that the row says.
    let attributes: AttributeList
    let record: EntryRecord
    let label: String
    let created: Double
    let modified: Double

    /// nil of what is no entry, as a secret; throws where it is one that does not say what an entry says.
    init?(_ item: FoundItem) throws(KeychainError) {
        guard let attributes = item.attributes, case .string(SecretRows.service)? = attributes[.service],
            item.accessControl.protection == SecretRows.entryClass
        else { return nil }
        guard case .string(let account)? = attributes[.account], let id = SecretID(account),
            case .data(let bytes)? = attributes[.generic], let record = try? EntryRecord(decoding: bytes),
            case .string(let label)? = attributes[.label], case .date(let created)? = attributes[.creationDate],
            case .date(let modified)? = attributes[.modificationDate]
        else { throw EntryRow.unreadable }
        (self.id, self.attributes, self.record, self.label) = (id, attributes, record, label)
        (self.created, self.modified) = (created, modified)
        reference = item.persistentID
    }

    var entry: SecretEntry {
        SecretEntry(
            id: id.text, label: label, attributes: record.attributes, contentType: record.contentType,
            created: UnixTime.seconds(created), modified: UnixTime.seconds(modified))
    }

    /// Whether it comes before another one: the one that was changed last is first.
    func precedes(_ other: EntryRow) -> Bool { (other.modified, id.number) < (modified, other.id.number) }

    static let unreadable = KeychainError(
        .undecodable, "an item of the Secret Service cannot be read; see `llavero check`")
}

/// The times of the bus, in whole seconds since 1970, and those of the keychain, in seconds since 2001.
enum UnixTime {
    static func seconds(_ date: Double) -> UInt64 {
        let seconds = (date + between).rounded(.down)
        return seconds >= 0 && seconds < 1e15 ? UInt64(seconds) : 0
    }

    static func date(_ seconds: UInt64) -> Double { Double(min(seconds, 1 << 50)) - between }

    private static let between = 978_307_200.0
}
