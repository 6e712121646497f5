// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero rename`.
enum RenameVerb: Verb {
    static let name = "rename"
    static let summary = "gives an item another name"
    static let help = """
        usage: llavero rename NAME NEW [--user USER] [--another]

        Gives an item another name. If its service is the same as its name, as `llavero add` sets it, the service is renamed too,
        and so is what belongs to it: fields, attachments, its one-time code. A tag that is the folder of the name, as an import of
        `pass` gives it, becomes the folder of the new one. A NEW with a slash at its end is a folder: the item keeps the last
        part of its name in it.

          --another         also where another item has the new name
          --user USER       the item of that user, if several have the name
          --apps            also searches items that programs keep
          --all             also searches invisible items
          --group GROUP     searches only that access group
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.count == 2 else {
            throw .usage("rename requires two names: the current one and the new one")
        }
        let (name, given) = (options.operands[0], options.operands[1])
        guard !given.isEmpty else { throw .usage("the new name is empty") }
        let item = try ItemName(name, for: .changing).item(in: try Keychains(options), try ItemScope(options))
        // Into a folder, as a path is moved.
        let fresh = given.utf8.last == UInt8(ascii: "/") ? given + ItemProperties.last(of: item.name) : given
        var attributes = AttributeList()
        attributes[.label] = .string(fresh)
        if item.itemClass == .genericPassword, item.text(.service).hasSameBytes(as: item.text(.label)) {
            attributes[.service] = .string(fresh)
        }
        if item.group.hasSameBytes(as: AccessGroup.passwords.name), !options.has("--another") {
            // Of the same user it is refused in any case, unless they are for different places.
            let others = try item.keychain.called(fresh).filter { other in
                !other.isSame(as: item)
                    && (other.itemClass != item.itemClass || !other.account.hasSameBytes(as: item.account))
            }
            if let other = others.first {
                let isSameUser = other.account.hasSameBytes(as: item.account)
                throw .duplicate(
                    "there is an item \(other.title) already; --another renames this one all the same"
                        + (isSameUser ? "" : ", and --user tells the two apart"))
            }
        }
        item.tellWhereItChanges(options)
        let (old, new) = (ItemProperties.folder(of: item.name), ItemProperties.folder(of: fresh))
        var isTagged = false
        try item.changeProperties(attributes) { (_, properties) in
            guard !properties.isForeign, !old.isEmpty, !old.hasSameBytes(as: new) else { return }
            isTagged = properties.remove(tag: old)
            if isTagged, !new.isEmpty { properties.add(tag: new) }
        }
        try item.reread().nameFurtherItems()
        let tag =
            !isTagged
            ? "" : new.isEmpty ? ", without the tag \(PlainText.shown(old))" : ", with the tag \(PlainText.shown(new))"
        options.tell("renamed \(item.title) to \(PlainText.shown(fresh))\(tag)")
    }
}

extension ToolItem {
    /// Has what belongs to it bear its name.
    func nameFurtherItems() throws(CommandError) {
        for further in try furtherItems() {
            let label = FurtherItem.label(name, further.kind, further.name)
            guard !further.item.text(.label).hasSameBytes(as: label) else { continue }
            var attributes = AttributeList()
            attributes[.label] = .string(label)
            try further.item.change(attributes, secret: nil)
        }
    }
}
