// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// Imports each item of another store, and reports the result.
///
/// Every item of a source is imported or reported: where the keychain has another item with the same identity, the new one gets
/// a mark (`NameMark`). An item that was imported before is recognized by its name, note and attributes, so that importing the
/// same file again adds nothing.
struct ImportIntake {
    private(set) var outcome: ImportOutcome
    private let keychain: ToolKeychain
    private let isDry: Bool
    private let distinction: Arrival.Distinction
    /// Whether no two entries of the source have one name.
    private let isNamedUniquely: Bool
    private let updating: UpdateScope
    /// For the programs of which group the items are; usually a person's own.
    private let group: AccessGroup
    /// By which items say that they are of it; nil of an export, whose items say of which sources they are.
    private let source: ImportMark?
    /// That of its path with the date in it, which a version before 0.1.0 gave.
    private let datedSource: ImportMark?
    /// How many entries of the source have a name and user.
    private var namesakes: [String: Int] = [:]
    /// The entries of a name and user, for an update alone: what is here of them may be more.
    private var entries: [String: [Arrival]] = [:]
    /// The items of each identity, including those just imported.
    private var peers: [[UInt8]: Peers] = [:]
    /// The `id` here of items that an export knows by another one.
    private var ids: [String: String] = [:]
    /// The newest version of what was removed here and is not there now, by what it is; read once, when it is asked for.
    private var removed: [String: PastItem]?
    /// The newest version of what has or had each name; read once, when it is asked for.
    private var earlier: [String: PastItem]?

    private struct Peers {
        /// By the text that tells them apart; without those that an item of the source was already matched with.
        var free: [[UInt8]: [Arrival.Counterpart]] = [:]
        var hints: Set<String> = []

        mutating func add(_ peer: Arrival.Counterpart) {
            hints.insert(peer.hint)
            free[peer.mark, default: []].append(peer)
        }
    }

    /// What becomes of items of which the source says something else now.
    enum UpdateScope {
        /// They stay, and are named.
        case nothing
        /// Those that an import of this source made, or was the last to change, become what it says.
        case itsOwn
        /// All become what the source says.
        case all
    }

    /// `items` are all of the source, which an update needs to know beforehand.
    init(
        _ keychain: ToolKeychain, of format: ImportFormat, at path: String, isDry: Bool, _ updating: UpdateScope,
        among items: [ImportedItem], for group: AccessGroup = .passwords
    ) throws(CommandError) {
        // Standard input is one source, whatever comes through it.
        let path = path == "-" ? path : try OpenFile.resolved(path)
        self.group = group
        // The attribute that says it is the programs' own in their items.
        let isMarked = format != .llavero && group == .passwords
        source = !isMarked ? nil : try ImportMark(format, at: format.isFolder ? path : path.withoutDate)
        datedSource = !isMarked ? nil : try ImportMark(format, at: path)
        self.keychain = keychain
        self.isDry = isDry
        self.updating = updating
        for item in items {
            let arrival = Arrival(item)
            namesakes[ImportIntake.key(arrival), default: 0] += 1
            if updating != .nothing { entries[ImportIntake.key(arrival), default: []].append(arrival) }
        }
        outcome = ImportOutcome(format.name, isDry: isDry)
        isNamedUniquely = format == .pass
        distinction =
            switch format {
            case .llavero: .export
            case .gnomeKeyring, .kwallet, .pass, .keepassCSV, .keepassXML, .kdbx, .bitwarden, .onePassword, .table,
                .oneTimeCodes:
                .entry
            case .netrc, .gitCredentials, .macKeychain: .place
            }
    }

    /// All of a source, with a bar of that title.
    mutating func take(_ report: ImportReport, _ title: String) {
        var bar = ProgressBar(title, of: report.items.count + report.exported.count)
        for (index, item) in report.items.enumerated() {
            bar.step(to: index)
            take(item)
        }
        for (index, item) in hereFirst(report.exported).enumerated() {
            bar.step(to: report.items.count + index)
            take(item)
        }
        bar.end()
    }

