// SPDX-License-Identifier: Apache-2.0

import Security

extension ModelKeychain {
    /// All or none; on failure the statuses any order of the items could give.
    mutating func update(_ terms: Terms, _ changes: Terms) throws(Refusal) -> Set<OSStatus> {
        let query = try ModelQuery(terms, for: .update)
        guard changes["sync"] != .text("syna") else { throw Refusal(errSecParam) }
        let protection = try ModelKeychain.protection(in: changes, synchronizable: changes["sync"] == .flag(true))
        let matches = try candidates(query)
        if case .text(let group)? = changes["agrp"] { try requireGroup(group) }
        if matches.contains(where: { isLocked($0.protection) }) { throw Refusal(errSecInteractionNotAllowed) }
        guard !matches.isEmpty else { throw Refusal(errSecItemNotFound) }
        var statuses: Set<OSStatus> = []
        // Which of several tombstones survives when they become one is nobody's business but the order's.
        let inOrder = query.isPinned ? query.inOrderOfPlaces(matches) : matches
        for order in [inOrder, Array(inOrder.reversed())] {
            var trial = self
            do throws(Refusal) {
                for item in order { try trial.change(item, changes, protection, query.leavesTombstones) }
                self = trial
                return [errSecSuccess]
            } catch { statuses.insert(error.status) }
        }
        return statuses
    }

    private mutating func change(
        _ old: ModelItem, _ changes: Terms, _ protection: (name: String, hasFlags: Bool)?, _ leavesTombstones: Bool?
    ) throws(Refusal) {
        guard let index = items.firstIndex(where: { $0.serial == old.serial }) else { return }
        var item = old
        for (key, term) in changes where !["v_Data", "accc", "pdmn", "sync"].contains(key) {
            item.attributes[key] = ItemRules.coerced(term, for: key)
        }
        if item.attributes["vwht"] == .text("") { item.attributes["vwht"] = nil }
        if let protection {
            item.attributes["pdmn"] = .text(protection.name)
            item.hasFlags = protection.hasFlags
        }
        if case .flag(let flag)? = changes["sync"] { item.attributes["sync"] = .number(flag ? 1 : 0) }
        if item.isSynchronizable, item.hasFlags { throw Refusal(errSecParam) }
        if case .data(let bytes)? = changes["v_Data"] { item.secret = bytes }
        item.attributes["mdat"] = .date(later(than: old.modified))
        try requireKey(item.protection)
        let moved = !item.hasSameIdentity(as: old)
        if moved, let taken = items.first(where: { $0.itemClass == item.itemClass && $0.hasSameIdentity(as: item) }) {
            if isLocked(taken.protection) { throw Refusal(errSecInteractionNotAllowed) }
            guard taken.isTombstone else { throw Refusal(errSecDuplicateItem) }
            // It is later than the deletion, too, which other devices have.
            if item.modified <= taken.modified { item.attributes["mdat"] = .date(later(than: taken.modified)) }
            items[index] = item
            items.removeAll { $0.serial == taken.serial }
        } else {
            items[index] = item
        }
        if moved, !old.isTombstone, leavesTombstones ?? old.isSynchronizable {
            items.append(old.tombstone(serial: serial(), at: later(than: old.modified)))
        }
    }

    mutating func delete(_ terms: Terms) throws(Refusal) {
        let query = try ModelQuery(terms, for: .delete)
        let matches = try candidates(query)
        guard !matches.isEmpty else { throw Refusal(errSecItemNotFound) }
        func leavesTombstone(_ item: ModelItem) -> Bool {
            query.leavesTombstones ?? (item.isSynchronizable && !item.isTombstone)
        }
        // Removing needs no key; sealing a tombstone does (decision D23).
        if matches.contains(where: { leavesTombstone($0) && isLocked($0.protection) }) {
            throw Refusal(errSecInteractionNotAllowed)
        }
        for item in matches {
            guard let index = items.firstIndex(where: { $0.serial == item.serial }) else { continue }
            if leavesTombstone(item) {
                var tombstone = item.tombstone(serial: item.serial, at: later(than: item.modified))
                tombstone.reference = item.reference
                items[index] = tombstone
            } else {
                items.remove(at: index)
            }
        }
    }
}
