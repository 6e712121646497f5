// SPDX-License-Identifier: Apache-2.0

/// Which inputs would only hash a password for a long time.
///
/// The parsers themselves take some ten seconds' worth of rounds, and that they do is for a test to show, not for a
/// fuzzer, which would spend all of its time there.
internal enum RoundLimit {
    /// Whether numbers that could be many rounds stand anywhere in the bytes: behind a salt, in BER or DER.
    static func isCostly(_ bytes: [UInt8]) -> Bool {
        for index in bytes.indices where bytes[index] == 0x02 {
            guard isBehindSalt(bytes, index), let rounds = number(bytes, at: index) else { continue }
            if (most...allowed).contains(rounds.value) { return true }
            // The three numbers of scrypt, of which the product counts.
            guard let block = number(bytes, at: rounds.end), let lanes = number(bytes, at: block.end) else { continue }
            let limited = [rounds.value, block.value, lanes.value].map { min($0, allowed) }
            if min(limited[0] * limited[1], allowed) * limited[2] >= most { return true }
        }
        return false
    }

    /// Whether an octet string ends there, or an element without a length.
    private static func isBehindSalt(_ bytes: [UInt8], _ end: Int) -> Bool {
        if end >= 2, bytes[end - 1] == 0, bytes[end - 2] == 0 { return true }
        return (0..<min(end, 140)).contains { distance in
            let start = end - 1 - distance
            guard bytes[start] == 0x04, let (content, count) = content(bytes, at: start + 1) else { return false }
            return content + count == end
        }
    }

    /// The number of an INTEGER that is not absurdly long, and where the next element is.
    private static func number(_ bytes: [UInt8], at index: Int) -> (value: UInt64, end: Int)? {
        guard index < bytes.count, bytes[index] == 0x02, let (start, count) = content(bytes, at: index + 1),
            count <= 16, start + count <= bytes.count
        else { return nil }
        let value = bytes[start..<start + count].reduce(UInt64(0)) { min($0 << 8 | UInt64($1), 1 << 40) }
        return (value, start + count)
    }

    private static func content(_ bytes: [UInt8], at index: Int) -> (start: Int, count: Int)? {
        guard index < bytes.count else { return nil }
        let first = Int(bytes[index])
        guard first >= 0x80 else { return (index + 1, first) }
        let octets = first & 0x7F
        guard (1...8).contains(octets), index + octets < bytes.count else { return nil }
        var count = 0
        for offset in 1...octets { count = min(count << 8 | Int(bytes[index + offset]), 1 << 20) }
        return (index + 1 + octets, count)
    }

    private static let most: UInt64 = 3_000
    /// More than this the parsers refuse at once.
    private static let allowed: UInt64 = 20_000_000
}