    /// An export of several keychains may have items that are one and the same in this one: of those, the ones that are here come
    /// first, or another would be taken for them.
    private mutating func hereFirst(_ items: [ExportedItem]) -> [ExportedItem] {
        var alike: [[UInt8]: [Int]] = [:]
        for (index, item) in items.enumerated() {
            let arrival = Arrival(item)
            // What belongs to an item stays behind it.
            if !arrival.belongsToItem { alike[arrival.identity + arrival.mark(distinction), default: []].append(index) }
        }
        var places = items.indices.map { (place: $0, rank: 1) }
        for group in alike.values where group.count > 1 {
            for index in group.dropFirst() where isHere(Arrival(items[index])) { places[index] = (group[0], 0) }
        }
        return items.indices.sorted { places[$0] < places[$1] }.map { items[$0] }
    }

    private mutating func isHere(_ arrival: Arrival) -> Bool {
        guard (try? look(for: arrival)) != nil else { return false }
        let candidates = peers[arrival.identity]?.free[arrival.mark(distinction)] ?? []
        return candidates.contains { arrival.compare(with: $0, in: keychain) == .same }
    }

    /// The password, and the other secrets of its entry, which go to the item that is stored, or was there already.
    mutating func take(_ item: ImportedItem) {
        if let other = item.otherReading.first, rereads(item, other) { return }
        var arrival = Arrival(item, for: group)
        let isBeside = hasChangedEarlier(item)
        guard !item.furtherSecrets.isEmpty, group == .passwords else {
            keep(arrival, isBeside: isBeside)
            for further in Arrival.further(of: item, "") {
                outcome.leftOut(further, "an item of programs has a password alone")
            }
            return
        }
        let fresh = ItemProperties.freshID()
        arrival.id = fresh
        let id: String?
        var isShared = false
        var shown: AttributeValue?
        switch keep(arrival, hasFurther: true, isBeside: isBeside) {
        case .stored: id = fresh
        case .refused: id = nil
        case .kept(let stored):
            takeFurther(of: item, stored, fresh)
            return
        case .updated(let stored, let known):
            (isShared, shown) = (stored.isShared, stored.attributes[.comment])
            id = isDry ? known ?? fresh : known
        case .here(let peer):
            (isShared, shown) = (peer.isShared, peer.attributes[.comment])
            do throws(CommandError) { id = try arrival.id(of: peer, in: keychain, isDry: isDry) } catch { id = nil }
        }
        for further in Arrival.further(of: item, id ?? fresh, isShared: isShared) {
            if id == nil { outcome.leftOut(further, "its item was left out") } else { keep(further, besideNote: shown) }
        }
    }

    /// What belongs to an entry whose item stays as it is: each part that is here is looked at by itself; others are added where an
    /// update is about that item.
    private mutating func takeFurther(of item: ImportedItem, _ stored: ToolItem, _ fresh: String) {
        var refusal: String? = "its item stays as it is"
        var id = stored.properties.id ?? fresh
        if updating != .nothing {
            do throws(CommandError) {
                refusal = try reasonToStay(stored).map { "its item \($0)" }
                if refusal == nil, !isDry { id = try stored.identified(byImport: true) }
            } catch {
                refusal = error.description
            }
        }
        for further in Arrival.further(of: item, id, isShared: stored.isShared) {
            keep(further, besideNote: stored.attributes[.comment], refusal: refusal)
        }
    }

    /// What belongs to an item that has a note, which may be the one that its source has among the secrets.
    private mutating func keep(_ further: Arrival, besideNote shown: AttributeValue?, refusal: String? = nil) {
        if further.isNote(shown) {
            outcome.stays(further.line, "the item shows that note")
        } else {
            keep(further, refusal: refusal)
        }
    }

    /// An item of an export of `llavero`, of any kind.
    ///
    /// Its further secrets come behind it; where it is here already, they are those of the item that is here.
    mutating func take(_ item: ExportedItem) {
        var arrival = Arrival(item)
        arrival.follow(ids)
        let id = arrival.id
        guard case .here(let peer) = keep(arrival), let id else { return }
        ids[id] = try? arrival.id(of: peer, in: keychain, isDry: isDry)
    }

