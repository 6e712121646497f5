// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// An item on its way from another store into the keychain.
struct Arrival {
    let name: String
    let source: SourceLocation
    /// Its kind, in the singular, for the summary.
    let kind: String
    private let itemClass: ItemClass
    private var attributes: AttributeList
    private let secret: ImportedBytes?
    private var group = AccessGroup.passwords
    private var owners = ItemOwners.person
    private var protection = AddRequest.Protection.byClassAndGroup
    private var isSynchronizable = false
    private var created: Double?

    /// The password, and the other secrets of its entry.
    static func all(of item: ImportedItem) -> [Arrival] {
        let group = item.attributes.first { $0.name == "group" }.map { ", in \($0.value)" } ?? ""
        return [Arrival(item)]
            + item.furtherSecrets.map { further in
                let name = "\(item.label) (\(further.name))"
                var attributes = AttributeList()
                attributes[.label] = .string(name)
                attributes[.service] = .string(name)
                attributes[.account] = .string(item.account)
                attributes[.comment] = .string("\(word(for: further.part)) of \(item.label)\(group)")
                return Arrival(.genericPassword, attributes, further.value, name, item.source, word(for: further.part))
            }
    }

    private static func word(for part: FurtherSecret.Part) -> String {
        switch part {
        case .field: "field"
        case .attachment: "attachment"
        case .oneTimeCode: "one-time code"
        case .notes: "note"
        }
    }

    private init(_ item: ImportedItem) {
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
        var lines = item.attributes.map { "\($0.name): \($0.value)" }
        if !item.comment.isEmpty { lines.insert(item.comment, at: 0) }
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
        self.init(itemClass, attributes, item.secret, item.label, item.source, "password")
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
        _ source: SourceLocation, _ kind: String
    ) {
        (self.itemClass, self.attributes, self.secret) = (itemClass, attributes, secret)
        (self.name, self.source, self.kind) = (name, source, kind)
    }

    var account: String { Arrival.text(.account, attributes) }

    private static func text(_ attribute: Attribute, _ attributes: AttributeList) -> String {
        for entry in attributes.entries where entry.attribute == attribute { return AttributeText.text(entry) }
        return ""
    }

    /// The attributes by which the keychain identifies an item, without the view hint.
    var identity: [UInt8] {
        let parts = ItemIdentity.parts(of: itemClass).map { part in
            AttributeText.text(.init(part.attribute, attributes[part.attribute] ?? part.absent))
        }
        let place = "\(itemClass.name)\0\(group.name)\0\(isSynchronizable)"
        return Array("\(place)\0\(parts.joined(separator: "\0"))".utf8)
    }

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
        func text(_ attribute: Attribute) -> String {
            let text = Arrival.text(attribute, attributes)
            return "\(text.utf8.count) \(text)"
        }
        switch distinction {
        case .place: return []
        case .entry:
            let told: [Attribute] = [.label, .comment, .generic, .itemDescription]
            return Array(told.map(text).joined().utf8)
        case .export:
            let hint = NameMark.isOne(attributes[.viewHint]) ? "" : text(.viewHint)
            return Array((hint + (isNamed ? text(.label) : "")).utf8)
        }
    }

    /// Whether its name is part of its identity.
    var isNamed: Bool { ToolKeychain.isNamed(itemClass, group) }

    var hint: String { Arrival.text(.viewHint, attributes) }

    /// An item of this identity in the keychain.
    struct Counterpart {
        let mark: [UInt8]
        let hint: String
        /// Nil where it was just imported, or would have been without --dry-run.
        let persistentID: PersistentID?
        let arrival: Arrival?
    }

    func peers(in keychain: ToolKeychain, _ distinction: Distinction) throws(CommandError) -> [Counterpart] {
        try keychain.alike(itemClass, attributes, in: group, isSynchronizable: isSynchronizable, of: owners)
            .map { found in
                let attributes = found.attributes ?? AttributeList()
                return Counterpart(
                    mark: mark(of: attributes, distinction), hint: Arrival.text(.viewHint, attributes),
                    persistentID: found.persistentID, arrival: nil)
            }
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
        if let arrival = peer.arrival { return hasSameSecret(as: arrival) ? .same : .other }
        var request = MatchRequest(
            predicate: ToolItem.predicate(of: itemClass, peer.persistentID), returning: [.data], limit: .single)
        // No prompt for a secret that is only compared.
        request.authentication.interaction = .skipping
        guard case .item(let item)? = (try? keychain.match(request, of: owners))?.first else { return .unknown }
        guard let kept = item.secret else { return secret == nil || secret?.count == 0 ? .same : .other }
        return hasSecret(kept) ? .same : .other
    }

    private func hasSameSecret(as other: Arrival) -> Bool {
        guard let other = other.secret else { return secret == nil }
        return hasSecret(SecretValue(copying: other.bytes))
    }

    private func hasSecret(_ kept: SecretValue) -> Bool {
        secret.map { SecretValue(copying: $0.bytes).isEqualInConstantTime(to: kept) } ?? (kept.count == 0)
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
