// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel

/// Where in a keychain to look for items of the Secret Service, without a word of what they say.
///
/// It lives in memory alone, also while the keychain is locked: for every pair of name and value, and for every whole set of
/// attributes, a keyed hash under a key that was drawn for this index. A search takes the rarest of its pairs and looks for the
/// items that have it among those that have the others; how many items there are beside them makes no difference. What it finds
/// is then read, and counts only when it says what was asked for.
///
/// Not for two threads at once.
package struct SecretIndex {
    /// What is known of an item.
    package struct Row: Sendable {
        package let id: SecretID
        /// Where its entry is.
        package let entry: PersistentID
        /// Where its secret is; nil where that is not known.
        package var secret: PersistentID?
        /// As the keychain has it, in seconds since 2001-01-01 UTC.
        package let modified: Double
        fileprivate let pairs: [UInt64]
        fileprivate let set: UInt64

        /// Whether it comes before another one: the one that was changed last is first, as programs that take the first expect.
        package func precedes(_ other: Row) -> Bool {
            (other.modified, id.number) < (modified, other.id.number)
        }
    }

    private let hash: KeyedHash
    /// By the numbers that the lists below know items by; nil for one that is free.
    private var rows: [Row?] = []
    private var free: [UInt32] = []
    /// When an item was changed last, of those that were ever here.
    package private(set) var latest: Double = 0
    private var places: [SecretID: UInt32] = [:]
    private var pairs: [UInt64: PlaceList] = [:]
    private var sets: [UInt64: PlaceList] = [:]
    /// How often a place was looked at in searches so far.
    package private(set) var looks = 0

    package init() throws(KeychainError) {
        var random = SystemRandomNumberGenerator()
        var key = (random.next(), random.next(), random.next(), random.next())
        do throws(CryptoError) {
            hash = try unsafe withUnsafeBytes(of: &key) { (bytes) throws(CryptoError) in
                try unsafe KeyedHash(key: bytes)
            }
        } catch { throw SecretIndex.noHash }
    }

    // MARK: Keeping it

    /// Puts an item in, in the place of what was known of it.
    package mutating func put(
        _ id: SecretID, _ attributes: [String: String], modified: Double, entry: PersistentID, secret: PersistentID?
    ) throws(KeychainError) {
        var hashes: [UInt64] = []
        hashes.reserveCapacity(attributes.count)
        for (name, value) in attributes { hashes.append(try hash(of: name, value)) }
        hashes.sort()
        let row = Row(
            id: id, entry: entry, secret: secret ?? self[id]?.secret, modified: modified, pairs: hashes,
            set: try hash(of: attributes))
        latest = max(latest, modified)
        // Mostly another secret or label, which no list is about.
        if let place = places[id], let old = rows[Int(place)], old.set == row.set, old.pairs == row.pairs {
            rows[Int(place)] = row
            return
        }
        remove(id)
        let place = free.popLast() ?? UInt32(rows.count)
        if Int(place) == rows.count { rows.append(row) } else { rows[Int(place)] = row }
        places[id] = place
        for pair in row.pairs { pairs[pair, default: PlaceList()].insert(place) }
        sets[row.set, default: PlaceList()].insert(place)
    }

    package mutating func remove(_ id: SecretID) {
        guard let place = places.removeValue(forKey: id), let row = rows[Int(place)] else { return }
        rows[Int(place)] = nil
        free.append(place)
        for pair in row.pairs { take(place, from: &pairs, at: pair) }
        take(place, from: &sets, at: row.set)
    }

    private func take(_ place: UInt32, from lists: inout [UInt64: PlaceList], at hash: UInt64) {
        guard let index = lists.index(forKey: hash) else { return }
        lists.values[index].remove(place)
        if lists.values[index].isEmpty { lists.remove(at: index) }
    }

    /// Says where an item's secret is.
    package mutating func setSecret(_ reference: PersistentID?, of id: SecretID) {
        guard let place = places[id] else { return }
        rows[Int(place)]?.secret = reference
    }

    // MARK: Asking it

    package var count: Int { places.count }

    package subscript(id: SecretID) -> Row? { places[id].flatMap { rows[Int($0)] } }

    /// All items, the one changed last first.
    package var all: [Row] { rows.compactMap(\.self).sorted { $0.precedes($1) } }

    /// Which item has its entry or its secret there.
    ///
    /// Every item is looked at: it is for what others changed, which is rare.
    package func row(at reference: PersistentID) -> Row? {
        rows.lazy.compactMap(\.self).first { $0.entry == reference || $0.secret == reference }
    }

    /// The items that have all these pairs, in no order.
    package mutating func having(_ attributes: [String: String]) throws(KeychainError) -> [Row] {
        var lists: [PlaceList] = []
        for (name, value) in attributes {
            looks += 1
            guard let list = pairs[try hash(of: name, value)] else { return [] }
            lists.append(list)
        }
        guard let rarest = lists.indices.min(by: { lists[$0].count < lists[$1].count }) else {
            return rows.compactMap(\.self)
        }
        let others = lists.indices.filter { $0 != rarest }
        var found: [Row] = []
        lists[rarest].visit { place in
            looks += 1
            guard others.allSatisfy({ lists[$0].contains(place) }), let row = rows[Int(place)] else { return }
            found.append(row)
        }
        return found
    }

    /// The items whose attributes are that set, in no order.
    package mutating func being(_ attributes: [String: String]) throws(KeychainError) -> [Row] {
        var found: [Row] = []
        try sets[hash(of: attributes)]?.visit { place in
            looks += 1
            if let row = rows[Int(place)] { found.append(row) }
        }
        return found
    }

    /// What has become of items since an earlier index was made.
    package func changes(since earlier: SecretIndex) -> [SecretChange] {
        let removed = earlier.places.keys.filter { places[$0] == nil }.map { SecretChange.removed($0.text) }
        return removed
            + places.keys.compactMap { id in
                guard let before = earlier[id] else { return .made(id.text) }
                return before.modified == self[id]?.modified ? nil : .changed(id.text)
            }
    }

    // MARK: Hashes

    private func hash(of name: String, _ value: String) throws(KeychainError) -> UInt64 {
        var message: [UInt8] = []
        SecretIndex.append(name, to: &message)
        SecretIndex.append(value, to: &message)
        return try hash(message, domain: 1)
    }

    private func hash(of attributes: [String: String]) throws(KeychainError) -> UInt64 {
        var message: [UInt8] = []
        for (name, value) in attributes.asSet.inByteOrder {
            SecretIndex.append(name, to: &message)
            SecretIndex.append(value, to: &message)
        }
        return try hash(message, domain: 2)
    }

    /// With its size before it, so that no two pairs are one message.
    private static func append(_ text: String, to message: inout [UInt8]) {
        let size = UInt64(text.utf8.count)
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: size >> shift)) }
        message += text.utf8
    }

    /// Eight bytes: what two messages have in common by accident is found out when the item is read.
    private func hash(_ message: [UInt8], domain: UInt64) throws(KeychainError) -> UInt64 {
        var whole: (UInt64, UInt64) = (0, 0)
        do throws(CryptoError) {
            try unsafe withUnsafeMutableBytes(of: &whole) { (output) throws(CryptoError) in
                try unsafe message.lendingBytes { (bytes) throws(CryptoError) in
                    try unsafe hash.hash(domain: domain, bytes, into: output)
                }
            }
        } catch { throw SecretIndex.noHash }
        return whole.0
    }

    private static let noHash = KeychainError(
        .internalError, "the index of the Secret Service could not compute a hash")
}

