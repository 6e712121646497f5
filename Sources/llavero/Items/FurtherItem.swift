// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainCrypto
internal import KeychainImports
internal import KeychainModel
internal import KeychainOneTimeCodes
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// A further secret of a person's item: a one-time code, a field, an attachment, a note.
///
/// It is a generic password of its own, so it has its own keys, history, and part in backups and circles. Its service names the
/// item by `ItemProperties.id`, which a rename leaves alone; its account says what it is, and its name there.
struct FurtherItem {
    enum Kind: String, CaseIterable {
        /// The `otpauth://` URL of one-time codes; an item has at most one.
        case code
        case field
        case attachment = "file"
        case notes

        /// What it is, for people.
        var word: String {
            switch self {
            case .code: "one-time code"
            case .field: "field"
            case .attachment: "attachment"
            case .notes: "note"
            }
        }
    }

    let kind: Kind
    /// Its name within its item; of a code who asks for it, if that is known.
    let name: String
    let item: ToolItem

    /// nil for an item that is none.
    init?(_ item: ToolItem) {
        guard item.isFurther else { return nil }
        let account = item.account
        guard account != Kind.code.rawValue else {
            (kind, name, self.item) = (.code, "code", item)
            return
        }
        guard let colon = account.utf8.firstIndex(of: UInt8(ascii: ":")),
            let kind = Kind(rawValue: String(account[..<colon]))
        else { return nil }
        (self.kind, name, self.item) = (kind, String(account[account.utf8.index(after: colon)...]), item)
    }

    /// What an earlier import kept under a name of its own, "ENTRY (NAME)".
    init(earlier item: ToolItem, _ kind: Kind, _ name: String) {
        (self.item, self.kind, self.name) = (item, kind, name)
    }

    /// What it holds, as people and programs get it; what is stored is the item's own secret.
    func secret() throws(CommandError) -> SecretValue { shown(try item.secret()) }

    /// Of codes that count the URL with the number of the next one, where what is stored has the number that they began with.
    ///
    /// A seed that cannot be read is shown as it is stored.
    func shown(_ stored: SecretValue) -> SecretValue {
        guard kind == .code, let code = try? OneTimeCode(stored) else { return stored }
        return code.url(counter: item.properties.counter)
    }

    /// What it is and its name, for messages.
    var title: String { title(name: PlainText.shown(name)) }
    private func title(name: String) -> String { kind == .code || kind == .notes ? kind.word : "\(kind.word) \(name)" }

    static func list(_ further: [FurtherItem]) -> String { further.map { "the \($0.title)" }.joined(separator: ", ") }

    /// Those of which no version was kept when they were changed or removed.
    static func notKept(of further: [FurtherItem]) -> [FurtherItem] {
        further.filter { (try? PastItems.version(of: $0.item)) == nil }
    }

    /// Of which item it is.
    var owner: String { String(item.text(.service).dropFirst(FurtherItem.service.count)) }

    /// The same with its item, such as `field PIN of bank`, as it is stored: who shows it makes it safe to show.
    var titleInItem: String {
        let label = item.name
        let end = FurtherItem.label("", kind, name)
        let owner = label.ends(with: end) ? String(label.utf8.dropLast(end.utf8.count)) ?? label : label
        return "\(title(name: name)) of \(owner)"
    }

    /// The number of items, and of the further secrets in it, for people.
    static func counted(_ items: Int, including further: Int) -> String {
        let whole = items - further
        let text = "\(whole) \(whole == 1 ? "item" : "items")"
        guard further > 0 else { return text }
        let parts = "\(further) \(further == 1 ? "field, code, note or file" : "fields, codes, notes and files")"
        return whole == 0 ? parts : "\(text) with \(parts)"
    }

    static let service = ItemParts.service

    /// Whether an item of a backup is one.
    static func isOne(_ found: FoundItem) -> Bool {
        guard found.itemClass == .genericPassword,
            found.attributes?[.accessGroup] == .string(AccessGroup.passwords.name),
            case .string(let text)? = found.attributes?[.service]
        else { return false }
        return text.begins(with: service)
    }

    static func account(_ kind: Kind, _ name: String) -> String {
        kind == .code ? kind.rawValue : "\(kind.rawValue):\(name)"
    }

    static func label(_ item: String, _ kind: Kind, _ name: String) -> String {
        "\(item) (\(kind == .code ? "one-time code" : name))"
    }

