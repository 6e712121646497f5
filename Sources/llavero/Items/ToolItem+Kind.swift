// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// A password that gets a URL, or loses the one it has: it becomes one of the other kind, which has attributes of its own.
extension ToolItem {
    /// Refuses an item of which the other kind cannot have all, before anything is changed.
    func requireMovable(to kind: ItemClass) throws(CommandError) {
        guard group.hasSameBytes(as: AccessGroup.passwords.name), !isFurther else {
            throw .failure("\(title) is an item of programs, which find it as it is; add another item with --url")
        }
        for entry in attributes.entries where !entry.attribute.isKnown(to: kind) && !isOfPlace(entry) {
            throw .failure(
                "\(title) has \(AttributeText.name(of: entry.attribute)), by which a program finds it, and which it would lose with \(kind == .internetPassword ? "a" : "no") URL; add another item"
            )
        }
    }

    /// Makes it an item of the other kind, with all that it has, and with other attributes.
    ///
    /// What belongs to it stays, for its `id` does, by which its earlier versions are found, too. The new item is there before the
    /// old one goes, which is among the earlier versions then: in between there are two of that name, and none is lost. With another
    /// `secret` it gets that, and with `change` other properties. With `onlyAsRead` one that others have changed since stays.
    func moved(
        to kind: ItemClass, _ changed: AttributeList, secret other: SecretValue? = nil, onlyAsRead: Bool = false,
        _ change: (inout ItemProperties) -> Void = { _ in }
    ) throws(CommandError) -> ToolItem {
        for _ in 0..<ToolItem.mostMoves {
            // A person may be asked for it, and others may change the item meanwhile.
            let secret = if let other { other } else { try secretIfAny() }
            let old = try reread()
            guard !onlyAsRead || old.isAsBefore(self, but: []) else { throw ToolItem.changedMeanwhile }
            try old.requireMovable(to: kind)
            let id = old.keepsVersions ? try old.firstID() : old.properties.id
            let new = try old.copied(to: kind, changed, secret) { properties in
                properties.id = id
                change(&properties)
            }
            if try old.goes(as: id) { return try new.reread() }
            try new.discard()
        }
        throw .failure("\(PlainText.shown(name)) is changed by other programs all the time; try again")
    }

    /// Adds the item of the other kind that this one becomes.
    private func copied(
        to kind: ItemClass, _ changed: AttributeList, _ secret: SecretValue?, _ change: (inout ItemProperties) -> Void
    ) throws(CommandError) -> ToolItem {
        var attributes = AttributeList()
        for entry in self.attributes.entries where Attribute.own(of: kind).contains(entry.attribute) {
            attributes[entry.attribute] = entry.value
        }
        for attribute in [Attribute.label, .alias] { attributes[attribute] = self.attributes[attribute] }
        if attributes[.label] == nil { attributes[.label] = .string(name) }
        if let hint = self.attributes[.viewHint], !NameMark.isOne(hint) { attributes[.viewHint] = hint }
        if kind == .genericPassword { attributes[.service] = .string(name) }
        var properties = self.properties
        if !properties.isForeign {
            properties.removeField(ofURL: url)
            properties.isRemovedAlone = false
            properties.updated = nil
            change(&properties)
            attributes[.protected] = properties.value == .emptyString ? nil : properties.value
        }
        for entry in changed.entries { attributes[entry.attribute] = entry.value }
        let request = AddRequest(
            itemClass: kind, attributes: attributes, group: .named(group),
            protection: accessControl.map { .accessControl($0) } ?? .byClassAndGroup, isSynchronizable: isShared,
            isTombstone: false, secret: secret, returning: [.attributes, .persistentReference],
            origin: .caller)
        let added = try keychain.changing { () throws(CommandError) in try keychain.addNamed(request, of: owners) }
        guard let added, var item = ToolItem(.item(added), in: keychain, of: owners) else {
            throw ToolKeychain.otherReply
        }
        item.asked = asked
        // The rules of an item that asks a person would ask a second time, for the date alone.
        if accessControl?.rules == nil, let created = self.attributes[.creationDate] {
            var date = AttributeList()
            date[.creationDate] = created
            // As it stands, for an import may have changed it just now.
            date[.protected] = item.attributes[.protected]
            try item.change(date, secret: nil)
            // What it was without its date is no version of anybody's.
            _ = try item.forgetVersions()
        }
        return item
    }

    /// Deletes it if it is still as it was read, under the `id` of what it became; returns whether it was.
    ///
    /// That is one change and the removal: each takes the place of an earlier version.
    private func goes(as id: String?) throws(CommandError) -> Bool {
        do throws(CommandError) {
            var item = self
            if keepsVersions {
                // So nobody is told that it was removed.
                var properties = self.properties
                properties.isRemovedAlone = true
                properties.id = id
                var marked = AttributeList()
                marked[.protected] = properties.value
                let changes = ItemChanges(
                    attributes: marked, group: nil, accessControl: nil, isSynchronizable: nil, secret: nil)
                try keychain.changing { () throws(CommandError) in
                    try keychain.updateNamed(self, changes, onlyAsRead: true)
                }
                item = try reread()
                guard item.isAsBefore(self, but: [.modificationDate, .protected]), item.properties.isRemovedAlone else {
                    return false
                }
            }
            try keychain.changing { () throws(CommandError) in
                try keychain.delete(
                    DeleteRequest(predicate: item.predicateAsRead, tombstones: .whenSynchronizable), of: owners)
            }
            return true
        } catch {
            guard case .keychain(let cause) = error, cause.reason == .itemNotFound else { throw error }
            return false
        }
    }

    /// Takes back what was added.
    private func discard() throws(CommandError) {
        try keychain.changing { () throws(CommandError) in
            try keychain.delete(DeleteRequest(predicate: predicate, tombstones: .whenSynchronizable), of: owners)
        }
        _ = try forgetVersions()
    }

    private func isAsBefore(_ before: ToolItem, but others: [Attribute]) -> Bool {
        var (now, then) = (attributes, before.attributes)
        for attribute in others { (now[attribute], then[attribute]) = (nil, nil) }
        return now == then
    }

    /// Whether what it was before a change is kept, and says which item it was of.
    private var keepsVersions: Bool { accessControl?.rules == nil && !properties.isForeign }

    static let changedMeanwhile = CommandError.failure(
        "another program changed it meanwhile, and it stays as that left it")
    private static let mostMoves = 10

    /// Whether an attribute says no more than its name or its URL does.
    private func isOfPlace(_ entry: AttributeList.Entry) -> Bool {
        let text = AttributeText.text(entry)
        switch entry.attribute {
        case .server, .protocol, .port, .path: return true
        case .service: return text.hasSameBytes(as: name)
        // That of every internet password that a Mac or an import has made.
        case .authenticationType: return text.isEmpty || text == "dflt"
        default: return text.isEmpty
        }
    }
}
