// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// What a look at many items met of damage.
///
/// An item whose secret alone is damaged is listed with all that it is called by. Of one that nothing can be read of, and of those
/// that lie on a part of the database which cannot be read, a list says nothing true: then its verb must not end as if it did.
struct MetDamage {
    /// Items that do not open, as far as they can still be counted.
    private var items = 0
    /// Of these, those that nothing can be read of.
    private var unreadable = 0
    /// Whether items may lie on a part of the database that cannot be read.
    private(set) var hasGap = false

    /// Those that went with an old device key or passcode: they are no damage, and no list is wrong without them.
    private var lost: [Place: Set<PersistentReference>] = [:]
    private var lostItems = 0

    var isAny: Bool { items > 0 || hasGap }
    /// Whether the look may have missed what it was for.
    var isBlinding: Bool { unreadable > 0 || hasGap }

    mutating func note(_ item: ToolItem) {
        guard let damage = item.damage else { return }
        if item.isGap {
            hasGap = true
            return
        }
        if damage == .everything, isLost(item) {
            lostItems += 1
            return
        }
        items += 1
        if damage == .everything { unreadable += 1 }
    }

    private mutating func isLost(_ item: ToolItem) -> Bool {
        guard let id = item.persistentID else { return false }
        // Behind a damaged page they cannot be told from what is damaged.
        let known = lost[item.keychain.place] ?? Set((try? item.keychain.lostItems()) ?? [])
        lost[item.keychain.place] = known
        return known.contains(.item(item.itemClass, id))
    }

    mutating func take(_ other: MetDamage) {
        items += other.items
        unreadable += other.unreadable
        lostItems += other.lostItems
        hasGap = hasGap || other.hasGap
    }

    /// Tells of the damage, if there is any.
    func say() {
        if isAny { Tool.say(words) }
        if lostItems > 0 { Tool.say(ToolKeychain.lostWords(lostItems)) }
    }

    /// Tells of the damage, and fails where the look may have missed something.
    func end() throws(CommandError) {
        guard isBlinding else { return say() }
        if lostItems > 0 { Tool.say(ToolKeychain.lostWords(lostItems)) }
        throw .failure(words)
    }

    /// Fails where what was not found may lie where nothing can be read.
    func refuse(notFound text: String) throws(CommandError) {
        guard isBlinding else { return }
        throw .failure("\(text) in what can be read: \(words)")
    }

    /// Fails where a backup lacks what could not be read.
    func refuseBackup() throws(CommandError) {
        guard isAny else { return }
        throw .failure("what could not be read is not in the backup: \(words)")
    }

    private var words: String {
        let count = items == 1 ? "1 item is damaged" : "\(items) items are damaged"
        guard hasGap else { return "\(count); nothing was deleted, and `llavero check` shows details" }
        return "\(CommandError.damagedPart)\(items > 0 ? ", and \(count) besides" : "")\(CommandError.damageAdvice)"
    }

    /// For who got an answer all the same.
    static func sayGap() { Tool.say(CommandError.damagedPart + CommandError.damageAdvice) }
}