    /// Its attributes as an item.
    static func attributes(_ kind: Kind, _ name: String, of id: String, called item: String) -> AttributeList {
        var attributes = AttributeList()
        attributes[.label] = .string(label(item, kind, name))
        attributes[.service] = .string(service + id)
        attributes[.account] = .string(account(kind, name))
        return attributes
    }

    /// The number that a seed's codes begin with, where they count; nothing for one that does not, or cannot be read.
    static func beginning(of seed: SecretValue) -> ItemProperties {
        var properties = ItemProperties()
        if case .counted(let start)? = (try? OneTimeCode(seed))?.kind { properties.counter = start }
        return properties
    }

    /// Those of every item in a keychain, by the item's `id`, in one pass: for lists of many items.
    static func all(in keychain: ToolKeychain) throws(CommandError) -> [String: [FurtherItem]] {
        var all: [String: [FurtherItem]] = [:]
        let pages = ItemPages(
            predicate(AttributeList()), returning: [.attributes], in: keychain, of: .person)
        while let part = try pages.next() {
            for found in part {
                guard let further = ToolItem(found, in: keychain, of: .person).flatMap({ FurtherItem($0) }) else {
                    continue
                }
                all[further.owner, default: []].append(further)
            }
        }
        return all
    }

    static func predicate(_ attributes: AttributeList) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes,
            groups: .named(AccessGroup.passwords.name), synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .none, filters: [])
    }

    fileprivate static func predicate(of id: String) -> ItemPredicate {
        var attributes = AttributeList()
        attributes[.service] = .string(service + id)
        return predicate(attributes)
    }

    /// The further items of this `id`, by kind and name.
    static func items(of id: String, in keychain: ToolKeychain) throws(CommandError) -> [FurtherItem] {
        let request = MatchRequest(predicate: predicate(of: id), returning: [.attributes], limit: .all)
        let items = try keychain.matchWithDamaged(request, of: .person)
            .compactMap { ToolItem($0, in: keychain, of: .person).flatMap { FurtherItem($0) } }
        return items.sorted { ($0.item.account, $0.item.identifier) < ($1.item.account, $1.item.identifier) }
    }
}

extension ToolItem {
    /// Whether it is a further secret of another item, and not to be listed by itself.
    var isFurther: Bool {
        guard itemClass == .genericPassword, case .string(let service)? = attributes[.service],
            service.utf8.starts(with: FurtherItem.service.utf8),
            ItemProperties.isID(String(service.dropFirst(FurtherItem.service.count)))
        else { return false }
        return group.hasSameBytes(as: AccessGroup.passwords.name)
    }

    /// What belongs to it: with what the circle shares that which it shares, with what is here alone that which is here alone.
    ///
    /// Two items may have one `id`, one of them shared: a machine restored a backup, or imported a source, and the circle brings the
    /// same item. Where there is one alone, it has the others, too, but for those that it has itself: a change of its sharing may
    /// have ended halfway.
    func furtherItems() throws(CommandError) -> [FurtherItem] {
        guard let id = properties.id, !isFurther else { return [] }
        let all = try FurtherItem.items(of: id, in: keychain)
        let own = all.filter { $0.item.isShared == isShared }
        guard own.count < all.count, try !hasDouble() else { return own }
        return all.filter { further in
            further.item.isShared == isShared
                || !own.contains { $0.item.account.hasSameBytes(as: further.item.account) }
        }
    }

    /// Whether another item has its `id`, one of the circle where this one is here alone, or the other way round.
    func hasDouble() throws(CommandError) -> Bool {
        guard let id = properties.id else { return false }
        return try keychain.hasItem(identifiedBy: id, isShared: !isShared)
    }

    /// Refuses a change of its sharing where something of that name belongs to this `id` already on the side that its parts go to:
    /// asked before anything is changed, for it would end halfway.
    func requireRoomForParts(isShared: Bool) throws(CommandError) {
        guard let id = properties.id else { return }
        let there = try FurtherItem.items(of: id, in: keychain).filter { $0.item.isShared == isShared }
        for further in try furtherItems() where further.item.isShared != isShared {
            let twin = there.first { $0.item.account.hasSameBytes(as: further.item.account) }
            guard let twin else { continue }
            let side = isShared ? "shared" : "of this machine alone"
            if let double = try other(identifiedBy: id, isShared: isShared) {
                let own = isShared ? self : double
                throw .duplicate(
                    "\(title) is here twice: \(double.title) is \(side), and has the \(further.title), too; `llavero remove \(own.identifier)` leaves the one that is shared; nothing was changed"
                )
            }
            throw .duplicate(
                "\(title) has the \(further.title) twice: `llavero get \(twin.item.identifier)` prints the other one, which is \(side), and `llavero remove \(twin.item.identifier)` removes that; nothing was changed"
            )
        }
    }

