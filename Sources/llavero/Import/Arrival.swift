// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainOneTimeCodes
internal import KeychainRequest
internal import KeychainTools

/// An item on its way from another store into the keychain.
struct Arrival {
    let name: String
    let source: SourceLocation
    /// Its kind, in the singular, for the summary.
    let kind: String
    let itemClass: ItemClass
    private var attributes: AttributeList
    private let secret: ImportedBytes?
    private var group = AccessGroup.passwords
    private var owners = ItemOwners.person
    private var protection = AddRequest.Protection.byClassAndGroup
    /// What belongs to an item is shared where that is; of an export it says so itself.
    private var isSynchronizable = false
    private var created: Double?
    /// Whether it belongs to another item, of which its attributes say everything that tells it from others.
    var isFurther: Bool { itemUser != nil }
    private var itemUser: String?
    /// Whether the source does not know the password, so that another one here is not in its way.
    private var isSilentOfPassword = false

    /// The other secrets of an entry, once its item is stored under `id`: notes, fields, attachments, one-time codes; shared with
    /// the circle where the item is.
    ///
    /// The first seed that can be understood is the entry's, and a secret note where it has none that is shown; any other is a field.
    static func further(of item: ImportedItem, _ id: String, isShared: Bool = false) -> [Arrival] {
        var (hasCode, hasNote) = (false, !item.comment.isEmpty)
        return item.furtherSecrets.map { further in
            var (kind, value) = (FurtherItem.Kind(further.part), further.value)
            if kind == .code {
                let seed = SecretValue(copying: value.bytes)
                if !hasCode, let code = try? OneTimeCode(seed) {
                    hasCode = true
                    value = ImportedBytes(code.url())
                } else {
                    kind = .field
                }
            }
            if kind == .notes {
                if hasNote { kind = .field }
                hasNote = true
            }
            let given = kind == .notes || further.name.isEmpty ? kind.word : further.name
            // A word that every item has means something else wherever a field is named.
            let name = kind == .field && ItemField(given).isOfEveryItem ? "\(given) (field)" : given
            var attributes = FurtherItem.attributes(kind, name, of: id, called: item.label)
            if kind == .code {
                let beginning = FurtherItem.beginning(of: SecretValue(copying: value.bytes))
                if beginning.counter != nil { attributes[.protected] = beginning.value }
            }
            var arrival = Arrival(
                .genericPassword, attributes, value, FurtherItem.label(item.label, kind, name), item.source, kind.word,
                itemUser: item.account)
            arrival.isSynchronizable = isShared
            return arrival
        }
    }

    /// The password of an entry, with all that is not secret, for the programs of a group or for the person.
    init(_ item: ImportedItem, for group: AccessGroup = .passwords) {
        var attributes = item.native
        attributes[.label] = .string(item.label)
        attributes[.account] = .string(item.account)
        let itemClass: ItemClass
        switch item.kind {
        case .generic(let service):
            itemClass = .genericPassword
            attributes[.service] = .string(service)
        case .internet(let place):
            itemClass = .internetPassword
            attributes[.server] = .string(place.server)
            if let code = place.protocolCode { attributes[.protocol] = .string(code) }
            attributes[.port] = .number(place.port.map { Int64($0) } ?? 0)
            attributes[.path] = .string(place.path)
        }
        var lines = item.comment.isEmpty ? [] : [item.comment]
        var properties = ItemProperties()
        for tag in item.tags where !tag.isEmpty { properties.add(tag: tag) }
        for field in item.attributes { properties.add(field: field.name.isEmpty ? "field" : field.name, field.value) }
        if let expiry = item.expiry {
            // A date that is none is kept as it stands.
            if let time = ExportDate.date(expiry) {
                properties.expires = time
            } else {
                properties.add(field: "expires", expiry)
            }
        }
        if properties.value != .emptyString { attributes[.protected] = properties.value }
        let lookup = SourceAttributes.text(of: item.lookup)
        if !lookup.isEmpty {
            // Internet passwords have no generic attribute.
            if itemClass == .genericPassword {
                attributes[.generic] = .data(Array(lookup.utf8))
            } else {
                lines.append(lookup)
            }
        }
        if !lines.isEmpty { attributes[.comment] = .string(lines.joined(separator: "\n")) }
        // As lists call an item without a label.
        let name =
            item.label.isEmpty
            ? AttributeText.text(itemClass == .genericPassword ? .service : .server, in: attributes) : item.label
        self.init(itemClass, attributes, item.secret, name, item.source, "password")
        isSilentOfPassword = !item.hasPassword
        self.group = group
        if group != .passwords { owners = .everybody }
    }

