// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// The elements of a list, read one after the other.
struct RecordFields {
    private var rest: ArraySlice<PropertyList>

    init(_ parts: [PropertyList]) { rest = parts[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() -> PropertyList? { rest.popFirst() }

    mutating func number() -> Int64? { next().flatMap(Int64.init(part:)) }

    /// What `read` makes of the next element: `.some(nil)` when it is null, nil when it is neither.
    mutating func optional<Value>(_ read: (PropertyList) -> Value?) -> Value?? {
        guard let part = next() else { return nil }
        if case .null = part { return .some(nil) }
        guard let value = read(part) else { return nil }
        return .some(value)
    }
}

extension Int64 {
    init?(part: PropertyList) {
        guard case .number(let number) = part else { return nil }
        self = number
    }
}

extension String {
    init?(part: PropertyList) {
        guard case .string(let string) = part else { return nil }
        self = string
    }
}
