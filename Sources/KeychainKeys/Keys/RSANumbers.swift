// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
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
        var outer = unsafe DERReader(unsafeBytes: bytes)
        guard var reader = outer.enter(DERTag.sequence), outer.isAtEnd else { throw .malformed }
        if part == .private {
            guard let version = reader.unsigned(), version.count == 1, unsafe bytes[version.lowerBound] == 0
            else { throw .malformed }
        }
        var numbers: [Range<Int>] = []
        for _ in 0..<(part == .private ? Self.privateAmount : Self.publicAmount) {
            guard let number = reader.unsigned(), unsafe bytes[number.lowerBound] != 0 else { throw .malformed }
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
            return DERWriter.bytes(count: DERSize.ofElement(content)) { writer in
                writer.header(DERTag.sequence, contentSize: content)
                unsafe write(numbers, counts, to: &writer)
            }
        }
    }

    package static func encodedPrivateKey(_ numbers: UnsafeRawBufferPointer, _ counts: [Int]) -> SecretBytes {
        let version = DERWriter.integer(0)
        let content = unsafe version.count + contentSize(numbers, counts)
        return DERWriter.secret(count: DERSize.ofElement(content)) { writer in
            writer.header(DERTag.sequence, contentSize: content)
            writer.bytes(version)
            unsafe write(numbers, counts, to: &writer)
        }
    }

    private static func contentSize(_ numbers: UnsafeRawBufferPointer, _ counts: [Int]) -> Int {
        var size = 0
        var offset = 0
        for count in counts {
            let digits = unsafe UnsafeRawBufferPointer(rebasing: numbers[offset..<offset + count])
            size += unsafe DERSize.ofElement(DERSize.ofUnsigned(digits))
            offset += count
        }
        return size
    }

    private static func write(_ numbers: UnsafeRawBufferPointer, _ counts: [Int], to writer: inout DERWriter) {
        var offset = 0
        for count in counts {
            let digits = unsafe UnsafeRawBufferPointer(rebasing: numbers[offset..<offset + count])
            unsafe writer.unsigned(digits)
            offset += count
        }
    }
}