    mutating func note(_ finding: ImportFinding) { outcome.note(finding) }

    /// Names, for an update, the items of this source that it has no more: who removed them there may want that here, too.
    ///
    /// What could not be read may be one of them: those of its name, or in its folder, are left out, and all where it has none.
    mutating func nameGone(_ findings: [ImportFinding]) throws(CommandError) {
        guard updating != .nothing, try keychain.isThere else { return }
        let unread = Set(findings.filter(\.isOfUnreadEntry).map(\.label))
        guard !unread.contains("") else {
            return Tool.say(
                "what the source has no more is not listed, for it has entries without a name that could not be read")
        }
        let folders = isNamedUniquely ? unread.map { $0 + "/" } : []
        // An entry of pass keeps its name when its user changes.
        let names = unread.union(isNamedUniquely ? namesakes.keys.map(ImportIntake.name) : [])
        var here: [String: [ToolItem]] = [:]
        let renamedFrom = sourceNames()
        try ImportIntake.passwords.forEachItem(in: [keychain]) { (stored) throws(CommandError) in
            guard isOfSource(stored), !stored.isFurther else { return }
            let key = ImportIntake.key(stored.name, stored.account)
            let isInUnread = folders.contains { stored.name.utf8.starts(with: $0.utf8) }
            if names.contains(stored.name) || isInUnread { return }
            if namesakes[key] == nil {
                outcome.isGone(stored, calledBefore: renamedFrom[stored.key])
            } else {
                here[key, default: []].append(stored)
            }
        }
        for (key, stored) in here.sorted(by: { $0.key < $1.key }) {
            let (entries, more) = (entries[key] ?? [], stored.count - (namesakes[key] ?? 0))
            guard more > 0 else { continue }
            // Of more items than entries first those that say what no entry says.
            var (said, unsaid): ([ToolItem], [ToolItem]) = ([], [])
            for item in stored {
                if entries.contains(where: { $0.compare(with: item) == .same }) {
                    said.append(item)
                } else {
                    unsaid.append(item)
                }
            }
            for item in (unsaid + said).prefix(more) { outcome.isGone(item) }
        }
    }

    private enum Result {
        case stored
        /// One that is here already, with whichever password.
        case here(Arrival.Counterpart)
        /// One that is here already, and of which nothing is touched.
        case kept(ToolItem)
        /// One that became what the source says, or would without --dry-run, with the `id` that it has.
        case updated(ToolItem, id: String?)
        case refused
    }

    /// With a `refusal` nothing is added.
    @discardableResult
    private mutating func keep(
        _ arrival: Arrival, hasFurther: Bool = false, isBeside: Bool = false, refusal: String? = nil
    ) -> Result {
        do throws(CommandError) {
            let identity = arrival.identity
            try look(for: arrival)
            if let (comparison, peer) = known(arrival, identity) {
                let stored = comparison == .same ? nil : try arrival.item(of: peer, in: keychain)
                switch try stored.flatMap({ (stored) throws(CommandError) in
                    try update(stored, by: arrival, comparison, hasFurther: false)
                }) {
                case .kept(let stored)?: return .kept(stored)
                case .some: return .here(peer)
                case nil: break
                }
                let isRepeated = !arrival.isFurther && (namesakes[ImportIntake.key(arrival)] ?? 0) > 1
                outcome.stays(arrival, comparison, option: option(for: stored), isRepeated: isRepeated)
                // With its old password and new codes and fields it would be what neither side has.
                guard let stored, distinction != .export else { return .here(peer) }
                return .kept(stored)
            }
            switch try namesake(of: arrival) {
            case .one(let stored):
                let comparison = arrival.compare(with: stored)
                if let result = try update(stored, by: arrival, comparison, hasFurther: hasFurther) { return result }
                outcome.stays(
                    arrival, asNamesake: comparison, arrival.isOfPlace(of: stored), option: option(for: stored))
                return .kept(stored)
            case .others(let count):
                let what =
                    count == 1
                    ? "that name with another user or URL, which is unchanged"
                    : "\(count) items of that name, and none or several with this user; they are unchanged"
                outcome.leftOut(arrival, "the keychain has \(what)")
                return .refused
            case .none: break
            }
            let past = removal(of: arrival)
            if arrival.isFurther, let past {
                leaveOut(arrival, removedAs: past)
                return .refused
            }
            if let refusal {
                outcome.leftOut(arrival, refusal)
                return .refused
            }
            var arrival = arrival
            let isTaken = peers[identity]?.hints.contains(arrival.hint) ?? false
            if isTaken, distinction != .place, arrival.isNamed { arrival = arrival.marked }
            let remark = isDry ? "" : try arrival.of(source).add(to: keychain)
            if distinction == .place {
                peers[identity]?.add(arrival.peer(distinction))
            } else {
                peers[identity]?.hints.insert(arrival.hint)
            }
            if let past, remark.isEmpty {
                outcome.isAgain(arrival, since: PastItem.date(past.version.until))
            } else if remark.isEmpty, let now = renamed(arrival) {
                outcome.isAgain(arrival, beside: now)
            } else if isBeside, remark.isEmpty {
                outcome.isBeside(arrival)
            } else {
                outcome.kept(arrival, remark)
            }
            return .stored
        } catch {
            outcome.leftOut(arrival, error.description)
            return .refused
        }
    }

