// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What `BlobText` does, of secrets: in memory that is wiped.
enum SecretText {
    static func hexadecimal(_ secret: SecretValue, uppercase: Bool) -> SecretValue {
        unsafe SecretValue(count: secret.count * 2) { output in
            unsafe secret.withUnsafeBytes { bytes in
                for index in bytes.indices {
                    let byte = unsafe bytes[index]
                    unsafe output[2 * index] = digit(byte >> 4, uppercase)
                    unsafe output[2 * index + 1] = digit(byte & 15, uppercase)
                }
            }
        }
    }

    /// Between quotes, or both in digits and between quotes; nothing of an empty one.
    static func quoted(_ secret: SecretValue) -> SecretValue {
        if secret.count == 0 { return secret }
        if unsafe secret.withUnsafeBytes({ unsafe BlobText.isPrintable($0) }) { return joined(quote, secret, quote) }
        let digits = joined(Array("0x".utf8), hexadecimal(secret, uppercase: true), Array("  ".utf8))
        let text = joined(quote, escaped(secret), quote)
        return unsafe SecretValue(count: digits.count + text.count) { output in
            unsafe copy(digits, to: output, at: 0)
            unsafe copy(text, to: output, at: digits.count)
        }
    }

    private static func escaped(_ secret: SecretValue) -> SecretValue {
        let count = unsafe secret.withUnsafeBytes { bytes in
            unsafe bytes.reduce(0) { $0 + width(of: $1) }
        }
        return unsafe SecretValue(count: count) { output in
            unsafe secret.withUnsafeBytes { bytes in
                var place = 0
                for index in bytes.indices {
                    let byte = unsafe bytes[index]
                    switch width(of: byte) {
                    case 1: unsafe output[place] = byte
                    case 2:
                        unsafe output[place] = backslash
                        unsafe output[place + 1] = backslash
                    default:
                        unsafe output[place] = backslash
                        for (offset, shift) in [(1, 6), (2, 3), (3, 0)] {
                            unsafe output[place + offset] = 0x30 + (byte >> UInt8(shift) & 7)
                        }
                    }
                    place += width(of: byte)
                }
            }
        }
    }

    private static func width(of byte: UInt8) -> Int {
        byte == backslash ? 2 : (0x20...0x7E).contains(byte) ? 1 : 4
    }

    private static func joined(_ before: [UInt8], _ secret: SecretValue, _ behind: [UInt8]) -> SecretValue {
        unsafe SecretValue(count: before.count + secret.count + behind.count) { output in
            unsafe output.copyBytes(from: before)
            unsafe copy(secret, to: output, at: before.count)
            let end = before.count + secret.count
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[end...]).copyBytes(from: behind)
        }
    }

    private static func copy(_ secret: SecretValue, to output: UnsafeMutableRawBufferPointer, at place: Int) {
        unsafe secret.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[place...]).copyMemory(from: bytes)
        }
    }

    private static func digit(_ value: UInt8, _ uppercase: Bool) -> UInt8 {
        value < 10 ? 0x30 + value : value - 10 + (uppercase ? 0x41 : 0x61)
    }

    private static let quote = [UInt8(0x22)]
    private static let backslash: UInt8 = 0x5C
}
