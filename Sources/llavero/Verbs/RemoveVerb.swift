// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero remove`.
enum RemoveVerb: Verb {
    static let name = "remove"
    static let summary = "removes items"
    static let help = """
        usage: llavero remove NAME… [--user USER] [--forever]

        Removes items, and lists them. If one of the names fits no item, or several, nothing is removed. Your own passwords can be
        brought back with `llavero undelete` for 30 days, unless they require a passcode or a finger; items of programs cannot.

          --forever         also destroys what could be brought back, and earlier versions, of what belongs to it too
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
        guard !options.operands.isEmpty else { throw .usage("NAME is missing") }
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        var items: [ToolItem] = []
        for word in options.operands {
            let item: ToolItem
            do throws(CommandError) { item = try ItemName(word, for: .changing).item(in: keychains, scope) } catch {
                if options.operands.count > 1 { Tool.say("nothing was removed") }
                throw error
            }
            // A part that cannot be read is no item, whatever may lie there.
            if item.isGap { try item.requireReadable() }
            if !items.contains(where: { $0.isSame(as: item) }) { items.append(item) }
        }
        if !options.has("--forever") { try requireRoom(for: items) }
        for item in items {
            if item.isShared { options.tell(CircleReach(of: item).told("goes from", of: item.title)) }
            // First, so that a removal that was interrupted can be repeated.
            let further = try item.soleFurtherItems()
            if item.isFurther != item.properties.isRemovedAlone { try item.setRemovedAlone(item.isFurther) }
            try item.remove(further)
            try item.keychain.changing { () throws(CommandError) in
                try item.keychain.delete(
                    DeleteRequest(predicate: try item.whole(), tombstones: .whenSynchronizable), of: item.owners)
            }
            if options.has("--forever") {
                for one in try PastItems.kept(for: item) { try one.forgetVersions() }
            }
            options.tell(
                "removed \(item.title) from the keychain \(item.keychain.shownName)\(RemoveVerb.way(back: item, further))"
            )
        }
    }

    /// Refuses what is more than a keychain keeps of large versions: the last to go would take the first ones' place.
    private static func requireRoom(for items: [ToolItem]) throws(CommandError) {
        var parts: [ToolItem] = []
        for item in items where item.group.hasSameBytes(as: AccessGroup.passwords.name) {
            parts.append(item)
            parts += try item.furtherItems().filter { $0.kind == .attachment }.map(\.item)
        }
        parts = parts.filter { $0.accessControl?.rules == nil && $0.damage == nil && !$0.isNegative }
        // Fewer cannot be too much, for each was one message to the keychain.
        guard parts.count > PastVersion.mostLargeBytes / PastVersion.largestSecret else { return }
        var bytes = 0
        for part in parts where part.itemClass.isPassword {
            let size = try part.secret().count + RemoveVerb.mostBesides
            if size > PastVersion.largeBytes { bytes += size }
        }
        guard bytes > PastVersion.mostLargeBytes else { return }
        throw .failure(
            "that is more at once than can be brought back later, \(PastVersion.mostLargeBytes >> 20) MiB: nothing was removed; remove it in parts, or with --forever for good"
        )
    }

    /// Bytes of a row besides its secret, generously.
    private static let mostBesides = 16_384

    /// Others that had its name are others: who does not want them, either, has to say so.
    private static func others(of item: ToolItem) -> String {
        guard let past = try? PastItems(in: [item.keychain], ItemScope.own).all,
            past.contains(where: { $0.isRemoval && !$0.item.isFurther && $0.item.isCalled(item.name) })
        else { return "" }
        let name = ShellWord.operand(PlainText.shown(item.name))
        return
            "; another one that was called so and removed before can be brought back: `llavero forget\(item.keychain.option) \(name)` destroys it"
    }

    /// How to take it back, if that is possible; a failure to find out is not one of the removal.
    private static func way(back item: ToolItem, _ further: [FurtherItem]) -> String {
        guard (try? PastItems.version(of: item)) != nil else { return " for good\(others(of: item))" }
        let name = ShellWord.operand(PlainText.shown(item.asked ?? item.name))
        let lost = FurtherItem.notKept(of: further)
        let besides = lost.isEmpty ? "" : ", without \(FurtherItem.list(lost)), gone for good"
        return
            "; `llavero undelete\(item.keychain.option) \(name)` brings it back for \(PastVersion.days) days\(besides)"
    }
}
