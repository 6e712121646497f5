// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// An item that was found, and where.
struct Item {
    /// What of an item does not open any more.
    enum Damage: String {
        case secret
        case everything
    }

    let itemClass: ItemClass
    /// Lost where even that is damaged.
    let persistentID: PersistentID?
    let attributes: AttributeList
    /// nil where nothing can be read.
    let accessControl: AccessControl?
    let damage: Damage?
    let keychain: ToolKeychain
    /// As whom it was found, and is asked for again.
    let owners: ItemOwners
    /// What the person called it, whose own name may be lost.
    var asked: String?

    /// nil of an identity, which is two items.
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

    func text(_ attribute: Attribute) -> String {
        for entry in attributes.entries where entry.attribute == attribute { return AttributeText.text(entry) }
        return ""
    }

    /// What people call it: its label, or what comes nearest.
    var name: String {
        let label = text(.label)
        if !label.isEmpty { return label }
        let place = self.place
        if !place.isEmpty { return place }
        return damage == .everything ? "(damaged)" : "(without a name)"
    }

    /// What it is for: a service, or a server.
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
    /// It says that there is no password, and that the person is to be asked.
    var isNegative: Bool { AttributeText.isTrue(attributes[.isNegative]) }

    var kind: String { Item.kind(of: itemClass) }

    static func kind(of itemClass: ItemClass) -> String { ExportNames.name(of: itemClass) }

    /// What `id:` in an item's name takes; nothing where that is lost.
    var identifier: String {
        guard let persistentID else { return "" }
        return PersistentReference.item(itemClass, persistentID).identifier
    }

    /// As the parts say it; what is no internet password has none.
    var url: String {
        guard itemClass == .internetPassword else { return "" }
        let server = text(.server)
        let port: String = if case .number(let port)? = attributes[.port], port > 0 { ":\(port)" } else { "" }
        guard let scheme = WebAddress.scheme(of: text(.protocol)) else { return server + port + text(.path) }
        let path = text(.path)
        return "\(scheme)://\(server)\(port)\(path.isEmpty || path.hasPrefix("/") ? path : "/" + path)"
    }

    /// The predicate of this item alone.
    var predicate: ItemPredicate { Item.predicate(of: itemClass, persistentID) }

    /// Without an identifier it is about nothing.
    static func predicate(of itemClass: ItemClass, _ id: PersistentID?) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items(id.map { [.persistent(.item(itemClass, $0))] } ?? []), filters: [])
    }

    /// Whether both are the same row; what is so damaged that it has no identifier is like any other such.
    func isSame(as other: Item) -> Bool {
        itemClass == other.itemClass && keychain.place == other.keychain.place && identifier == other.identifier
    }

    /// Its name, and whose it is, for a sentence.
    var title: String {
        PlainText.shown(name) + (account.isEmpty ? "" : " (user \(PlainText.shown(account)))")
    }

    /// Refuses what cannot be read as a whole.
    func requireWhole() throws(CommandError) {
        if damage != nil { throw isDamaged }
    }

    private var isDamaged: CommandError { .damaged(PlainText.shown(asked ?? name)) }

    /// Its secret; for what demands somebody, somebody is asked.
    func secret() throws(CommandError) -> SecretValue {
        if isNegative {
            throw .failure("\(PlainText.shown(name)) says that there is no password, and that you are to be asked")
        }
        guard let secret = try secretIfAny() else { throw hasNone }
        return secret
    }

    /// Its secret; nil of what never had one, and an error of a key that does not leave.
    func secretIfAny() throws(CommandError) -> SecretValue? {
        try requireWhole()
        let request = MatchRequest(predicate: predicate, returning: [.data], limit: .single)
        switch try keychain.matchWithDamaged(request, of: owners).first {
        case .item(let item)?:
            guard item.secret != nil || itemClass.isPassword else { throw hasNone }
            return item.secret
        case .damaged?: throw isDamaged
        case .identity?, nil: throw .notFound("\(PlainText.shown(name)) is gone")
        }
    }

    private var hasNone: CommandError {
        .failure("\(PlainText.shown(name)) has no secret, or none that may leave the keychain")
    }
}

/// Attributes as words.
enum AttributeText {
    /// Text as it is; bytes that are none in hexadecimal, dates in ISO 8601.
    static func text(_ entry: AttributeList.Entry) -> String {
        switch entry.value {
        case .string(let text): text
        case .number(let number): String(number)
        case .date(let date): Self.date(date)
        case .data(let bytes):
            isText(entry.attribute)
                ? String(validating: bytes, as: UTF8.self) ?? HexText.digits(of: bytes)
                : HexText.digits(of: bytes)
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

    /// What it is called in what the tool prints.
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
        var moment = time_t(seconds.rounded(.down)) + 978_307_200
        var date = unsafe tm()
        guard unsafe gmtime_r(&moment, &date) != nil else { return "" }
        var text = unsafe String(Int(date.tm_year) + 1900)
        let fields = unsafe [date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec]
        for (mark, field) in zip(["-", "-", "T", ":", ":"], fields) {
            text += mark
            if field < 10 { text += "0" }
            text += String(field)
        }
        return text + "Z"
    }

    private static func isText(_ attribute: Attribute) -> Bool {
        switch attribute.kind {
        case .string, .blob: true
        case .data, .number, .flag, .date, .uuid, .digest, .accessControl: false
        }
    }
}