    /// With all attributes that it had.
    init(_ item: ExportedItem) {
        self.init(
            item.itemClass, item.attributes, item.secret, item.name, item.source,
            item.itemClass.isPassword ? "password" : ToolItem.kind(of: item.itemClass))
        group = item.group
        // Whatever group it had: a daemon applies its own rules.
        owners = .everybody
        protection = .accessControl(item.accessControl)
        isSynchronizable = item.isSynchronizable
        created = item.created
    }

    private init(
        _ itemClass: ItemClass, _ attributes: AttributeList, _ secret: ImportedBytes?, _ name: String,
        _ source: SourceLocation, _ kind: String, itemUser: String? = nil
    ) {
        self.itemUser = itemUser
        (self.itemClass, self.attributes, self.secret) = (itemClass, attributes, secret)
        (self.name, self.source, self.kind) = (name, source, kind)
    }

    /// The user; of what belongs to an item, that item's.
    var account: String { itemUser ?? AttributeText.text(.account, in: attributes) }

    /// The attributes by which the keychain identifies an item, without the view hint.
    var identity: [UInt8] {
        let parts = ItemIdentity.parts(of: itemClass).map { part in
            AttributeText.text(.init(part.attribute, attributes[part.attribute] ?? part.absent))
        }
        let place = "\(itemClass.name)\0\(group.name)\0\(isSynchronizable)"
        return Array("\(place)\0\(parts.joined(separator: "\0"))".utf8)
    }

    /// What it is, whether it is there or was removed: its kind, name and user, or whose it is and what of that.
    var removalKey: String { ToolItem.removalKey(itemClass, attributes, isFurther: isFurther) }

    /// How a source tells items of the same identity apart.
    enum Distinction {
        /// A source of hosts and users: another password for one of them is a changed password.
        case place
        /// A source of entries, which may differ only in names, notes and attributes, or not at all.
        case entry
        /// An export of `llavero`: a person's items differ by name, all others by view hint.
        case export
    }

    func mark(_ distinction: Distinction) -> [UInt8] { mark(of: attributes, distinction) }

    /// The text that tells this item from others of the same identity.
    private func mark(of attributes: AttributeList, _ distinction: Distinction) -> [UInt8] {
        var attributes = attributes
        // A mark says no more than that an item of its identity was there before.
        if distinction == .export, NameMark.isOne(attributes[.viewHint]) { attributes[.viewHint] = nil }
        func text(_ attribute: Attribute) -> String {
            let text = AttributeText.text(attribute, in: attributes)
            return "\(text.utf8.count) \(text)"
        }
        if isFurther { return [] }
        switch distinction {
        case .place: return []
        case .entry:
            let told: [Attribute] = [.label, .comment, .generic, .itemDescription]
            var properties = ItemProperties(attributes[.protected])
            (properties.id, properties.counter) = (nil, nil)
            (properties.imported, properties.updated) = (nil, nil)
            if itemClass == .internetPassword { properties.removeField(repeating: ToolItem.url(of: attributes)) }
            return Array((told.map(text).joined() + AttributeText.text(.init(.protected, properties.value))).utf8)
        case .export:
            return Array((text(.viewHint) + (isNamed ? text(.label) : "")).utf8)
        }
    }

