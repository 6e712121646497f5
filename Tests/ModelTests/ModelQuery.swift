// SPDX-License-Identifier: Apache-2.0

import Security

/// A status as an error, so that the model's rules read downwards.
struct Refusal: Error, Hashable {
    let status: OSStatus
    init(_ status: OSStatus) { self.status = status }
}

/// What a dictionary asks for, read by the model's own rules (semantics §3.1 to 3.3).
struct ModelQuery {
    /// Which of the four functions reads it; each refuses other keys.
    enum Verb { case add, copy, update, delete }
    enum Limit: Equatable {
        case none, one
        case many(Int)
    }

    var itemClass = ""
    var attributes: Terms = [:]
    var group: String?
    /// nil for any.
    var synchronizable: Bool? = false
    var isTombstone = false
    var reference: [UInt8]?
    var list: [[UInt8]]?
    var host: String?
    var wanted: Set<String> = []
    var limit = Limit.one
    /// `u_Tomb`.
    var leavesTombstones: Bool?

    private static let structural: Set<String> = [
        "class", "v_Data", "v_PersistentRef", "u_Tomb", "agrp", "sync", "tomb",
    ]

    init(_ terms: Terms, for verb: Verb) throws(Refusal) {
        let changes = verb == .update || verb == .delete
        let searchKeys = terms.keys.filter { $0.hasPrefix("m_") && $0 != "m_ItemList" && $0 != "m_Limit" }
        if changes, !searchKeys.isEmpty { throw Refusal(errSecParam) }
        if case .data(let bytes)? = terms["v_PersistentRef"] { reference = bytes }
        if case .list(let references)? = terms["m_ItemList"] { list = references }
        try readClass(terms)
        if reference != nil || list != nil { synchronizable = nil }
        if case .text(let name)? = terms["agrp"] { group = name }
        switch terms["sync"] {
        case .text("syna")?: synchronizable = nil
        case .flag(let flag)?: synchronizable = flag
        default: break
        }
        if case .flag(let flag)? = terms["tomb"] { isTombstone = flag }
        if case .flag(let flag)? = terms["u_Tomb"] { leavesTombstones = flag }
        for (key, term) in terms where !key.hasPrefix("m_") && !ModelQuery.structural.contains(key) {
            if key.hasPrefix("r_") {
                if term == .flag(true) { wanted.insert(key) }
            } else {
                attributes[key] = ItemRules.coerced(term, for: key)
            }
        }
        try readSearchKeys(terms)
        let isAlone = attributes.isEmpty && terms["agrp"] == nil && terms["sync"] == nil && terms["tomb"] == nil
        if verb == .copy, reference != nil, !isAlone { throw Refusal(errSecParam) }
        // All that matches is changed, and a limit may say so (decision D27).
        if changes, terms["m_Limit"] != nil, limit != .many(Int.max) { throw Refusal(errSecParam) }
        let strangers = (list ?? []).filter { [name = itemClass] in !$0.starts(with: name.utf8) }
        if !strangers.isEmpty { throw Refusal(errSecParam) }
    }

    private mutating func readClass(_ terms: Terms) throws(Refusal) {
        let referenced = (reference ?? list?.first).map { String(decoding: $0.prefix(4), as: UTF8.self) }
        guard case .text(let name)? = terms["class"] else {
            guard let referenced else { throw Refusal(errSecParam) }
            itemClass = referenced
            return
        }
        itemClass = name
        if reference != nil, referenced != name { throw Refusal(errSecNoSuchClass) }
    }

    private mutating func readSearchKeys(_ terms: Terms) throws(Refusal) {
        if case .text(let name)? = terms["m_HostOrSubdomainOfHost"] {
            guard itemClass == "inet" else { throw Refusal(errSecUnimplemented) }
            host = name
        }
        switch terms["m_Limit"] {
        case .text("m_LimitAll")?, .number(-1)?: limit = .many(Int.max)
        case .number(0)?: limit = .none
        case .number(let count)? where count > 1: limit = .many(Int(count))
        case .number(let count)? where count < 0: throw Refusal(errSecParam)
        default: break
        }
    }

    /// Whether the columns of an item say that it may be meant.
    func proposes(_ item: ModelItem) -> Bool {
        guard item.itemClass == itemClass, item.isTombstone == isTombstone else { return false }
        if let synchronizable, item.isSynchronizable != synchronizable { return false }
        if let reference, item.reference != reference { return false }
        if let list, !list.contains(where: { $0 == item.reference }) { return false }
        return attributes.allSatisfy { key, wanted in
            if key == "vwht", wanted == .text("") { return item.attributes[key] == nil }
            guard let stored = item.attributes[key] else { return false }
            return ItemRules.isSame(stored, wanted, for: key)
        }
    }

    /// Whether an opened item passes the search keys that look inside.
    func passesFilters(_ item: ModelItem) -> Bool {
        guard let host else { return true }
        guard case .text(let server)? = item.attributes["srvr"] else { return false }
        return server == host || server.hasSuffix("." + host)
    }

    /// Whether every item meant is looked at whatever the limit.
    var isByReference: Bool { reference != nil || list != nil }

    /// Whether the query names one place by its whole key.
    var isPinned: Bool {
        isByReference
            || ItemRules.identity(of: itemClass).keys.allSatisfy { attributes[$0] != nil }
    }

    /// Items in the order in which the places of a pinned query are looked at.
    func inOrderOfPlaces(_ items: [ModelItem]) -> [ModelItem] {
        func rank(_ item: ModelItem) -> (Int, String, Int, String) {
            let turn = list?.firstIndex { $0 == item.reference } ?? 0
            guard case .text(let hint)? = item.attributes["vwht"] else {
                return (turn, item.group, item.isSynchronizable ? 1 : 0, "")
            }
            return (turn, item.group, item.isSynchronizable ? 1 : 0, hint)
        }
        return items.sorted { rank($0) < rank($1) }
    }
}
