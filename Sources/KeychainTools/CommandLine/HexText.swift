// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Bytes in hexadecimal digits.
package enum HexText {
    /// Not for secrets, which stay in memory that is wiped.
    package static func digits(of bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes { text += [digit(byte >> 4, uppercase), digit(byte & 15, uppercase)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that digits in letters of either case stand for; nil where they stand for none.
    package static func bytes(of digits: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.utf8.count / 2)
        var high: UInt8?
        for digit in digits.utf8 {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x41...0x46: value = digit - 0x41 + 10
            case 0x61...0x66: value = digit - 0x61 + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    private static func digit(_ value: UInt8, _ uppercase: Bool) -> UInt8 {
        value < 10 ? 0x30 + value : value - 10 + (uppercase ? 0x41 : 0x61)
    }
}

/// The name by which a person means one item and no other: `id:` and the reference's bytes in hexadecimal digits.
extension PersistentReference {
    package var identifier: String { PersistentReference.identifierPrefix + HexText.digits(of: bytes) }

    /// nil of text that is no such name.
    package init?(identifier: String) {
        let prefix = PersistentReference.identifierPrefix
        guard identifier.hasPrefix(prefix), let bytes = HexText.bytes(of: identifier.dropFirst(prefix.count)) else {
            return nil
        }
        self.init(bytes)
    }

    private static let identifierPrefix = "id:"
}
