// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// An item that was found, with its keychain.
struct ToolItem {
    /// Which part of an item cannot be opened any more.
    enum Damage: String {
        case secret
        case everything
    }

    let itemClass: ItemClass
    /// Missing where it is damaged, too.
    let persistentID: PersistentID?
    let attributes: AttributeList
    /// nil if nothing can be read.
    let accessControl: AccessControl?
    let damage: Damage?
    let keychain: ToolKeychain
    /// The access groups that it was found with.
    let owners: ItemOwners
    /// The name that the person used; the item's own name may be lost.
    var asked: String?

    /// nil for an identity, which is two items.
    init?(_ found: Found, in keychain: ToolKeychain, of owners: ItemOwners) {
        let whole: FoundItem?
        switch found {
        case .item(let item):
            (itemClass, persistentID, damage) = (item.itemClass, item.persistentID, nil)
            whole = item
        case .damaged(let item):
            (itemClass, persistentID) = (item.itemClass, item.persistentID)
            damage = item.rest == nil ? .everything : .secret
            whole = item.rest
        case .identity: return nil
        }
        attributes = whole?.attributes ?? AttributeList()
        accessControl = whole?.accessControl
        (self.keychain, self.owners) = (keychain, owners)
    }

    func text(_ attribute: Attribute) -> String { AttributeText.text(attribute, in: attributes) }

    /// Whether it stands for items that lie on a part of the database which cannot be read: how many, and which, is not known.
    var isGap: Bool { damage == .everything && persistentID == nil }

    /// Its display name: its label, or the closest attribute.
    var name: String {
        let label = text(.label)
        if !label.isEmpty { return label }
        let place = self.place
        if !place.isEmpty { return place }
        return damage == .everything ? "(damaged)" : "(without a name)"
    }

    /// Its service or server.
    var place: String {
        switch itemClass {
        case .genericPassword: text(.service)
        case .internetPassword: url
        case .certificate: ""
        case .key: text(.applicationTag)
        }
    }

    var account: String { itemClass.isPassword ? text(.account) : "" }
    var group: String { text(.accessGroup) }
    var isInvisible: Bool { AttributeText.isTrue(attributes[.isInvisible]) }
    /// A negative item: it records that there is no password and that the person is to be asked.
    var isNegative: Bool { AttributeText.isTrue(attributes[.isNegative]) }

    /// Whether the machines of a circle share it: what is done to it is done on all of them.
    var isShared: Bool { AttributeText.isTrue(attributes[.synchronizable]) }

    var kind: String { ToolItem.kind(of: itemClass) }

    static func kind(of itemClass: ItemClass) -> String { ExportNames.name(of: itemClass) }

    /// The identifier for `id:` names; empty where it is lost.
    var identifier: String {
        guard let persistentID else { return "" }
        return PersistentReference.item(itemClass, persistentID).identifier
    }

    /// Built from the attributes; empty for other items than internet passwords.
    var url: String { itemClass == .internetPassword ? ToolItem.url(of: attributes) : "" }

    /// What the attributes of an internet password say together.
    static func url(of attributes: AttributeList) -> String {
        func text(_ attribute: Attribute) -> String { AttributeText.text(attribute, in: attributes) }
        let server = text(.server)
        let port: String = if case .number(let port)? = attributes[.port], port > 0 { ":\(port)" } else { "" }
        guard let scheme = URLScheme.scheme(of: text(.protocol)) else { return server + port + text(.path) }
        let path = text(.path)
        return "\(scheme)://\(server)\(port)\(path.isEmpty || path.hasPrefix("/") ? path : "/" + path)"
    }

    /// The predicate of this item alone.
    var predicate: ItemPredicate { ToolItem.predicate(of: itemClass, persistentID) }

    /// The same, as long as nobody has changed it since it was read.
    var predicateAsRead: ItemPredicate {
        var predicate = self.predicate
        for attribute in [Attribute.modificationDate, .protected] {
            predicate.attributes[attribute] = attributes[attribute]
        }
        return predicate
    }

    /// This item, and of one of the Secret Service's its other half, which goes when it goes.
    func whole() throws(CommandError) -> ItemPredicate {
        try keychain.whole(itemClass, persistentID, attributes, of: owners)
    }

    /// Whether it is the invisible half of one, which has no secret of its own.
    var isSecretServiceEntry: Bool { ToolKeychain.isSecretServiceEntry(itemClass, attributes) }

    /// The invisible half of what a program keeps by the Secret Service; none of any other item.
    func invisibleHalf() throws(CommandError) -> [ToolItem] {
        try keychain.otherHalf(of: itemClass, attributes, of: owners).compactMap {
            ToolItem(.item($0), in: keychain, of: owners)
        }.filter(\.isSecretServiceEntry)
    }