    /// Whether its name is part of its identity.
    var isNamed: Bool { ToolKeychain.isNamed(itemClass, group) }

    var hint: String { AttributeText.text(.viewHint, in: attributes) }

    /// An item of this identity in the keychain.
    struct Counterpart {
        let mark: [UInt8]
        let hint: String
        /// Nil where it was just imported, or would have been without --dry-run.
        let persistentID: PersistentID?
        let arrival: Arrival?
        /// Of a stored item.
        var attributes = AttributeList()
        var isShared: Bool { AttributeText.isTrue(attributes[.synchronizable]) }
    }

    /// No source but an export knows what the circle shares: an item of another source is the one that is here, shared or not, and of
    /// two the one of this machine.
    func peers(in keychain: ToolKeychain, _ distinction: Distinction) throws(CommandError) -> [Counterpart] {
        let all = try keychain.alike(
            itemClass, attributes, in: group,
            synchronizable: distinction == .export ? .only(isSynchronizable) : .any, of: owners
        ).map { found in
            let attributes = found.attributes ?? AttributeList()
            return Counterpart(
                mark: mark(of: attributes, distinction), hint: AttributeText.text(.viewHint, in: attributes),
                persistentID: found.persistentID, arrival: nil, attributes: attributes)
        }
        let like = all.filter { $0.isShared == isSynchronizable }
        let others = all.filter { $0.isShared != isSynchronizable }
        guard isFurther else { return like + others }
        guard like.isEmpty, !others.isEmpty, case .string(let service)? = attributes[.service] else { return like }
        // What belongs to its item as `furtherItems` has it.
        let id = String(service.dropFirst(FurtherItem.service.count))
        return try keychain.hasItem(identifiedBy: id, isShared: !isSynchronizable) ? [] : others
    }

    /// By which its further secrets name it.
    var id: String? {
        get { ItemProperties(attributes[.protected]).id }
        set {
            var properties = ItemProperties(attributes[.protected])
            properties.id = newValue
            attributes[.protected] = properties.value
        }
    }

    /// The source that it is of, once it is stored.
    func of(_ source: ImportMark?) -> Arrival {
        guard let source else { return self }
        var arrival = self
        var properties = ItemProperties(attributes[.protected])
        properties.imported = source
        arrival.attributes[.protected] = properties.value
        return arrival
    }

    /// Has a further secret name the item that is here in the place of its own.
    mutating func follow(_ ids: [String: String]) {
        guard let owner, let id = ids[owner] else { return }
        attributes[.service] = .string(FurtherItem.service + id)
    }

    /// Whether it is one of an export that belongs to another item.
    var belongsToItem: Bool { owner != nil }

    /// The `id` of the item that it belongs to.
    private var owner: String? {
        guard itemClass == .genericPassword, group == .passwords, case .string(let service)? = attributes[.service],
            service.utf8.starts(with: FurtherItem.service.utf8)
        else { return nil }
        return String(service.dropFirst(FurtherItem.service.count))
    }

    /// The `id` of a stored item, which it gets where it has none; nil where something else is in its place.
    func id(of peer: Counterpart, in keychain: ToolKeychain, isDry: Bool) throws(CommandError) -> String? {
        let properties = ItemProperties(peer.attributes[.protected])
        if let id = properties.id { return id }
        guard !properties.isForeign, peer.persistentID != nil else { return nil }
        return isDry ? ItemProperties.freshID() : try item(of: peer, in: keychain)?.identified(byImport: true)
    }

    /// A stored item with all its attributes.
    func item(of peer: Counterpart, in keychain: ToolKeychain) throws(CommandError) -> ToolItem? {
        guard let id = peer.persistentID else { return nil }
        let request = MatchRequest(
            predicate: ToolItem.predicate(of: itemClass, id), returning: [.attributes], limit: .single)
        return try keychain.match(request, of: owners).first.flatMap { ToolItem($0, in: keychain, of: owners) }
    }

