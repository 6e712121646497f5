// SPDX-License-Identifier: Apache-2.0

/// Whether bytes are one element of DER, as far as lengths say.
///
/// Written for the targets, so that no parser is its own judge.
internal enum StrictDER {
    static func isOneElement(_ bytes: [UInt8]) -> Bool { end(bytes[...], depth: 0) == bytes.count }

    /// Where the first element ends; nil when a length in it is too long, without need or for its place.
    private static func end(_ bytes: ArraySlice<UInt8>, depth: Int) -> Int? {
        guard bytes.count >= 2, depth < 32 else { return nil }
        var start = bytes.startIndex + 2
        var count = Int(bytes[start - 1])
        if count >= 0x80 {
            let octets = count & 0x7F
            guard (1...4).contains(octets), start + octets <= bytes.endIndex, bytes[start] != 0 else { return nil }
            count = bytes[start..<start + octets].reduce(0) { $0 << 8 | Int($1) }
            guard count >= 0x80 else { return nil }
            start += octets
        }
        let end = start + count
        guard end <= bytes.endIndex else { return nil }
        guard bytes[bytes.startIndex] & 0x20 != 0 else { return end }
        while start < end {
            guard let next = self.end(bytes[start..<end], depth: depth + 1) else { return nil }
            start = next
        }
        return end
    }
}
