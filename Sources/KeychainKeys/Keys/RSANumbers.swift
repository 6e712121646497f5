// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel

/// Where the numbers of an RSA key are in its external bytes (RFC 8017 §A.1), each without leading zeros.
package struct RSANumbers {
    package let offsets: [Int]
    package let counts: [Int]

    /// Reads RSAPublicKey or RSAPrivateKey: of two primes, DER only, numbers above zero, nothing behind them.
    ///
    /// Throws `malformed`.
    package init(parsing bytes: UnsafeRawBufferPointer, _ part: KeyPart) throws(KeyError) {
        var reader = unsafe DERNumberReader(unsafeBytes: bytes)
        try reader.enterSequence()
        if part == .private {
            let version = try reader.number()
            guard version.count == 1, unsafe bytes[version.lowerBound] == 0 else { throw .malformed }
        }
        var numbers: [Range<Int>] = []
        for _ in 0..<(part == .private ? Self.privateAmount : Self.publicAmount) {
            let number = try reader.number()
            guard unsafe bytes[number.lowerBound] != 0 else { throw .malformed }
            numbers.append(number)
        }
        guard reader.isAtEnd else { throw .malformed }
        offsets = numbers.map(\.lowerBound)
        counts = numbers.map(\.count)
    }

    /// The bits of the modulus; throws `unsupportedKey` when it is too small or large, or the exponent is.
    internal func modulusBits(in bytes: UnsafeRawBufferPointer) throws(KeyError) -> Int {
        // Whole numbers below this would make every check after it slow.
        guard counts.allSatisfy({ $0 <= KeyType.largestModulus / 8 }) else { throw .unsupportedKey }
        let bits = unsafe counts[0] * 8 - bytes[offsets[0]].leadingZeroBitCount
        guard KeyType.rsa.allows(bits: bits) else { throw .unsupportedKey }
        // Above 64 bits OpenSSL refuses exponents for large moduli; they are not used for small ones either.
        let exponent = offsets[1]..<offsets[1] + counts[1]
        guard exponent.count <= 8 else { throw .unsupportedKey }
        let isOne = unsafe exponent.count == 1 && bytes[exponent.lowerBound] == 1
        guard unsafe bytes[offsets[0] + counts[0] - 1] & 1 == 1, unsafe bytes[exponent.upperBound - 1] & 1 == 1, !isOne
        else { throw .malformed }
        return bits
    }

    /// The public half's external bytes, out of either half's.
    internal func publicRepresentation(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let numbers = unsafe (0..<Self.publicAmount).flatMap { unsafe bytes[offsets[$0]..<offsets[$0] + counts[$0]] }
        return Self.encodedPublicKey(numbers, Array(counts.prefix(Self.publicAmount)))
    }

    private static let publicAmount = 2
    private static let privateAmount = 8
}

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

/// Reads a DER sequence of numbers out of untrusted bytes; throws `malformed` for all that DER would not write.
///
/// KeychainCoding reads property lists, whose numbers have 64 bits.
// Safe: every access is checked against the count; the bytes outlive the reader because a reader exists only inside a
// function that was lent them.
@safe
internal struct DERNumberReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var end: Int

    internal init(unsafeBytes bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
        end = bytes.count
    }

    internal var isAtEnd: Bool { offset == end }

    /// Goes into a sequence that takes all the rest.
    internal mutating func enterSequence() throws(KeyError) {
        let content = try element(tag: 0x30)
        guard content.upperBound == end else { throw .malformed }
        offset = content.lowerBound
    }

    /// Where the next number's bytes are, without the zero that only says it is not negative.
    internal mutating func number() throws(KeyError) -> Range<Int> {
        let content = try element(tag: 0x02)
        guard let first = content.first, unsafe bytes[first] < 0x80 else { throw .malformed }
        guard unsafe content.count > 1 && bytes[first] == 0 else { return content }
        guard unsafe bytes[first + 1] >= 0x80 else { throw .malformed }
        return first + 1..<content.upperBound
    }

    /// Reads tag and length; returns where the content is, behind which the next element begins.
    private mutating func element(tag: UInt8) throws(KeyError) -> Range<Int> {
        guard try byte() == tag else { throw .malformed }
        var length = Int(try byte())
        if length >= 0x80 {
            let octets = length & 0x7F
            // Four are more than any key has.
            guard (1...4).contains(octets) else { throw .malformed }
            length = 0
            for _ in 0..<octets { length = length << 8 | Int(try byte()) }
            guard length >= (octets == 1 ? 0x80 : 1 << (8 * (octets - 1))) else { throw .malformed }
        }
        guard length <= end - offset else { throw .malformed }
        let content = offset..<offset + length
        offset = content.upperBound
        return content
    }

    private mutating func byte() throws(KeyError) -> UInt8 {
        guard offset < end else { throw .malformed }
        defer { offset += 1 }
        return unsafe bytes[offset]
    }
}
