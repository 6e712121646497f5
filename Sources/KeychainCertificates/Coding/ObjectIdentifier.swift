// SPDX-License-Identifier: Apache-2.0

/// The content of an OBJECT IDENTIFIER.
package struct ObjectIdentifier: Hashable, Sendable {
    package let content: [UInt8]

    internal init(content: some Sequence<UInt8>) {
        self.content = Array(content)
    }

    /// The identifier of an element that is one.
    internal init?(_ value: DERValue?) {
        guard let value, value.tag == DERTag.objectIdentifier, Self.isWellFormed(value.content) else { return nil }
        content = Array(value.content)
    }

    /// The identifier in dots ("2.5.29.37"); nil when it is none.
    package init?(dotted text: String) {
        var arcs: [UInt64] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard let arc = UInt64(part), arc <= Self.largestArc, String(arc) == part else { return nil }
            arcs.append(arc)
        }
        guard arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40 else { return nil }
        var content = Self.encoded(arcs[0] * 40 + arcs[1])
        for arc in arcs.dropFirst(2) { content += Self.encoded(arc) }
        self.content = content
    }

    private static func encoded(_ arc: UInt64) -> [UInt8] {
        var bytes = [UInt8(arc & 0x7F)]
        var rest = arc >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }

    /// Whether every arc is there to its end, and none begins with zeros.
    internal static func isWellFormed(_ content: ArraySlice<UInt8>) -> Bool {
        var isAtStart = true
        for byte in content {
            if isAtStart, byte == 0x80 { return false }
            isAtStart = byte < 0x80
        }
        return isAtStart && !content.isEmpty
    }

    private static let largestArc: UInt64 = 1 << 56
}

extension ObjectIdentifier: CustomStringConvertible {
    package var description: String {
        var arcs: [String] = []
        var arc: UInt64 = 0
        for byte in content {
            // Longer arcs are cut; they are for people to read.
            arc = arc << 7 | UInt64(byte & 0x7F)
            guard byte < 0x80 else { continue }
            if arcs.isEmpty {
                let first = min(arc / 40, 2)
                arcs = [String(first), String(arc - first * 40)]
            } else {
                arcs.append(String(arc))
            }
            arc = 0
        }
        return arcs.joined(separator: ".")
    }
}
