// SPDX-License-Identifier: Apache-2.0

/// An input taken apart into choices; when it is at its end every choice is the first.
internal struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// What is left.
    mutating func all() -> [UInt8] { bytes(rest.count) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(byte()) % elements.count] }
}
