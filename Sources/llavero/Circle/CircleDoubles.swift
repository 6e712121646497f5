// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// Items that a machine has twice: of its own, as from a backup or an import, and as the circle shares them.
///
/// Where both say the same, the circle's stays, and the other is among what was removed. Only verbs that read both do so, and never a
/// daemon.
struct CircleDoubles {
    struct Pair {
        let own: ToolItem
        let shared: ToolItem

        /// What it is, and what settles it.
        var sentence: String {
            "\(own.title) is here twice, of this machine alone (\(own.identifier)) and shared (\(shared.identifier)), and they differ: `llavero show` and `get` tell how. `llavero remove \(own.identifier)` leaves the shared one, `llavero rename \(own.identifier) NEWNAME` keeps both"
        }
    }

    private(set) var settled: [ToolItem] = []
    private(set) var left: [Pair] = []

    /// Settles those that say the same.
    init(settlingIn keychain: ToolKeychain) throws(CommandError) {
        for pair in try CircleDoubles.pairs(in: keychain) {
            if try pair.saysSame(), try pair.settle() { settled.append(pair.own) } else { left.append(pair) }
        }
    }

    /// Settles them behind a round, and says so; what fails is told, for the round is done.
    static func settle(in keychain: ToolKeychain, _ options: Options) {
        do throws(CommandError) {
            let doubles = try CircleDoubles(settlingIn: keychain)
            if !doubles.settled.isEmpty {
                let (count, names) = (doubles.settled.count, doubles.settled.prefix(mostNamed).map(\.title))
                options.tell(
                    "\(count == 1 ? "1 item was" : "\(count) items were") here twice with the same content, and \(count == 1 ? "is" : "are") shared now: \(names.joined(separator: ", "))\(count > mostNamed ? " and others" : ""); `llavero undelete` brings this machine's own back for \(PastVersion.days) days"
                )
            }
            for sentence in sentences(doubles.left) { Tool.say(sentence) }
        } catch {
            // It is looked at in each round, so by the next one that can read the items.
            if case .keychain(let cause) = error, cause.reason == .interactionNotAllowed { return }
            Tool.say("what is here twice was not settled: \(error.description)")
        }
    }

    /// How many there are, in words.
    static func counted(_ pairs: [Pair]) -> String {
        let isOne = pairs.count == 1
        return
            "\(CircleReports.count(pairs.count, "item")) of this machine alone \(isOne ? "is" : "are") here as the circle shares \(isOne ? "it" : "them"), too"
    }

    static func sentences(_ pairs: [Pair]) -> [String] {
        let named = pairs.prefix(mostNamed).map(\.sentence)
        guard pairs.count > mostNamed else { return named }
        return named + ["\(pairs.count - mostNamed) more items are here twice, and differ or were not compared yet"]
    }

    private static let mostNamed = 20

    // MARK: Finding them

    /// This machine's own items that are called as a shared one is, and are another by their user, place or kind: `get` of such a name
    /// is ambiguous.
    static func namesakes(in keychain: ToolKeychain) throws(CommandError) -> [ToolItem] {
        var shared: [String: Set<[UInt8]>] = [:]
        for itemClass in passwords {
            try forEach(itemClass, true, in: keychain) { item in
                shared[item.name, default: []].insert(identity(of: item))
            }
        }
        guard !shared.isEmpty else { return [] }
        var namesakes: [ToolItem] = []
        for itemClass in passwords {
            try forEach(itemClass, false, in: keychain) { item in
                guard let others = shared[item.name], !others.contains(identity(of: item)) else { return }
                namesakes.append(item)
            }
        }
        return namesakes
    }

    /// Names them when a machine joins: later it is known that both are meant to be here.
    static func tellOfNamesakes(in keychain: ToolKeychain, _ options: Options) {
        guard let namesakes = try? namesakes(in: keychain), !namesakes.isEmpty else { return }
        options.tell(sentence(ofNamesakes: namesakes))
    }

    static func sentence(ofNamesakes namesakes: [ToolItem]) -> String {
        let (count, names) = (namesakes.count, namesakes.prefix(mostNamed).map(\.title))
        return
            "\(CircleReports.count(count, "item")) of this machine alone \(count == 1 ? "is" : "are") called as a shared one with another user or URL is: \(names.joined(separator: ", "))\(count > mostNamed ? " and others" : ""); both stay, and `llavero get` lists the names that tell them apart"
    }

    private static let passwords = [ItemClass.genericPassword, .internetPassword]

    static func pairs(in keychain: ToolKeychain) throws(CommandError) -> [Pair] {
        var pairs: [Pair] = []
        for itemClass in passwords {
            var shared: [[UInt8]: [PersistentID]] = [:]
            try forEach(itemClass, true, in: keychain) { item throws(CommandError) in
                if let id = item.persistentID { shared[identity(of: item), default: []].append(id) }
            }
            guard !shared.isEmpty else { continue }
            try forEach(itemClass, false, in: keychain) { item throws(CommandError) in
                var double: ToolItem?
                for id in shared[identity(of: item)] ?? [] {
                    let request = MatchRequest(
                        predicate: ToolItem.predicate(of: itemClass, id), returning: [.attributes], limit: .single)
                    let found = try keychain.matchWithDamaged(request, of: .person).first
                    guard let other = found.flatMap({ ToolItem($0, in: keychain, of: .person) }),
                        try !item.isApart(from: other)
                    else { continue }
                    // Of several, the one that says the same.
                    if double == nil { double = other } else if try item.saysSame(as: other) { double = other }
                }
                if let double { pairs.append(Pair(own: item, shared: double)) }
            }
        }
        return pairs
    }