    private enum Namesake {
        case none
        /// The item that an entry became, or may be.
        case one(ToolItem)
        /// So many of that name, and nobody knows that one of them is the entry's.
        case others(Int)
    }

    /// The stored item that an entry of a unique name became, or has become since by a change of user, place, tags or fields.
    ///
    /// Of another source it is looked for by name, user and place, where there is one of them on both sides: one of this source, or
    /// with an update any.
    private func namesake(of arrival: Arrival) throws(CommandError) -> Namesake {
        guard arrival.isNamed, !arrival.isFurther, try keychain.isThere else { return .none }
        let all = try keychain.called(arrival.name)
        let equal = all.filter { $0.account.hasSameBytes(as: arrival.account) }
        guard isNamedUniquely else {
            guard distinction == .entry, namesakes[ImportIntake.key(arrival)] == 1, equal.count == 1,
                updating != .nothing || isOfSource(equal[0]), equal[0].itemClass == arrival.itemClass,
                arrival.isOfPlace(of: equal[0])
            else { return .none }
            return .one(equal[0])
        }
        guard let first = all.first else { return .none }
        if let one = equal.first, equal.count == 1 { return .one(one) }
        // The user may have changed, there or here.
        let own = (equal.isEmpty ? all : equal).filter(isOfSource)
        if let one = own.first, own.count == 1 { return .one(one) }
        let isSilent = first.account.isEmpty || arrival.account.isEmpty
        return equal.isEmpty && all.count == 1 && isSilent ? .one(first) : .others(all.count)
    }

    /// The option that would have replaced what differs, for the report; nil where one was given, or there is none.
    private func option(for stored: ToolItem?) -> String? {
        guard updating == .nothing, source != nil else { return nil }
        let isItsOwn = stored.map { (try? self.isItsOwn($0)) ?? false } ?? true
        return isItsOwn ? "--update" : "--update-all"
    }

    /// Whether an import of this source made it, or was the last to change it, and nobody has since.
    private func isItsOwn(_ stored: ToolItem) throws(CommandError) -> Bool {
        guard isOfSource(stored) else { return false }
        return try stored.hasNoLaterChange()
    }

    private func isOfSource(_ stored: ToolItem) -> Bool {
        stored.properties.imported.map { $0 == source || $0 == datedSource } ?? false
    }

    private static func key(_ arrival: Arrival) -> String { key(arrival.name, arrival.account) }
    private static func key(_ name: String, _ account: String) -> String { "\(name)\0\(account)" }
    private static func name(ofKey key: String) -> String { String(key.prefix { $0 != "\0" }) }

