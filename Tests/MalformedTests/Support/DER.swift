// SPDX-License-Identifier: Apache-2.0

/// Writes DER by hand, so that a case says in its own words what is wrong with it.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag] + length(content.count) + content }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap(\.self)) }

    static func set(_ elements: [UInt8]...) -> [UInt8] { element(0x31, elements.flatMap(\.self)) }

    /// An INTEGER of this content, whatever it means.
    static func integer(_ content: [UInt8]) -> [UInt8] { element(0x02, content) }

    /// The one INTEGER of a number that is not negative.
    static func number(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        guard let first = digits.first else { return integer([0]) }
        return integer(first < 0x80 ? digits : [0] + digits)
    }

    static func bitString(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + bytes) }

    static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    static func identifier(_ content: [UInt8]) -> [UInt8] { element(0x06, content) }

    static func text(_ tag: UInt8, _ text: String) -> [UInt8] { element(tag, Array(text.utf8)) }

    static let null: [UInt8] = [0x05, 0x00]

    /// So many sequences inside each other.
    static func nested(_ depth: Int, _ innermost: [UInt8] = null) -> [UInt8] {
        (0..<depth).reduce(innermost) { inner, _ in element(0x30, inner) }
    }

    static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let octets = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
        return [0x80 | UInt8(octets)]
            + (0..<octets).map { UInt8(truncatingIfNeeded: count >> (8 * (octets - 1 - $0))) }
    }

    /// The content of an element whose head is as short as can be.
    static func content(_ element: [UInt8]) -> [UInt8] {
        guard element.count >= 2 else { return [] }
        return Array(element.dropFirst(element[1] < 0x80 ? 2 : 2 + Int(element[1] & 0x7F)))
    }

    /// The elements one after the other in well-formed bytes.
    static func elements(_ bytes: [UInt8]) -> [[UInt8]] {
        var rest = bytes[...]
        var elements: [[UInt8]] = []
        while rest.count >= 2 {
            let second = Int(rest[rest.startIndex + 1])
            let octets = second < 0x80 ? 0 : second & 0x7F
            let head = 2 + octets
            let count = octets == 0 ? second : rest.dropFirst(2).prefix(octets).reduce(0) { $0 << 8 | Int($1) }
            elements.append(Array(rest.prefix(head + count)))
            rest = rest.dropFirst(head + count)
        }
        return elements
    }
}
