// SPDX-License-Identifier: Apache-2.0

import Security

/// A keychain without a database: an array of items, and the rules.
struct ModelKeychain {
    /// What a caller gets.
    enum Reply {
        /// The result is not touched.
        case untouched
        case one(ModelItem)
        case many([ModelItem])
    }

    var items: [ModelItem] = []
    var groups = ["team.one", "team.two", "com.apple.apsd"]
    /// The first state but `unlocked` gives the device a passcode.
    var lock = IsolatedKeychain.LockState.unlocked {
        didSet { hasPasscode = hasPasscode || lock != .unlocked }
    }
    private(set) var hasPasscode = false
    /// Milliseconds since 2001-01-01 UTC.
    var now: Int64 = 800_000_000_000
    private var serials = 0

    mutating func serial() -> Int {
        serials += 1
        return serials
    }

    func isLocked(_ protection: String) -> Bool {
        switch lock {
        case .unlocked: false
        case .locked: ["ak", "aku", "akpu"].contains(protection)
        case .beforeFirstUnlock: !["dk", "dku"].contains(protection)
        }
    }

    /// What happens when something is sealed for a class.
    func requireKey(_ protection: String) throws(Refusal) {
        if protection == "akpu", !hasPasscode { throw Refusal(errSecAuthFailed) }
        if isLocked(protection) { throw Refusal(errSecInteractionNotAllowed) }
    }

    func requireGroup(_ group: String) throws(Refusal) {
        guard groups.contains(group) else { throw Refusal(errSecMissingEntitlement) }
    }

    func later(than date: Int64) -> Int64 { max(now, date + 1) }

    /// The items a query is about, in the order of storing.
    func candidates(_ query: ModelQuery) throws(Refusal) -> [ModelItem] {
        if let group = query.group { try requireGroup(group) }
        let reach = query.group.map { [$0] } ?? groups
        return items.filter { reach.contains($0.group) && query.proposes($0) }.sorted { $0.serial < $1.serial }
    }

    func copy(_ terms: Terms) throws(Refusal) -> Reply {
        let query = try ModelQuery(terms, for: .copy)
        let candidates = try candidates(query)
        var found: [ModelItem] = []
        let most =
            switch query.limit {
            case .none: 0
            case .one: 1
            case .many(let count): count
            }
        for item in candidates where most > 0 {
            if found.count >= most, !query.isByReference { break }
            if isLocked(item.protection) { throw Refusal(errSecInteractionNotAllowed) }
            if query.passesFilters(item) { found.append(item) }
        }
        guard let first = found.first else { throw Refusal(errSecItemNotFound) }
        if query.limit != .one { return .many(Array(found.prefix(most))) }
        return query.wanted.isEmpty ? .untouched : .one(first)
    }

    mutating func add(_ terms: Terms) throws(Refusal) -> Reply {
        let query = try ModelQuery(terms, for: .add)
        guard terms["sync"] != .text("syna") else { throw Refusal(errSecParam) }
        let given = try ModelKeychain.protection(in: terms, synchronizable: terms["sync"] == .flag(true))
        let group = query.group ?? groups.first ?? ""
        let protection = given?.name ?? ItemRules.defaultProtection(of: query.itemClass, in: group)
        try requireGroup(group)
        try requireKey(protection)
        var attributes = ItemRules.identity(of: query.itemClass).merging(query.attributes) { $1 }
        attributes["accc"] = nil
        if attributes["vwht"] == .text("") { attributes["vwht"] = nil }
        attributes["sync"] = .number(terms["sync"] == .flag(true) ? 1 : 0)
        attributes["tomb"] = .number(query.isTombstone ? 1 : 0)
        attributes["agrp"] = .text(group)
        attributes["pdmn"] = .text(protection)
        attributes["musr"] = .data([])
        attributes["cdat"] = .date(now)
        attributes["mdat"] = .date(now)
        var item = ModelItem(
            serial: serial(), itemClass: query.itemClass, attributes: attributes, hasFlags: given?.hasFlags ?? false)
        if case .data(let bytes)? = terms["v_Data"] { item.secret = bytes }
        if let taken = items.firstIndex(where: { $0.itemClass == item.itemClass && $0.hasSameIdentity(as: item) }) {
            let occupant = items[taken]
            if isLocked(occupant.protection) { throw Refusal(errSecInteractionNotAllowed) }
            guard occupant.isTombstone else { throw Refusal(errSecDuplicateItem) }
            attributes["mdat"] = .date(later(than: occupant.modified))
            items[taken] = ModelItem(
                serial: occupant.serial, itemClass: item.itemClass, attributes: attributes, hasFlags: item.hasFlags,
                secret: item.secret, reference: occupant.reference)
            item = items[taken]
        } else {
            items.append(item)
        }
        return query.wanted.isEmpty ? .untouched : .one(item)
    }

    /// What `pdmn` or `accc` says, and whether it may be synchronizable.
    static func protection(
        in terms: Terms, synchronizable: Bool
    ) throws(Refusal) -> (name: String, hasFlags: Bool)? {
        var found: (name: String, hasFlags: Bool)?
        if case .text(let name)? = terms["pdmn"] { found = (name, false) }
        if case .control(let name)? = terms["accc"] {
            // Both are in every dictionary that was returned, and agree there (decision D13).
            guard found == nil || found?.name == name else { throw Refusal(errSecParam) }
            found = (name, true)
        }
        if synchronizable, let found, found.hasFlags {
            throw Refusal(errSecParam)
        }
        return found
    }
}