    /// Takes the place of a stored item, and of what belongs to it; both are among the earlier versions then.
    func replace(
        _ item: ToolItem, further imported: ImportedItem, of source: ImportMark?, in keychain: ToolKeychain
    ) throws(CommandError) {
        let gone = try item.furtherItems()
        let id = try item.firstID()
        var arrival = of(source)
        arrival.isSynchronizable = item.isShared
        arrival.id = imported.furtherSecrets.isEmpty ? item.properties.id : id
        arrival.markUpdated()
        if item.itemClass == itemClass {
            // What the other reading said besides is not said any more.
            var attributes = arrival.attributes
            for attribute in [Attribute.comment, .protected] where attributes[attribute] == nil {
                if item.attributes[attribute] != nil { attributes[attribute] = .emptyString }
            }
            try item.change(attributes, secret: secret.map { SecretValue(copying: $0.bytes) })
            try item.removeAlone(gone)
        } else {
            do throws(CommandError) { _ = try arrival.add(to: keychain) } catch {
                guard error.isDuplicate else { throw error }
                _ = try arrival.marked.add(to: keychain)
            }
            try item.remove(gone)
            try keychain.changing { () throws(CommandError) in
                try keychain.delete(
                    DeleteRequest(predicate: item.predicate, tombstones: .whenSynchronizable), of: owners)
            }
        }
        for further in Arrival.further(of: imported, id, isShared: item.isShared) {
            _ = try further.of(source).add(to: keychain)
        }
    }

    private var secretValue: SecretValue { secret.map { SecretValue(copying: $0.bytes) } ?? SecretValue(copying: []) }

    private mutating func markUpdated() {
        var properties = ItemProperties(attributes[.protected])
        properties.markUpdated()
        attributes[.protected] = properties.value
    }

    /// What a stored item lacks of what it says; nil where that is nothing.
    ///
    /// Nothing is taken from it: it may have got more here than the source knows.
    func update(of item: ToolItem, isOther: Bool) -> ItemUpdate? {
        var changed = AttributeList()
        let isMoved = moves(item)
        let isElsewhere = isMoved || saysOtherPlace(than: item)
        for entry in attributes.entries
        where ![.protected, .viewHint].contains(entry.attribute)
            && entry.attribute.isKnown(to: isMoved ? itemClass : item.itemClass)
        {
            let there = item.text(entry.attribute)
            let text = AttributeText.text(entry)
            // Another URL comes whole.
            let isWhole = isElsewhere && (entry.attribute == .port || entry.attribute == .path)
            if Arrival.isNone(entry), !there.isEmpty, !isWhole { continue }
            if isMoved || text != there { changed[entry.attribute] = entry.value }
        }
        // Its service is what tells whose it is.
        if isFurther { changed = AttributeList() }
        var merged = item.properties
        merge(into: &merged)
        let hasSecret = !isSilentOfPassword && secret?.count ?? 0 > 0
        let secret = isOther && hasSecret ? secretValue : nil
        guard isMoved || !changed.isEmpty || merged.value != item.properties.value || secret != nil else { return nil }
        return ItemUpdate(attributes: changed, secret: secret)
    }

    /// Whether it has a URL that differs from an item's in more than a port or a path that it does not say.
    private func saysOtherPlace(than item: ToolItem) -> Bool {
        [Attribute.server, .port, .path].contains { attribute in
            guard let value = attributes[attribute] else { return false }
            let entry = AttributeList.Entry(attribute, value)
            return !Arrival.isNone(entry) && AttributeText.text(entry) != item.text(attribute)
        }
    }

    private static func isNone(_ entry: AttributeList.Entry) -> Bool {
        let text = AttributeText.text(entry)
        return text.isEmpty || entry.attribute == .port && text == "0"
    }

