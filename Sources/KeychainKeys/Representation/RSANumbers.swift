// SPDX-License-Identifier: Apache-2.0

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
        // Above 64 bits OpenSSL refuses exponents for large moduli; nobody uses them for small ones.
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