    /// The seed of its one-time codes; also one that an earlier import kept as "ENTRY (otp)".
    func code() throws(CommandError) -> FurtherItem? {
        if let code = try furtherItems().first(where: { $0.kind == .code }) { return code }
        for name in ToolItem.earlierCodes {
            for item in try earlier(name) { return FurtherItem(earlier: item, .code, name) }
        }
        return nil
    }

    /// A field by its name, shown or secret; also one that an earlier import kept as "ENTRY (NAME)".
    func field(_ name: String, orEarlier: Bool = true) throws(CommandError) -> SecretValue {
        try requireWhole()
        let shown = properties.fields.filter { $0.name.hasSameBytes(as: name) }
        let further = try furtherItems()
        let secret = further.filter { $0.kind == .field && $0.name.hasSameBytes(as: name) }
        guard shown.count + secret.count <= 1 else {
            throw .ambiguous(
                "\(title) has \(shown.count + secret.count) fields \(PlainText.shown(name)); `llavero show` lists their identifiers, for `llavero get` and `llavero remove`"
            )
        }
        if let field = shown.first { return SecretValue(copying: Array(field.value.utf8)) }
        if let field = secret.first { return try field.secret() }
        let earlier = orEarlier ? try earlier(name) : []
        guard earlier.count < 2 else {
            throw .ambiguous("\(earlier.count) items are called \(PlainText.shown(earlier[0].name))")
        }
        if let item = earlier.first { return try item.secret() }
        if let past = PastItems.removal(of: .field, name, of: self) {
            let word = ShellWord.quoted(PlainText.shown(asked ?? self.name))
            throw .notFound(
                "\(title) has no field \(PlainText.shown(name)): it was removed on \(PastItem.date(past.version.until)); "
                    + "`llavero history \(word)` lists it")
        }
        if ["login", "username"].contains(name.lowercased()), !account.isEmpty {
            throw .notFound("\(title) has no field \(PlainText.shown(name)): `--field user` is whose it is")
        }
        let names = properties.fields.map(\.name) + further.filter { $0.kind == .field }.map(\.name)
        throw missing("field", name, names)
    }

    /// Its note, whether it is shown with the item or a secret; both, where a merge has left both.
    func note() throws(CommandError) -> SecretValue? {
        try requireWhole()
        let shown = text(.comment)
        var notes = shown.isEmpty ? [] : [SecretValue(text: shown)]
        for further in try furtherItems() where further.kind == .notes { notes.append(try further.secret()) }
        guard notes.count > 1 else { return notes.first }
        return SecretValue.joined(Array(notes.map { [$0] }.joined(separator: [SecretValue(text: "\n")])))
    }

    func attachment(_ name: String) throws(CommandError) -> SecretValue {
        try requireWhole()
        let files = try furtherItems().filter { $0.kind == .attachment }
        let named = files.filter { $0.name.hasSameBytes(as: name) }
        guard named.count < 2 else {
            throw .ambiguous(
                "\(title) has \(named.count) attachments \(PlainText.shown(name)); `llavero show` lists their identifiers, for `llavero get` and `llavero remove`"
            )
        }
        if let file = named.first { return try file.secret() }
        if let item = try earlier(name).first { return try item.secret() }
        throw missing("attachment", name, files.map(\.name))
    }

    func missing(_ what: String, _ name: String, _ names: [String]) -> CommandError {
        let near = Suggestion.question(name, among: names)
        let all = names.isEmpty ? "it has none" : "it has " + names.map { PlainText.shown($0) }.joined(separator: ", ")
        return .notFound("\(title) has no \(what) \(PlainText.shown(name))" + (near.isEmpty ? "; \(all)" : near))
    }