    /// Whether an item that has no URL gets one; what has one keeps it.
    private func moves(_ item: ToolItem) -> Bool {
        item.itemClass == .genericPassword && itemClass == .internetPassword
    }

    /// Has an item say what it says, whose earlier version is in the history then; returns the `id` that it has.
    func make(
        _ update: ItemUpdate, of item: ToolItem, hasFurther: Bool, _ source: ImportMark?
    ) throws(CommandError) -> String? {
        let id = hasFurther ? try item.firstID() : nil
        func change(_ properties: inout ItemProperties) {
            guard !properties.isForeign else { return }
            merge(into: &properties)
            if properties.id == nil { properties.id = id }
            properties.imported = source
            properties.markUpdated()
        }
        guard !moves(item) else {
            try item.requireMovable(to: itemClass)
            return try item.moved(
                to: itemClass, update.attributes, secret: update.secret, onlyAsRead: true, change
            ).properties.id
        }
        return try item.changeProperties(update.attributes, secret: update.secret, isExact: true, keepsUpdated: true) {
            (now, properties) throws(CommandError) in
            guard now.attributes[.modificationDate] == item.attributes[.modificationDate] else {
                throw ToolItem.changedMeanwhile
            }
            change(&properties)
        }.id
    }

    private func merge(into properties: inout ItemProperties) {
        guard !properties.isForeign else { return }
        let own = ItemProperties(attributes[.protected])
        for tag in own.tags { properties.add(tag: tag) }
        for name in Set(own.fields.map(\.name)) { _ = properties.remove(field: name) }
        for field in own.fields { properties.add(field: field.name, field.value) }
        if let expires = own.expires { properties.expires = expires }
        // Another seed counts anew.
        if isFurther { properties.counter = own.counter }
    }

    /// The same with a mark of its own, which makes it distinct from an item that is equal otherwise.
    var marked: Arrival {
        var arrival = self
        arrival.attributes[.viewHint] = NameMark.fresh()
        return arrival
    }

    /// Itself, once it is stored.
    func peer(_ distinction: Distinction) -> Counterpart {
        Counterpart(mark: mark(distinction), hint: hint, persistentID: nil, arrival: self)
    }

    enum Comparison {
        case same, other
        /// It cannot be read now.
        case unknown
    }

    func compare(with peer: Counterpart, in keychain: ToolKeychain) -> Comparison {
        if let arrival = peer.arrival { return isSilentOfPassword || hasSameSecret(as: arrival) ? .same : .other }
        return compare(with: ToolItem.predicate(of: itemClass, peer.persistentID), in: keychain)
    }

    /// The same for a stored item of either kind.
    func compare(with item: ToolItem) -> Comparison { compare(with: item.predicate, in: item.keychain) }

    private func compare(with predicate: ItemPredicate, in keychain: ToolKeychain) -> Comparison {
        if isSilentOfPassword { return .same }
        var request = MatchRequest(predicate: predicate, returning: [.attributes, .data], limit: .single)
        // No prompt for a secret that is only compared.
        request.authentication.interaction = .skipping
        guard case .item(let item)? = (try? keychain.match(request, of: owners))?.first else { return .unknown }
        guard let kept = item.secret else { return secret == nil || secret?.count == 0 ? .same : .other }
        return hasSecret(kept, of: ToolItem(.item(item), in: keychain, of: owners)) ? .same : .other
    }

    /// Whether an item is of its user and place, as far as it says them.
    func isOfPlace(of item: ToolItem) -> Bool {
        let user = AttributeText.text(.account, in: attributes)
        guard user.isEmpty || user.hasSameBytes(as: item.account) else { return false }
        return itemClass != .internetPassword || WebAddress.isSamePlace(ToolItem.url(of: attributes), item.url)
    }

