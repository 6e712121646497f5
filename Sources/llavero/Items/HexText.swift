// SPDX-License-Identifier: Apache-2.0

/// Bytes that somebody wrote in hexadecimal.
enum HexText {
    /// nil of what is none.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map(value)
        guard digits.count % 2 == 0, digits.allSatisfy({ $0 < 16 }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func value(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: 255
        }
    }
}
