// SPDX-License-Identifier: Apache-2.0

/// A key of 32 bytes in base64: 43 digits and a sign of equality, one way to write each.
package enum KeyText {
    package static func bytes(in text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count == 44, letters[43] == UInt8(ascii: "=") else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (place, letter) in letters.dropLast().enumerated() {
            guard let digit = digits.firstIndex(of: letter) else { return nil }
            bits = bits << 6 | UInt32(digit)
            guard place % 4 == 3 else { continue }
            bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
            bits = 0
        }
        // Three digits are left for two bytes; the bits too many are zeros.
        guard bits & 3 == 0 else { return nil }
        return bytes + [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
    }

    /// What `bytes(in:)` reads; for 32 bytes alone.
    package static func text(of bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0...3 {
                letters.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 0x3F] : UInt8(ascii: "="))
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