    /// Whether it is a secret note of the same words as one that an item shows.
    func isNote(_ shown: AttributeValue?) -> Bool {
        guard isFurther, kind == FurtherItem.Kind.notes.word, let shown else { return false }
        return hasSecret(SecretValue(copying: Array(AttributeText.text(.init(.comment, shown)).utf8)))
    }

    private func hasSameSecret(as other: Arrival) -> Bool {
        guard let other = other.secret else { return secret == nil }
        return hasSecret(SecretValue(copying: other.bytes))
    }

    func hasSecret(_ kept: SecretValue) -> Bool {
        secret.map { SecretValue(copying: $0.bytes).isEqualInConstantTime(to: kept) } ?? (kept.count == 0)
    }

    /// The same; of a code that counts, whether the item is where this one is, or has given more of it.
    private func hasSecret(_ kept: SecretValue, of item: ToolItem?) -> Bool {
        if hasSecret(kept) { return true }
        guard let code = item.flatMap({ FurtherItem($0) }), code.kind == .code, let secret else { return false }
        return OneTimeCode.isNoLater(SecretValue(copying: secret.bytes), than: code.shown(kept))
    }

    /// Whether an item has its account and its secret.
    func isStored(as item: ToolItem) -> Bool {
        guard AttributeText.text(.account, in: attributes).hasSameBytes(as: item.account), let kept = try? item.secret()
        else {
            return false
        }
        return hasSecret(kept, of: item)
    }

    /// Stores it, and returns a remark about parts that could not be stored; usually empty.
    func add(to keychain: ToolKeychain) throws(CommandError) -> String {
        let request = AddRequest(
            itemClass: itemClass, attributes: attributes, group: .named(group.name), protection: protection,
            isSynchronizable: isSynchronizable, isTombstone: false,
            secret: secret.map { SecretValue(copying: $0.bytes) },
            returning: created == nil ? [] : .persistentReference, origin: .caller)
        guard let added = try keychain.add(request, of: owners), let created else { return "" }
        let remark = "its creation date is today"
        // An item that requires authentication would prompt a second time just for the date.
        guard protection.accessControl?.isConstrained != true else { return remark }
        var changed = AttributeList()
        changed[.creationDate] = .date(created)
        let update = UpdateRequest(
            predicate: ToolItem.predicate(of: itemClass, added.persistentID),
            changes: ItemChanges(
                attributes: changed, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil),
            tombstones: .never)
        do throws(CommandError) { try keychain.update(update, of: owners) } catch { return remark }
        return ""
    }
}

/// What an item is to get of its source.
struct ItemUpdate {
    let attributes: AttributeList
    /// nil where the password is the same.
    let secret: SecretValue?
}

extension ToolItem {
    fileprivate static func removalKey(
        _ itemClass: ItemClass, _ attributes: AttributeList, isFurther: Bool
    ) -> String {
        let parts: [Attribute] = isFurther ? [.service, .account] : [.label, .account]
        return "\(itemClass.name)\0" + parts.map { AttributeText.text($0, in: attributes) }.joined(separator: "\0")
    }

    /// As an arrival has it that would be the same item.
    var removalKey: String { ToolItem.removalKey(itemClass, attributes, isFurther: isFurther) }

    /// Whether exactly these belong to it, with these secrets; also of what cannot be read now it has others.
    func has(_ arrivals: [Arrival]) throws(CommandError) -> Bool {
        var stored = try furtherItems()
        guard stored.count == arrivals.count else { return false }
        for arrival in arrivals {
            guard let index = stored.firstIndex(where: { arrival.isStored(as: $0.item) }) else { return false }
            stored.remove(at: index)
        }
        return true
    }
}

extension FurtherItem.Kind {
    fileprivate init(_ part: FurtherSecret.Part) {
        switch part {
        case .field: self = .field
        case .attachment: self = .attachment
        case .oneTimeCode: self = .code
        case .notes: self = .notes
        }
    }
}
