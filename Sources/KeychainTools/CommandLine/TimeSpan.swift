// SPDX-License-Identifier: Apache-2.0

/// A time as people write it: seconds, or numbers with s, m, h, d or w behind each, such as 1h30m.
package enum TimeSpan {
    /// nil of what is none, of nothing, and of more seconds than 32 bits have.
    package static func seconds(_ text: String) -> UInt32? {
        var (total, number): (UInt64, UInt64?) = (0, nil)
        for byte in text.utf8 {
            if (0x30...0x39).contains(byte) {
                number = (number ?? 0) * 10 + UInt64(byte - 0x30)
            } else {
                let units: [UInt8: UInt64] = [0x73: 1, 0x6D: 60, 0x68: 3600, 0x64: 86_400, 0x77: 604_800]
                guard let count = number, let unit = units[byte] else { return nil }
                total += count * unit
                number = nil
            }
            guard total <= UInt32.max, number ?? 0 <= UInt32.max else { return nil }
        }
        total += number ?? 0
        guard let seconds = UInt32(exactly: total), seconds > 0 else { return nil }
        return seconds
    }

    /// The same in words: `15 minutes`, `1 hour 30 minutes`.
    package static func words(_ seconds: UInt32) -> String {
        var rest = seconds
        var words: [String] = []
        for (unit, name) in [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")] as [(UInt32, String)] {
            let count = rest / unit
            rest %= unit
            if count > 0 { words.append("\(count) \(name)\(count == 1 ? "" : "s")") }
        }
        return words.joined(separator: " ")
    }
}
