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
    /// What belongs to it stays, for its `id` does. The new item is there before the old one goes, which is among the earlier
    /// versions then: in between there are two with the same password, and none is lost.
    func moved(to kind: ItemClass, _ changed: AttributeList) throws(CommandError) -> ToolItem {
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
            attributes[.protected] = properties.value == .emptyString ? nil : properties.value
        }
        for entry in changed.entries { attributes[entry.attribute] = entry.value }
        let request = AddRequest(
            itemClass: kind, attributes: attributes, group: .named(group),
            protection: accessControl.map { .accessControl($0) } ?? .byClassAndGroup, isSynchronizable: isShared,
            isTombstone: false, secret: try secretIfAny(), returning: [.attributes, .persistentReference],
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
            try item.change(date, secret: nil)
            // What it was without its date is no version of anybody's.
            _ = try item.forgetVersions()
        }
        // So nobody is told that it was removed.
        try setRemovedAlone(true)
        try keychain.changing { () throws(CommandError) in
            try keychain.delete(DeleteRequest(predicate: predicate, tombstones: .whenSynchronizable), of: owners)
        }
        return try item.reread()
    }

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