    /// The items that earlier imports made of a part of this one.
    private func earlier(_ name: String) throws(CommandError) -> [ToolItem] {
        guard group.hasSameBytes(as: AccessGroup.passwords.name), !isFurther else { return [] }
        var attributes = AttributeList()
        attributes[.service] = .string("\(self.name) (\(name))")
        let request = MatchRequest(
            predicate: FurtherItem.predicate(attributes), returning: [.attributes], limit: .all)
        return try keychain.matchWithDamaged(request, of: .person)
            .compactMap { ToolItem($0, in: keychain, of: .person) }
            .filter { $0.account.hasSameBytes(as: account) }
    }

    private static let earlierCodes = [
        "otp", "TOTP", "OTPAuth", "otpauth", "TOTP Seed", "TimeOtp-Secret-Base32", "HmacOtp-Secret-Base32",
    ]
}

/// Changes of an item and of what belongs to it.
extension ToolItem {
    /// The item with what its attributes are now.
    func reread() throws(CommandError) -> ToolItem {
        guard let found = try now(), var item = ToolItem(found, in: keychain, of: owners) else {
            throw .notFound("\(PlainText.shown(name)) no longer exists")
        }
        item.asked = asked
        return item
    }

    /// Whether it still exists.
    func isThere() throws(CommandError) -> Bool { try now() != nil }

    private func now() throws(CommandError) -> Found? {
        let request = MatchRequest(predicate: predicate, returning: [.attributes], limit: .single)
        return try keychain.matchWithDamaged(request, of: owners).first
    }

    /// Its `id`, which it gets where it has none: of two programs that give it one at once, the first does.
    ///
    /// One that an import gives it is no change by which it differs from what its source says.
    func identified(byImport: Bool = false) throws(CommandError) -> String {
        let fresh = try firstID()
        let properties = try changeProperties(keepsUpdated: byImport) { (item, properties) throws(CommandError) in
            _ = try item.changeableProperties()
            guard properties.id == nil else { return }
            properties.id = fresh
            try item.keepUpdated(&properties)
        }
        return properties.id ?? fresh
    }

    /// Its `id`, or the one that it gets with the first of its further secrets, or when it is shared.
    ///
    /// One of this machine alone gets a random one, for the item that another machine has of that name is another item.
    func firstID(isShared: Bool? = nil) throws(CommandError) -> String {
        if let id = properties.id { return id }
        guard isShared ?? self.isShared else { return ItemProperties.freshID() }
        return try keychain.sharedID(of: itemClass, attributes)
    }

    /// The other item of its keychain that has an `id`, and is shared or is not.
    func other(identifiedBy id: String, isShared: Bool) throws(CommandError) -> ToolItem? {
        var found: ToolItem?
        try eachOther { other in if other.properties.id == id, other.isShared == isShared { found = other } }
        return found
    }

    private func eachOther(_ body: (ToolItem) -> Void) throws(CommandError) {
        try keychain.eachOfPerson { other in if !other.isSame(as: self) { body(other) } }
    }

