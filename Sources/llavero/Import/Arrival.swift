// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// An item on its way from another store into the keychain.
struct Arrival {
    let name: String
    let source: SourceLocation
    private let itemClass: ItemClass
    private let attributes: AttributeList
    private let secret: ImportedBytes?
    private var group = AccessGroup.passwords
    private var owners = ItemOwners.person
    private var protection = AddRequest.Protection.byClassAndGroup
    private var isSynchronizable = false
    private var created: Double?

    /// The password, and what its source keeps as secret beside it.
    static func all(of item: ImportedItem) -> [Arrival] {
        [Arrival(item)]
            + item.furtherSecrets.map { further in
                let name = "\(item.label) (\(further.name))"
                var attributes = AttributeList()
                attributes[.label] = .string(name)
                attributes[.service] = .string(name)
                attributes[.account] = .string(item.account)
                return Arrival(.genericPassword, attributes, further.value, name, item.source)
            }
    }

    private init(_ item: ImportedItem) {
        var attributes = AttributeList()
        attributes[.label] = .string(item.label)
        attributes[.account] = .string(item.account)
        if !item.comment.isEmpty { attributes[.comment] = .string(item.comment) }
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
        self.init(itemClass, attributes, item.secret, item.label, item.source)
    }

    /// With everything that it had.
    init(_ item: ExportedItem) {
        self.init(item.itemClass, item.attributes, item.secret, item.name, item.source)
        group = item.group
        // Whosever it was: a daemon has its own opinion.
        owners = .everybody
        protection = .accessControl(item.accessControl)
        isSynchronizable = item.isSynchronizable
        created = item.created
    }

    private init(
        _ itemClass: ItemClass, _ attributes: AttributeList, _ secret: ImportedBytes?, _ name: String,
        _ source: SourceLocation
    ) {
        (self.itemClass, self.attributes, self.secret) = (itemClass, attributes, secret)
        (self.name, self.source) = (name, source)
    }

    var account: String {
        for entry in attributes.entries where entry.attribute == .account { return AttributeText.text(entry) }
        return ""
    }

    /// What makes two items one to the keychain.
    var identity: [UInt8] {
        let parts = ItemIdentity.parts(of: itemClass).map { part in
            AttributeText.text(.init(part.attribute, attributes[part.attribute] ?? part.absent))
        }
        let label: String = if case .string(let text)? = attributes[.label] { text } else { "" }
        let place = "\(label)\0\(itemClass.name)\0\(group.name)\0\(isSynchronizable)"
        return Array("\(place)\0\(parts.joined(separator: "\0"))".utf8)
    }

    /// What the keychain has in its place.
    enum Standing {
        case absent, same, otherSecret
    }

    func standing(in keychain: ToolKeychain) throws(CommandError) -> Standing {
        let here = try keychain.duplicate(
            of: itemClass, attributes, in: group, isSynchronizable: isSynchronizable, of: owners)
        guard let here else { return .absent }
        var request = MatchRequest(
            predicate: Item.predicate(of: itemClass, here.persistentID), returning: [.data], limit: .single)
        // Nobody is asked to show what is only compared: what cannot be read counts as the same.
        request.authentication.interaction = .skipping
        guard case .item(let item)? = (try? keychain.match(request, of: owners))?.first, let kept = item.secret else {
            return .same
        }
        return hasSecret(kept) ? .same : .otherSecret
    }

    func hasSameSecret(as other: Arrival) -> Bool {
        guard let other = other.secret else { return secret == nil }
        return hasSecret(SecretValue(copying: other.bytes))
    }

    private func hasSecret(_ kept: SecretValue) -> Bool {
        secret.map { SecretValue(copying: $0.bytes).isEqualInConstantTime(to: kept) } ?? (kept.count == 0)
    }

    /// Stores it, and says what of it could not come along; nothing, as a rule.
    func add(to keychain: ToolKeychain) throws(CommandError) -> String {
        let request = AddRequest(
            itemClass: itemClass, attributes: attributes, group: .named(group.name), protection: protection,
            isSynchronizable: isSynchronizable, isTombstone: false,
            secret: secret.map { SecretValue(copying: $0.bytes) },
            returning: created == nil ? [] : .persistentReference, origin: .caller)
        guard let added = try keychain.addNamed(request, of: owners), let created else { return "" }
        let remark = "it counts as made today"
        // Whoever it demands would be asked a second time for nothing but the date.
        guard protection.accessControl?.isConstrained != true else { return remark }
        var changed = AttributeList()
        changed[.creationDate] = .date(created)
        let update = UpdateRequest(
            predicate: Item.predicate(of: itemClass, added.persistentID),
            changes: ItemChanges(
                attributes: changed, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil),
            tombstones: .never)
        do throws(CommandError) { try keychain.update(update, of: owners) } catch { return remark }
        return ""
    }
}
