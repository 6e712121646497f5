// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainRequest

/// Goes through the parts of an array that devices sign, one after the other; the last call is `end`.
struct CircleParts {
    private var rest: ArraySlice<PropertyList>

    init(_ value: PropertyList) throws(CircleError) {
        guard case .array(let parts) = value else { throw .malformed }
        rest = parts[...]
    }

    /// The parts behind the title, which says what this is.
    init(decoding bytes: [UInt8], title: String) throws(CircleError) {
        try self.init(try CircleCoding.decode(bytes))
        guard try string() == title else { throw .malformed }
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() throws(CircleError) -> PropertyList {
        guard let part = rest.popFirst() else { throw .malformed }
        return part
    }

    mutating func string() throws(CircleError) -> String {
        guard case .string(let text) = try next() else { throw .malformed }
        return text
    }

    mutating func boolean() throws(CircleError) -> Bool {
        guard case .boolean(let value) = try next() else { throw .malformed }
        return value
    }

    mutating func integer() throws(CircleError) -> Int64 {
        guard case .number(let number) = try next() else { throw .malformed }
        return number
    }

    /// A number that is not negative.
    mutating func number() throws(CircleError) -> UInt64 {
        guard let number = UInt64(exactly: try integer()) else { throw .malformed }
        return number
    }

    mutating func generation() throws(CircleError) -> UInt32 {
        guard let number = UInt32(exactly: try integer()), number > 0 else { throw .malformed }
        return number
    }

    mutating func data(atMost count: Int) throws(CircleError) -> [UInt8] {
        guard case .data(let bytes) = try next(), bytes.count <= count else { throw .malformed }
        return bytes
    }

    mutating func data(exactly count: Int) throws(CircleError) -> [UInt8] {
        let bytes = try data(atMost: count)
        guard bytes.count == count else { throw .malformed }
        return bytes
    }

    mutating func hash() throws(CircleError) -> [UInt8] { try data(exactly: Digest.sha256Size) }

    mutating func circle() throws(CircleError) -> CircleID {
        guard let id = CircleID(try data(exactly: CircleID.size)) else { throw .malformed }
        return id
    }

    mutating func device() throws(CircleError) -> DeviceID {
        guard let id = DeviceID(try data(exactly: DeviceID.size)) else { throw .malformed }
        return id
    }

    mutating func view() throws(CircleError) -> SyncView {
        guard let view = SyncView(try data(exactly: SyncView.size)) else { throw .malformed }
        return view
    }

    mutating func card() throws(CircleError) -> Card { try Card(decoding: data(atMost: CircleParts.largestCard)) }

    mutating func parts() throws(CircleError) -> CircleParts { try CircleParts(try next()) }

    /// The elements of a list, each as `read` reads it.
    mutating func list<Element>(
        atMost count: Int, _ read: (inout CircleParts) throws(CircleError) -> Element
    ) throws(CircleError) -> [Element] {
        guard case .array(let values) = try next(), values.count <= count else { throw .malformed }
        var elements: [Element] = []
        for value in values {
            var parts = try CircleParts(value)
            elements.append(try read(&parts))
            try parts.end()
        }
        return elements
    }

    /// Throws when anything is left.
    func end() throws(CircleError) { guard rest.isEmpty else { throw .malformed } }

    private static let largestCard = 512
}

extension PropertyList {
    /// A number of the log's or a view's; those above 2^63 have no encoding, and nobody counts so far.
    static func count(_ number: UInt64) throws(CircleError) -> PropertyList {
        guard let number = Int64(exactly: number) else { throw .malformed }
        return .number(number)
    }
}

extension DeviceID: Comparable {
    package static func < (left: DeviceID, right: DeviceID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension CircleCoding {
    /// Lists that stand for sets have one order, that of their names, and name each once.
    static func isAscending(_ names: [[UInt8]]) -> Bool {
        zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    }
}
