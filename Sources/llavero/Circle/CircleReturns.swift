// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// Items that were removed on one machine, and changed later on another.
///
/// The later change wins. What belongs to an item is told apart from it in the circle, so either the item comes back and what went
/// with it does not, or a field that was changed later is there without its item. Both are mended behind a round: what an item had
/// when it was removed is there again with it.
enum CircleReturns {
    /// Whether something came back, which the circle does not know yet; what fails is told, for the round is done.
    static func settle(in keychain: ToolKeychain, _ options: Options) -> Bool {
        var keychain = keychain
        keychain.asksToUnlock = false
        do throws(CommandError) { return try returned(in: keychain, options) } catch {
            // It is looked at behind each round, so by the next one that can read the items.
            if case .keychain(let cause) = error, cause.reason == .interactionNotAllowed { return false }
            Tool.say("whether what was removed here was changed elsewhere is not known: \(error.description)")
            return false
        }
    }

    private static func returned(in keychain: ToolKeychain, _ options: Options) throws(CommandError) -> Bool {
        let past = try PastItems(in: [keychain], ItemScope.own)
        var seen: Set<ToolItem.Key> = []
        // The last removal of each.
        let removals = past.all.filter { past in
            past.isRemoval && past.item.isShared && !past.item.isFurther && past.item.properties.id != nil
                && seen.insert(past.item.key).inserted && !past.becameOther
        }
        guard !removals.isEmpty else { return false }
        let parts = try FurtherItem.all(in: keychain)
        var hasReturned = false
        for removal in removals {
            let back: [String]
            if try removal.item.isThere() {
                guard try removal.item.reread().isSameStill(as: removal.item) else { continue }
                back = try bringBackParts(of: removal, past)
            } else {
                back = try bringBack(removal, with: parts[removal.item.properties.id ?? ""] ?? [])
            }
            guard !back.isEmpty else { continue }
            hasReturned = true
            options.tell(
                "\(removal.item.title) was removed on one machine and changed later on another, so it is there: \(back.joined(separator: ", ")), too"
            )
        }
        return hasReturned
    }

    /// Of an item that came back from another machine: what this one removed with it.
    private static func bringBackParts(of removal: PastItem, _ past: PastItems) throws(CommandError) -> [String] {
        var back: [String] = []
        for part in try past.removedWith(removal)
        where abs(part.version.until - removal.version.until) < longestRemoval && (try? part.item.reread()) == nil {
            try part.bringBack()
            back.append(FurtherItem(part.item).map { "the \($0.title)" } ?? part.item.title)
        }
        return back
    }

    /// Of an item that is gone, where some of what belongs to it was changed later: that is there without it.
    private static func bringBack(_ removal: PastItem, with parts: [FurtherItem]) throws(CommandError) -> [String] {
        let parts = parts.filter(\.item.isShared)
        guard !parts.isEmpty, let removed = try removal.item.timeOfRemoval() else { return [] }
        let later = parts.filter { part in
            if case .date(let changed)? = part.item.attributes[.modificationDate] { changed > removed } else { false }
        }
        // Under another name, or as one of the other kind, it is there with all that belongs to it.
        guard !later.isEmpty, let id = removal.item.properties.id,
            try !removal.item.keychain.hasItem(identifiedBy: id, isShared: true)
        else { return [] }
        try PastItems.bringBack(removal, ItemScope.own)
        return later.map { "the \($0.title)" }
    }

    /// Seconds from the first of an item's parts that `remove` removes to the item.
    private static let longestRemoval = 10.0
}

extension ToolItem {
    /// Whether it is what an earlier version was of, and not another item that was added under that name.
    fileprivate func isSameStill(as past: ToolItem) -> Bool {
        properties.id == past.properties.id && attributes[.creationDate] == past.attributes[.creationDate]
    }

    /// When it was removed, by the clock of who did it: what the circle compares; nil of one of which nobody knows that any more.
    fileprivate func timeOfRemoval() throws(CommandError) -> Double? {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: true, accessibility: nil,
            restriction: .items(persistentID.map { [.persistent(.item(itemClass, $0))] } ?? []), filters: [])
        let request = MatchRequest(predicate: predicate, returning: [.attributes], limit: .single)
        let found = try keychain.matchWithDamaged(request, of: owners).first
        guard
            case .date(let time)? = found.flatMap({ ToolItem($0, in: keychain, of: owners) })?
                .attributes[.modificationDate]
        else { return nil }
        return time
    }
}
