// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel

/// The external bytes of numbers that stand one after the other, each without leading zeros.
extension RSANumbers {
    internal static func encodedPublicKey(_ numbers: [UInt8], _ counts: [Int]) -> [UInt8] {
        unsafe numbers.lendingBytes { numbers in
            let content = unsafe contentSize(numbers, counts)
            return unsafe [UInt8](count: headerSize(content) + content) { output in
                unsafe write(numbers, counts, version: false, content, into: output)
            }
        }
    }

    package static func encodedPrivateKey(_ numbers: UnsafeRawBufferPointer, _ counts: [Int]) -> SecretBytes {
        let content = unsafe versionNumber.count + contentSize(numbers, counts)
        return unsafe SecretBytes(count: headerSize(content) + content) { output in
            unsafe write(numbers, counts, version: true, content, into: output)
        }
    }

    private static func contentSize(_ numbers: UnsafeRawBufferPointer, _ counts: [Int]) -> Int {
        var size = 0
        var offset = 0
        for count in counts {
            let whole = unsafe count + signSize(numbers[offset])
            size += headerSize(whole) + whole
            offset += count
        }
        return size
    }

    private static func write(
        _ numbers: UnsafeRawBufferPointer, _ counts: [Int], version: Bool, _ content: Int,
        into output: UnsafeMutableRawBufferPointer
    ) {
        var position = unsafe writeHeader(0x30, content, into: output, at: 0)
        if version {
            for byte in versionNumber {
                unsafe output[position] = byte
                position += 1
            }
        }
        var offset = 0
        for count in counts {
            let sign = unsafe signSize(numbers[offset])
            position = unsafe writeHeader(0x02, count + sign, into: output, at: position)
            // The output began as zeros.
            position += sign
            for index in 0..<count { unsafe output[position + index] = numbers[offset + index] }
            position += count
            offset += count
        }
    }

    /// Writes tag and length; returns where the content begins.
    private static func writeHeader(
        _ tag: UInt8, _ size: Int, into output: UnsafeMutableRawBufferPointer, at start: Int
    ) -> Int {
        unsafe output[start] = tag
        let octets = headerSize(size) - 2
        unsafe output[start + 1] = octets == 0 ? UInt8(size) : 0x80 | UInt8(octets)
        for index in 0..<octets {
            unsafe output[start + 2 + index] = UInt8(truncatingIfNeeded: size >> (8 * (octets - 1 - index)))
        }
        return start + 2 + octets
    }

    /// Tag and length of an element with that much content; no key has more than 64 KB.
    private static func headerSize(_ content: Int) -> Int {
        content < 0x80 ? 2 : content < 0x100 ? 3 : 4
    }

    /// The zero in front of a number that would else be negative.
    private static func signSize(_ first: UInt8) -> Int { first < 0x80 ? 0 : 1 }

    private static let versionNumber: [UInt8] = [0x02, 0x01, 0x00]
}