    /// Has a stored item say what its source says now; nil where that is not wanted, or it says all of it.
    private mutating func update(
        _ stored: ToolItem, by arrival: Arrival, _ comparison: Arrival.Comparison, hasFurther: Bool
    ) throws(CommandError) -> Result? {
        // Of several entries of one name and user nobody knows which is that item.
        guard updating != .nothing, comparison != .unknown, stored.damage == nil,
            arrival.isFurther || namesakes[ImportIntake.key(arrival)] == 1,
            let update = arrival.update(of: stored, isOther: comparison == .other)
        else { return nil }
        if let reason = try reasonToStay(stored) {
            outcome.leftOut(arrival, "it \(reason)")
            return .kept(stored)
        }
        let id =
            isDry ? stored.properties.id : try arrival.make(update, of: stored, hasFurther: hasFurther, source)
        outcome.updated(arrival)
        return .updated(stored, id: id)
    }

    /// Why an update is not about a stored item; nil where it is.
    private func reasonToStay(_ stored: ToolItem) throws(CommandError) -> String? {
        let isMeant = if updating == .all { true } else { try isItsOwn(stored) }
        guard !isMeant else { return nil }
        let reason: String
        if isOfSource(stored) {
            reason = "was changed here on \(stored.text(.modificationDate).prefix(10))"
        } else {
            reason = stored.properties.imported == nil ? "is not known to be of an import" : "is of another source"
        }
        return "\(reason), and stays as it is; --update-all takes what the source has"
    }

    /// What the keychain has had of an arrival until it was removed; an export is there to bring that back.
    private mutating func removal(of arrival: Arrival) -> PastItem? {
        guard distinction != .export, group == .passwords else { return nil }
        if removed == nil { removed = (try? removals()) ?? [:] }
        return removed?[arrival.removalKey]
    }

    /// The item that an arrival was until it was renamed here.
    private mutating func renamed(_ arrival: Arrival) -> ToolItem? {
        guard distinction != .export, group == .passwords, !arrival.isFurther else { return nil }
        if earlier == nil { earlier = (try? earlierNames()) ?? [:] }
        guard let now = try? earlier?[arrival.removalKey]?.item.reread(), !now.isCalled(arrival.name) else {
            return nil
        }
        return now
    }

    /// What items were called here that the source has still.
    private func sourceNames() -> [ToolItem.Key: String] {
        let all = (try? PastItems(in: [keychain], ImportIntake.passwords).all) ?? []
        let named = all.filter { namesakes[ImportIntake.key($0.item.name, $0.item.account)] != nil }
        return Dictionary(named.map { ($0.item.key, $0.item.name) }) { newer, _ in newer }
    }

    private func removals() throws(CommandError) -> [String: PastItem] {
        guard try keychain.isThere else { return [:] }
        return ImportIntake.newest(
            of: try PastItems(in: [keychain], ImportIntake.passwords).removed(ImportIntake.passwords))
    }

    private func earlierNames() throws(CommandError) -> [String: PastItem] {
        guard try keychain.isThere else { return [:] }
        return ImportIntake.newest(of: try PastItems(in: [keychain], ImportIntake.passwords).all)
    }

    /// By what they were; they come newest first.
    private static func newest(of all: [PastItem]) -> [String: PastItem] {
        Dictionary(all.map { ($0.item.removalKey, $0) }) { newer, _ in newer }
    }

    private static let passwords = ItemScope.own.narrowed(to: [.genericPassword, .internetPassword])

    /// Leaves out what belonged to an item that is here: who removed it does not want it back.
    ///
    /// Another value than the one that was removed may be missed.
    private mutating func leaveOut(_ arrival: Arrival, removedAs past: PastItem) {
        let isSame = (try? past.secret()).map { arrival.hasSecret($0) } ?? false
        let other = isSame ? "" : ", with another value"
        outcome.leftOut(
            arrival.line, "it was removed here on \(PastItem.date(past.version.until))\(other)", isLoss: !isSame)
    }