    /// Without an identifier it matches nothing.
    static func predicate(of itemClass: ItemClass, _ id: PersistentID?) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items(id.map { [.persistent(.item(itemClass, $0))] } ?? []), filters: [])
    }

    /// What tells an item's row from others; items too damaged to have an identifier have the same one.
    struct Key: Hashable {
        let itemClass: ItemClass
        let place: Place
        let id: PersistentID?
    }

    var key: Key { Key(itemClass: itemClass, place: keychain.place, id: persistentID) }

    func isSame(as other: ToolItem) -> Bool { key == other.key }

    /// Its name and user, for messages; of what belongs to an item its name says which.
    var title: String {
        PlainText.shown(name) + (account.isEmpty || isFurther ? "" : " (user \(PlainText.shown(account)))")
    }

    /// The same with what it is for, where its name does not say that.
    var titleWithPlace: String {
        title + (place.isEmpty || place.hasSameBytes(as: name) ? "" : ", for \(PlainText.shown(place))")
    }

    /// Refuses an item that cannot be read completely.
    func requireWhole() throws(CommandError) {
        if damage != nil { throw isDamaged }
    }

    /// Refuses an item that nothing can be read of: what it seems not to have it may have.
    func requireReadable() throws(CommandError) {
        if damage == .everything { throw isDamaged }
    }

    private var isDamaged: CommandError {
        if damage == .everything, let id = persistentID,
            (try? keychain.lostItems())?.contains(.item(itemClass, id)) ?? false
        {
            return .failure(
                "\(PlainText.shown(asked ?? name)) went with an old device key or passcode, and nothing opens it any more"
            )
        }
        // What lies there may be another item: that this one exists is not known.
        return isGap ? .mayBeDamaged(asked.map(PlainText.shown)) : .damaged(PlainText.shown(asked ?? name))
    }

    /// Its secret; prompts if the item requires authentication.
    func secret() throws(CommandError) -> SecretValue {
        if isNegative {
            throw .failure(
                "\(PlainText.shown(name)) is a negative item: it records that no password is stored and that programs have to ask"
            )
        }
        guard let secret = try secretIfAny() else { throw hasNone }
        return secret
    }

    /// Its secret; nil for an item without one, and an error for a key that cannot leave the keychain.
    func secretIfAny() throws(CommandError) -> SecretValue? {
        try requireWhole()
        let request = MatchRequest(predicate: predicate, returning: [.data], limit: .single)
        switch try keychain.matchWithDamaged(request, of: owners).first {
        case .item(let item)?:
            guard item.secret != nil || itemClass.isPassword else { throw hasNone }
            return item.secret
        case .damaged?: throw isDamaged
        case .identity?, nil: throw .notFound("\(PlainText.shown(name)) no longer exists")
        }
    }

    private var hasNone: CommandError {
        .failure("\(PlainText.shown(name)) has no secret that may leave the keychain")
    }
}

/// Attributes as text.
enum AttributeText {
    /// Empty where it is not there.
    static func text(_ attribute: Attribute, in attributes: AttributeList) -> String {
        attributes.entries.first { $0.attribute == attribute }.map(text) ?? ""
    }

    /// Text as it is; other bytes in hexadecimal, dates in ISO 8601.
    static func text(_ entry: AttributeList.Entry) -> String {
        switch entry.value {
        case .string(let text): text
        case .number(let number): String(number)
        case .date(let date): Self.date(date)
        case .data(let bytes):
            isText(entry.attribute)
                ? String(validating: bytes, as: UTF8.self) ?? Hexadecimal.digits(of: bytes)
                : Hexadecimal.digits(of: bytes)
        }
    }

    /// In JSON numbers are numbers.
    static func json(_ entry: AttributeList.Entry) -> JSONText {
        if case .number(let number) = entry.value {
            return isSwitch(entry.attribute) ? .boolean(number != 0) : .number(number)
        }
        return .text(text(entry))
    }

    static func isTrue(_ value: AttributeValue?) -> Bool {
        if case .number(let number)? = value { number != 0 } else { false }
    }

    /// Its name in the tool's output.
    static func name(of attribute: Attribute) -> String { ExportNames.name(of: attribute) }

    static func isSwitch(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .isInvisible, .isNegative, .hasCustomIcon, .synchronizable, .isPermanent, .isPrivate, .isModifiable,
            .isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable, .canEncrypt, .canDecrypt,
            .canDerive, .canSign, .canVerify, .canSignRecover, .canVerifyRecover, .canWrap, .canUnwrap:
            true
        default: false
        }
    }

    /// Seconds since 2001, in UTC.
    static func date(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return "" }
        return UTCTime(secondsSince2001: Int64(seconds.rounded(.down))).text
    }

    private static func isText(_ attribute: Attribute) -> Bool {
        switch attribute.kind {
        case .string, .blob: true
        case .data, .number, .flag, .date, .uuid, .digest, .accessControl: false
        }
    }
}
