// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// Bytes as `security` prints them: printable ones between quotes; others in hexadecimal digits, and between quotes with
/// octal numbers for what is not printable.
enum BlobText {
    static func isPrintable(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }

    static func quoted(_ bytes: [UInt8]) -> String {
        if isPrintable(bytes) { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
        return "0x\(hexadecimal(bytes, uppercase: true))  \"\(escaped(bytes))\""
    }

    static func escaped(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == 0x5C {
                text += [byte, byte]
            } else if (0x20...0x7E).contains(byte) {
                text.append(byte)
            } else {
                text += [0x5C, 0x30 + byte >> 6, 0x30 + (byte >> 3 & 7), 0x30 + (byte & 7)]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>, uppercase: Bool) -> String {
        HexText.digits(of: bytes, uppercase: uppercase)
    }

    /// The bytes that digits stand for; nil where they stand for none.
    static func bytes(_ digits: String) -> [UInt8]? { HexText.bytes(of: digits) }
}