    /// Makes the item that an import by another choice has made of an entry what this choice says; false where none is as it left it.
    private mutating func rereads(_ item: ImportedItem, _ other: ImportedItem) -> Bool {
        let (arrival, earlier) = (Arrival(item), Arrival(other))
        do throws(CommandError) {
            guard try unchanged(arrival, item) == nil, let found = try unchanged(earlier, other) else { return false }
            // What a person stored, or changed, is theirs, whatever the file says.
            if isNamedUniquely {
                guard found.item.properties.imported != nil, try found.item.hasNoLaterChange() else { return false }
            }
            peers[earlier.identity]?.free[found.peer.mark]?.remove(at: found.index)
            if !isDry { try arrival.replace(found.item, further: item, of: source, in: keychain) }
            peers[arrival.identity]?.hints.insert(found.peer.hint)
            let isChoice = isNamedUniquely
            let why = isChoice ? "it was imported by the other choice" : "an earlier version read it in another way"
            outcome.reread(arrival, "\(why); `llavero history` lists what it was")
            for further in Arrival.further(of: item, "") { outcome.kept(further, "") }
        } catch {
            outcome.leftOut(arrival, error.description)
        }
        return true
    }

    /// Whether an item of this source is as an earlier version read the entry, but was changed here since.
    private func hasChangedEarlier(_ item: ImportedItem) -> Bool {
        guard !isNamedUniquely, let other = item.otherReading.first, (try? keychain.isThere) ?? false else {
            return false
        }
        let (arrival, earlier) = (Arrival(item), Arrival(other))
        func isRead(_ stored: ToolItem, _ reading: ImportedItem, _ arrival: Arrival) -> Bool {
            stored.account.hasSameBytes(as: arrival.account)
                && reading.attributes.allSatisfy(stored.properties.fields.contains)
                && arrival.compare(with: stored) == .same
        }
        return ((try? keychain.called(earlier.name)) ?? []).contains { stored in
            stored.itemClass == earlier.itemClass && isOfSource(stored) && isRead(stored, other, earlier)
                && !isRead(stored, item, arrival)
        }
    }

    /// The stored item that an entry became, with all that belongs to it, where neither was changed since.
    private mutating func unchanged(
        _ arrival: Arrival, _ item: ImportedItem
    ) throws(CommandError) -> (peer: Arrival.Counterpart, index: Int, item: ToolItem)? {
        try look(for: arrival)
        let candidates = peers[arrival.identity]?.free[arrival.mark(distinction)] ?? []
        for (index, peer) in candidates.enumerated() where arrival.compare(with: peer, in: keychain) == .same {
            guard let stored = try arrival.item(of: peer, in: keychain) else { continue }
            if try stored.has(Arrival.further(of: item, stored.properties.id ?? "")) { return (peer, index, stored) }
        }
        return nil
    }

    /// Reads once what the keychain has of an identity.
    private mutating func look(for arrival: Arrival) throws(CommandError) {
        let identity = arrival.identity
        guard peers[identity] == nil else { return }
        var found = Peers()
        for peer in try arrival.peers(in: keychain, distinction) { found.add(peer) }
        peers[identity] = found
    }

    /// How its password compares with that of the matching stored item; nil without one.
    private mutating func known(
        _ arrival: Arrival, _ identity: [UInt8]
    ) -> (Arrival.Comparison, Arrival.Counterpart)? {
        let mark = arrival.mark(distinction)
        guard let candidates = peers[identity]?.free[mark], !candidates.isEmpty else { return nil }
        var best: (comparison: Arrival.Comparison, index: Int) = (.other, 0)
        for (index, candidate) in candidates.enumerated() {
            let comparison = arrival.compare(with: candidate, in: keychain)
            if comparison == .same {
                best = (.same, index)
                break
            }
            if comparison == .unknown, best.comparison == .other { best = (.unknown, index) }
        }
        // Two equal entries are two items.
        if distinction != .place { peers[identity]?.free[mark]?.remove(at: best.index) }
        return (best.comparison, candidates[best.index])
    }
}

extension ImportFinding {
    fileprivate var isOfUnreadEntry: Bool { if case .skipped(let reason) = matter { reason.isLoss } else { false } }
}
