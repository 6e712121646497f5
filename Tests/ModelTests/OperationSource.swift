// SPDX-License-Identifier: Apache-2.0

import Security
import TestSeed

/// Makes up operations that often concern items that are there.
struct OperationSource {
    var seed: Seed

    private let ownGroups = ["team.one", "team.two", "com.apple.apsd"]
    private static let secrets: [[UInt8]] = [[], [1, 2, 3], Array(repeating: 7, count: 40)]

    mutating func next(_ model: ModelKeychain) -> Operation {
        switch seed.next() % 100 {
        case 0..<34: return .add(addition())
        case 34..<64: return .copy(copyQuery(model))
        case 64..<79:
            let query = writeQuery(model, refusedKey: "r_Data")
            return .update(query, changes(of: query))
        case 79..<90: return .delete(writeQuery(model, refusedKey: "m_HostOrSubdomainOfHost"))
        case 90..<93: return .lock(seed.pick([.locked, .beforeFirstUnlock, .unlocked]))
        case 93..<95: return .lock(.unlocked)
        case 95..<99: return .clock(seed.pick([0, 1, 2, 999, 1000, 86_400_000, -5000]))
        default: return .groups(Array(ownGroups.shuffled(using: &seed).prefix(seed.pick([1, 2, 3, 3]))))
        }
    }

    private mutating func attributes(of itemClass: String, oneIn chance: UInt64) -> Terms {
        var terms: Terms = [:]
        for (key, values) in ItemRules.alphabet(of: itemClass).sorted(by: { $0.key < $1.key }) where seed.oneIn(chance)
        {
            terms[key] = seed.pick(values)
        }
        if seed.oneIn(8) { terms["vwht"] = .text(seed.pick(["", "view"])) }
        return terms
    }

    private mutating func common(_ terms: inout Terms) {
        if seed.oneIn(4) { terms["sync"] = seed.pick([.flag(true), .flag(false), .flag(true), .text("syna")]) }
        if seed.oneIn(3) { terms["agrp"] = .text(seed.oneIn(12) ? "team.foreign" : seed.pick(ownGroups)) }
        if seed.oneIn(20) { terms["tomb"] = .flag(seed.oneIn(2)) }
    }

    private mutating func protection(_ terms: inout Terms) {
        let names = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu", "ck", "dk"]
        if seed.oneIn(3) { terms["pdmn"] = .text(seed.pick(names)) }
        if seed.oneIn(20) { terms["accc"] = .control(seed.pick(["ak", "cku", "dk"])) }
    }

    private mutating func addition() -> Terms {
        let itemClass = seed.pick(["genp", "genp", "inet", "inet", "cert", "keys"])
        var terms = attributes(of: itemClass, oneIn: 2)
        terms["class"] = .text(itemClass)
        common(&terms)
        protection(&terms)
        if !seed.oneIn(5) { terms["v_Data"] = .data(seed.pick(OperationSource.secrets)) }
        wanted(&terms)
        return terms
    }

    private mutating func wanted(_ terms: inout Terms) {
        for key in ["r_Data", "r_Attributes", "r_PersistentRef"] where seed.oneIn(2) {
            terms[key] = .flag(!seed.oneIn(8))
        }
        let isMore = terms["r_Data"] == .flag(true) || terms["r_Attributes"] == .flag(true)
        if isMore, seed.oneIn(6) { terms["r_Ref"] = .flag(true) }
    }

    /// Some of an item's own attributes, a reference, a list, or words at random.
    private mutating func query(_ model: ModelKeychain) -> Terms {
        let item = model.items.isEmpty || seed.oneIn(6) ? nil : seed.pick(model.items)
        let itemClass = item?.itemClass ?? seed.pick(ItemRules.classes)
        var terms: Terms = ["class": .text(itemClass)]
        let references = model.items.compactMap(\.reference)
        switch seed.next() % 10 {
        case 0..<2:
            if let reference = item?.reference ?? references.first {
                terms["v_PersistentRef"] = .data(reference)
                if seed.oneIn(10) { terms["class"] = seed.oneIn(2) ? nil : .text(seed.pick(ItemRules.classes)) }
                if seed.oneIn(12) { common(&terms) }
                return terms
            }
        case 2:
            let some = references.shuffled(using: &seed).filter { seed.oneIn(9) || $0.starts(with: itemClass.utf8) }
            terms["m_ItemList"] = .list(Array(some.prefix(Int(seed.next() % 6))))
            if seed.oneIn(3) { return terms }
        case 3..<8:
            if let item { return terms.merging(words(of: item)) { $1 } }
        default: break
        }
        terms.merge(attributes(of: itemClass, oneIn: 5)) { $1 }
        common(&terms)
        return terms
    }

    private mutating func words(of item: ModelItem) -> Terms {
        var terms: Terms = [:]
        let isWhole = seed.oneIn(2)
        let identity = ItemRules.identity(of: item.itemClass)
        for (key, term) in item.attributes.sorted(by: { $0.key < $1.key }) where key != "tomb" && key != "sync" {
            if (isWhole && identity[key] != nil) || seed.oneIn(6) { terms[key] = term }
        }
        if item.isSynchronizable || seed.oneIn(4) {
            terms["sync"] = seed.oneIn(3) ? .flag(item.isSynchronizable) : .text("syna")
        }
        if item.isTombstone || seed.oneIn(10) { terms["tomb"] = .flag(item.isTombstone) }
        return terms
    }

    private mutating func copyQuery(_ model: ModelKeychain) -> Terms {
        var terms = query(model)
        wanted(&terms)
        let limits: [Term] = [
            .text("m_LimitAll"), .text("m_LimitAll"), .text("m_LimitOne"), .number(3), .number(1), .number(-1),
            .number(0), .number(-2),
        ]
        if seed.oneIn(2) { terms["m_Limit"] = seed.pick(limits) }
        // One fault at a time: which of two is reported depends on the dictionary's order.
        if terms["m_Limit"] != .number(-2), seed.oneIn(8) {
            terms["m_HostOrSubdomainOfHost"] = .text(seed.pick(["example.com", "www.example.com"]))
        }
        return terms
    }

    private mutating func writeQuery(_ model: ModelKeychain, refusedKey: String) -> Terms {
        var terms = query(model)
        if seed.oneIn(6) { terms["u_Tomb"] = .flag(seed.oneIn(2)) }
        if seed.oneIn(40) { terms[refusedKey] = refusedKey.hasPrefix("r_") ? .flag(true) : .text("x") }
        return terms
    }

    private mutating func changes(of query: Terms) -> Terms {
        guard case .text(let itemClass)? = query["class"] else { return ["labl": .text("green")] }
        var terms = attributes(of: itemClass, oneIn: 3)
        if seed.oneIn(3) { common(&terms) }
        terms["tomb"] = nil
        if seed.oneIn(2) { protection(&terms) }
        if seed.oneIn(3) { terms["v_Data"] = .data(seed.pick(OperationSource.secrets)) }
        if seed.oneIn(10) { terms["cdat"] = .date(seed.pick([0, 1500, 700_000_000_123])) }
        return terms
    }
}