    /// Stores a further secret, in place of one of that kind and name.
    ///
    /// Another seed counts anew. One that a person was shown, and whose number is left as it was, goes on with the number that is
    /// the next one by now, for a code may have been given meanwhile.
    func keep(
        _ kind: FurtherItem.Kind, _ name: String, _ secret: SecretValue, shown: SecretValue? = nil
    ) throws(CommandError) {
        let id = try identified()
        if let there = try reread().furtherItems()
            .first(where: { $0.kind == kind && $0.item.account.hasSameBytes(as: FurtherItem.account(kind, name)) })
        {
            guard kind == .code else { return try there.item.change(AttributeList(), secret: secret) }
            let goesOn = OneTimeCode.isSameCount(secret, shown)
            try there.item.changeProperties(secret: secret) { (_, properties) in
                guard !goesOn else { return }
                if properties.isForeign { properties = ItemProperties() }
                properties.counter = FurtherItem.beginning(of: secret).counter
            }
            return
        }
        var attributes = FurtherItem.attributes(kind, name, of: id, called: self.name)
        attributes[.protected] = kind == .code ? FurtherItem.beginning(of: secret).value : nil
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.passwords.name),
            protection: accessControl.map { .accessControl($0) } ?? .byClassAndGroup, isSynchronizable: isShared,
            isTombstone: false, secret: secret, returning: [], origin: .caller)
        try keychain.changing { () throws(CommandError) in _ = try keychain.add(request, of: .person) }
    }

    /// Gives it a secret note, in place of whichever it has.
    func keepNote(_ note: SecretValue) throws(CommandError) {
        let there = try furtherItems().filter { $0.kind == .notes }
        if let first = there.first {
            try first.item.change(AttributeList(), secret: note)
            try removeAlone(Array(there.dropFirst()))
        } else {
            try keep(.notes, FurtherItem.Kind.notes.word, note)
        }
        guard !text(.comment).isEmpty else { return }
        var attributes = AttributeList()
        attributes[.comment] = .emptyString
        try change(attributes, secret: nil)
    }

    /// Removes further secrets from an item that stays; they do not come back with it when it is removed later.
    func removeAlone(_ further: [FurtherItem]) throws(CommandError) {
        for further in further { try further.item.setRemovedAlone(true) }
        try remove(further)
    }

    /// So that its last version says that it went by itself.
    func setRemovedAlone(_ isAlone: Bool) throws(CommandError) {
        try changeProperties { (_, properties) in
            if !properties.isForeign { properties.isRemovedAlone = isAlone }
        }
    }

    /// Removes further secrets that are in a list.
    func remove(_ further: [FurtherItem]) throws(CommandError) {
        for further in further {
            try keychain.changing { () throws(CommandError) in
                try keychain.delete(
                    DeleteRequest(predicate: further.item.predicate, tombstones: .whenSynchronizable), of: .person)
            }
        }
    }

    /// What goes with it when it is removed.
    func soleFurtherItems() throws(CommandError) -> [FurtherItem] {
        guard let id = properties.id, !isFurther else { return [] }
        let all = try FurtherItem.items(of: id, in: keychain)
        guard !all.isEmpty else { return [] }
        let going = try keychain.goingParts(of: itemClass, persistentID, attributes, .person)
        return all.filter { going.includes(areShared: $0.item.isShared, of: attributes) }
    }
}

extension ToolKeychain {
    /// The `id` of an item that is shared and has none yet.
    ///
    /// An item has it from the moment that it is shared: what one machine gives it first and what another changes of it meanwhile go
    /// together then. Machines that share it at once make the same one of what they know it by, and only one of both stays.
    func sharedID(of itemClass: ItemClass, _ attributes: AttributeList) throws(CommandError) -> String {
        // One that had its name may have gone on under another.
        var taken: Set<String> = []
        try eachOfPerson { other in if let id = other.properties.id { taken.insert(id) } }
        var number = 0
        while true {
            let id = try ToolKeychain.sharedID(of: itemClass, attributes, number)
            if !taken.contains(id) { return id }
            number += 1
        }
    }

    private static func sharedID(
        of itemClass: ItemClass, _ attributes: AttributeList, _ number: Int
    ) throws(CommandError) -> String {
        var lines = [ImportedAttribute("class", itemClass.name), ImportedAttribute("number", "\(number)")]
        for part in ItemIdentity.parts(of: itemClass) {
            let value = attributes[part.attribute] ?? part.absent
            lines.append(ImportedAttribute(part.attribute.key, AttributeText.text(.init(part.attribute, value))))
        }
        lines.append(ImportedAttribute(Attribute.viewHint.key, AttributeText.text(.viewHint, in: attributes)))
        let text = SourceAttributes.text(of: lines)
        let digest = try CommandError.saying("the item's identifier cannot be computed") { () throws(CryptoError) in
            try Digest.sha256(of: Array(text.utf8))
        }
        return Hexadecimal.digits(of: Array(digest.prefix(16)))
    }
}

extension ToolKeychain {
    /// Whether a person's item has an `id`, one that the circle shares or one of this machine alone.
    func hasItem(identifiedBy id: String, isShared: Bool) throws(CommandError) -> Bool {
        var isThere = false
        try eachOfPerson { item in if item.properties.id == id, item.isShared == isShared { isThere = true } }
        return isThere
    }

    /// A person's passwords, without what belongs to them.
    func eachOfPerson(_ body: (ToolItem) -> Void) throws(CommandError) {
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            let predicate = ItemPredicate(
                queriedClass: .stored(itemClass), attributes: AttributeList(),
                groups: .named(AccessGroup.passwords.name), synchronizable: .any, tombstones: false,
                accessibility: nil, restriction: .none, filters: [])
            let pages = ItemPages(predicate, returning: [.attributes], in: self, of: .person)
            while let part = try pages.next() {
                for found in part {
                    guard let item = ToolItem(found, in: self, of: .person), !item.isFurther else { continue }
                    body(item)
                }
            }
        }
    }
}
