// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// An item as the browser knows it: nothing secret.
package struct BrowserItem: Sendable {
    package enum Kind: Sendable {
        case password
        case certificate
        case key
    }

    /// By which it is asked for.
    package let number: Int
    /// What stays when the list is read anew.
    package let identifier: String
    package let kind: Kind
    package let name: String
    package let user: String
    package let place: String
    package let group: String
    /// Whether it is one of the person's own.
    package let isOwn: Bool
    /// The day of its last change, as 2026-11-24.
    package let changed: String
    /// What else the search looks into: notes, tags.
    package let notes: String
    /// A word for the list where there is something to say: damaged, code, expired.
    package let mark: String
    /// What a list of its kind shows in its last columns, such as a key's kind and where it lives.
    package let facts: [String]

    package init(
        number: Int, identifier: String, kind: Kind, name: String, user: String, place: String, group: String,
        isOwn: Bool, changed: String, notes: String, mark: String, facts: [String] = []
    ) {
        (self.number, self.identifier, self.kind) = (number, identifier, kind)
        (self.name, self.user, self.place, self.group, self.isOwn) = (name, user, place, group, isOwn)
        (self.changed, self.notes, self.mark, self.facts) = (changed, notes, mark, facts)
    }
}

/// All items, by name, and what a search compares with, made once when an item comes.
struct ItemIndex: Sendable {
    private struct Entry: Sendable {
        let item: BrowserItem
        /// Name, user and place, folded; fields end with a zero, which no query has.
        let text: [UInt8]
        /// Group and notes, the same.
        let more: [UInt8]
    }

    private var entries: [Entry] = []
    /// Where each item stands, by its number.
    private var places: [Int: Int] = [:]

    var count: Int { entries.count }
    subscript(_ place: Int) -> BrowserItem { entries[place].item }
    func item(_ number: Int) -> BrowserItem? { places[number].map { entries[$0].item } }
    func place(identifier: String) -> Int? { entries.firstIndex { $0.item.identifier == identifier } }

    func identifier(named name: String, user: String) -> String? {
        entries.first { $0.item.isOwn && $0.item.name == name && $0.item.user == user }?.item.identifier
    }

    /// Takes items in, in the order of names.
    mutating func insert(_ items: [BrowserItem]) {
        let fresh = items.map { item in
            Entry(
                item: item, text: SearchText.bytes([item.name, item.user, item.place]),
                more: SearchText.bytes([item.group, item.notes] + item.facts))
        }.sorted(by: ItemIndex.isBefore)
        guard !fresh.isEmpty else { return }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + fresh.count)
        var (old, new) = (entries[...], fresh[...])
        while let left = old.first, let right = new.first {
            if ItemIndex.isBefore(right, left) {
                merged.append(right)
                new.removeFirst()
            } else {
                merged.append(left)
                old.removeFirst()
            }
        }
        entries = merged + old + new
        places.removeAll(keepingCapacity: true)
        for (place, entry) in entries.enumerated() { places[entry.item.number] = place }
    }

    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
        return left.item.number < right.item.number
    }

    /// The places of the items that a view has and that have every word of the query; among `candidates`, where they are known.
    func matches(_ query: SearchText, among candidates: [Int]?, where isWanted: (BrowserItem) -> Bool) -> [Int] {
        func fits(_ place: Int) -> Bool {
            let entry = entries[place]
            return isWanted(entry.item) && query.words.allSatisfy { entry.text.contains($0) || entry.more.contains($0) }
        }
        if let candidates { return candidates.filter(fits) }
        return entries.indices.filter(fits)
    }
}

/// A query: its words, each of which has to be somewhere, ignoring case, accents and width.
struct SearchText: Sendable {
    let words: [[UInt8]]

    init(_ text: String) {
        words = text.split(separator: " ").map { SearchText.folded(String($0)) }.filter { !$0.isEmpty }
    }

    func fits(_ texts: [String]) -> Bool {
        let bytes = SearchText.bytes(texts)
        return words.allSatisfy { bytes.contains($0) }
    }

    static func bytes(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            bytes += folded(field)
            bytes.append(0)
        }
        return bytes
    }

    private static func folded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        // The usual case, forty times as fast.
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }
        return Array(TextMatching(ignoring: [.letterCase, .diacritics, .width]).folded(text).utf8)
    }
}

extension [UInt8] {
    /// Whether these bytes are somewhere in it.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard let first = part.first, part.count <= count else { return part.isEmpty }
        return unsafe withUnsafeBufferPointer { bytes in
            let last = bytes.count - part.count
            var place = 0
            while place <= last {
                if unsafe bytes[place] == first {
                    var index = 1
                    while index < part.count, unsafe bytes[place + index] == part[index] { index += 1 }
                    if index == part.count { return true }
                }
                place += 1
            }
            return false
        }
    }
}