    private static func forEach(
        _ itemClass: ItemClass, _ areShared: Bool, in keychain: ToolKeychain,
        _ body: (ToolItem) throws(CommandError) -> Void
    ) throws(CommandError) {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(),
            groups: .named(AccessGroup.passwords.name), synchronizable: .only(areShared), tombstones: false,
            accessibility: nil, restriction: .none, filters: [])
        let pages = ItemPages(predicate, returning: [.attributes], in: keychain, of: .person)
        while let part = try pages.next() {
            for found in part {
                // What belongs to an item goes with it.
                guard let item = ToolItem(found, in: keychain, of: .person), item.damage == nil, !item.isFurther else {
                    continue
                }
                try body(item)
            }
        }
    }

    /// What makes it one item to people: its name, its user and its place.
    ///
    /// A view hint that was drawn to keep two names apart is each machine's own.
    private static func identity(of item: ToolItem) -> [UInt8] {
        let parts = ItemIdentity.parts(of: item.itemClass).map { part in
            AttributeText.text(.init(part.attribute, item.attributes[part.attribute] ?? part.absent))
        }
        let hint = NameMark.isOne(item.attributes[.viewHint]) ? "" : item.text(.viewHint)
        return Array((parts + [hint, item.text(.label)]).joined(separator: "\0").utf8)
    }
}

extension CircleDoubles.Pair {
    /// Whether all is the same but its dates and what each machine keeps for itself: the password, and what belongs to it, too.
    ///
    /// Where somebody would have to be asked, nobody knows.
    fileprivate func saysSame() throws(CommandError) -> Bool {
        guard try own.saysSame(as: shared) else { return false }
        var others = try shared.furtherItems().map(\.item)
        for further in try own.furtherItems() {
            let place = others.firstIndex { $0.account.hasSameBytes(as: further.item.account) }
            // Each names its item by an `id` of its own.
            guard let place, try further.item.saysSame(as: others[place], but: .service) else { return false }
            others.remove(at: place)
        }
        return others.isEmpty
    }

    /// Removes this machine's own with what belongs to it; false where somebody changed it meanwhile.
    fileprivate func settle() throws(CommandError) -> Bool {
        let further = try own.soleFurtherItems().filter { !$0.item.isShared }
        guard try own.removeAsRead() else { return false }
        for further in further { _ = try further.item.removeAsRead() }
        return true
    }
}

extension ToolItem {
    /// Whether it is another item than one of its name, user and place: each has folders of its own, and another password.
    ///
    /// KeePass has titles such as Login in each group.
    func isApart(from other: ToolItem) throws(CommandError) -> Bool {
        let (mine, theirs) = (properties, other.properties)
        guard !mine.tags.isEmpty, !theirs.tags.isEmpty, !mine.tags.contains(where: theirs.has(tag:)),
            damage == nil, other.damage == nil, accessControl?.rules == nil, other.accessControl?.rules == nil,
            let secret = try secretIfAny(), let otherSecret = try other.secretIfAny()
        else { return false }
        return !secret.isEqualInConstantTime(to: otherSecret)
    }

    fileprivate func saysSame(as other: ToolItem, but besides: Attribute? = nil) throws(CommandError) -> Bool {
        guard itemClass == other.itemClass, damage == nil, other.damage == nil, accessControl?.rules == nil,
            other.accessControl?.rules == nil, accessControl?.protection == other.accessControl?.protection
        else { return false }
        let attributes = Set((self.attributes.entries + other.attributes.entries).map(\.attribute))
        for attribute in attributes where attribute != besides && !ToolItem.ownToEach.contains(attribute) {
            guard said(attribute) == other.said(attribute) else { return false }
        }
        let (mine, theirs) = (properties, other.properties)
        if mine.isForeign || theirs.isForeign {
            guard self.attributes[.protected] == other.attributes[.protected] else { return false }
        } else if mine.withoutMarks(orTags: theirs.tags) != theirs.withoutMarks() {
            return false
        }
        let (secret, otherSecret) = (try secretIfAny(), try other.secretIfAny())
        guard let secret, let otherSecret else { return secret == nil && otherSecret == nil }
        return secret.isEqualInConstantTime(to: otherSecret)
    }

    /// nil where there is nothing.
    private func said(_ attribute: Attribute) -> AttributeValue? {
        let absent = ItemIdentity.parts(of: itemClass).first { $0.attribute == attribute }?.absent
        guard let value = attributes[attribute] ?? absent, value != .emptyString, value != .emptyData,
            attribute != .viewHint || !NameMark.isOne(value)
        else { return nil }
        return value
    }

    fileprivate func removeAsRead() throws(CommandError) -> Bool {
        do throws(CommandError) {
            try keychain.changing { () throws(CommandError) in
                try keychain.delete(
                    DeleteRequest(predicate: predicateAsRead, tombstones: .whenSynchronizable), of: owners)
            }
            return true
        } catch {
            guard case .keychain(let cause) = error, cause.reason == .itemNotFound else { throw error }
            return false
        }
    }

    private static let ownToEach: Set<Attribute> = [
        .creationDate, .modificationDate, .synchronizable, .syncIdentifier, .digest, .multiUser, .circleFacts,
        .tombstone, .accessible, .accessControl, .protected,
    ]
}

extension ItemProperties {
    /// Without what says where it comes from, and by what its parts name it; with some tags besides.
    fileprivate func withoutMarks(orTags tags: [String] = []) -> AttributeValue {
        var properties = self
        (properties.id, properties.imported, properties.updated) = (nil, nil, nil)
        for tag in tags { properties.add(tag: tag) }
        return properties.value
    }
}
