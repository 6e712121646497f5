// SPDX-License-Identifier: Apache-2.0

/// One item as the model remembers it.
struct ModelItem: Sendable {
    /// Its place in the order of storing.
    let serial: Int
    let itemClass: String
    /// Everything a caller sees but the access control and the digest.
    var attributes: Terms
    /// Whether its access control was made with flags.
    var hasFlags = false
    var secret: [UInt8]?
    /// nil until a reply showed it: the model cannot foretell random numbers.
    var reference: [UInt8]?

    var isSynchronizable: Bool { attributes["sync"] == .number(1) }
    var isTombstone: Bool { attributes["tomb"] == .number(1) }
    var group: String { text("agrp") }
    var protection: String { text("pdmn") }

    var modified: Int64 {
        if case .date(let date)? = attributes["mdat"] { return date }
        return 0
    }

    private func text(_ key: String) -> String {
        if case .text(let text)? = attributes[key] { return text }
        return ""
    }

    private static let commonIdentity = ["agrp", "sync", "vwht"]

    /// Whether two items of one class are one to the unique key.
    func hasSameIdentity(as other: ModelItem) -> Bool {
        (Array(ItemRules.identity(of: itemClass).keys) + ModelItem.commonIdentity).allSatisfy { key in
            ItemRules.isSame(attributes[key] ?? .text(""), other.attributes[key] ?? .text(""), for: key)
        }
    }

    /// What stays when the item goes and leaves a tombstone.
    func tombstone(serial: Int, at date: Int64) -> ModelItem {
        let kept = Set(ItemRules.identity(of: itemClass).keys).union(
            ModelItem.commonIdentity + ["pdmn", "cdat", "musr"])
        var attributes = attributes.filter { kept.contains($0.key) }
        attributes["tomb"] = .number(1)
        attributes["mdat"] = .date(date)
        return ModelItem(serial: serial, itemClass: itemClass, attributes: attributes)
    }
}