/// Where the items are that have something in common, in ascending order; mostly there is one.
struct PlaceList {
    private var first: UInt32 = 0
    private var hasFirst = false
    private var rest: [UInt32] = []

    var isEmpty: Bool { !hasFirst }
    var count: Int { hasFirst ? rest.count + 1 : 0 }

    func contains(_ place: UInt32) -> Bool {
        guard hasFirst, place != first else { return hasFirst }
        let index = position(of: place)
        return index < rest.count && rest[index] == place
    }

    mutating func insert(_ place: UInt32) {
        guard hasFirst else {
            (first, hasFirst) = (place, true)
            return
        }
        guard place != first else { return }
        let later = max(place, first)
        first = min(place, first)
        let index = position(of: later)
        if index == rest.count || rest[index] != later { rest.insert(later, at: index) }
    }

    mutating func remove(_ place: UInt32) {
        guard hasFirst else { return }
        if place == first {
            if rest.isEmpty { hasFirst = false } else { first = rest.removeFirst() }
        } else {
            let index = position(of: place)
            if index < rest.count, rest[index] == place { rest.remove(at: index) }
        }
    }

    func visit(_ body: (UInt32) -> Void) {
        guard hasFirst else { return }
        body(first)
        for place in rest { body(place) }
    }

    /// The first position in `rest` whose number is not less.
    private func position(of place: UInt32) -> Int {
        var (low, high) = (0, rest.count)
        while low < high {
            let middle = (low + high) / 2
            if rest[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
