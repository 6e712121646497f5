// SPDX-License-Identifier: Apache-2.0

/// The kinds of key there are; the numbers are Apple's.
package enum KeyType: UInt32, Sendable, CaseIterable {
    case rsa = 42
    case ec = 73
    case ed25519 = 105
    case x25519 = 106
    case ed448 = 107
    case x448 = 108
    case aes = 2_147_483_649
    // Last: the files of Fuzz/Corpora name kinds by their place here.
    case mlkem = 110
    case mldsa = 111

    /// The kind of a `kSecAttrKeyType…` constant's value.
    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        self = match
    }

    /// The number as text, as the constants have it.
    package var name: String { String(rawValue) }

    /// The size of keys whose bytes are given raw and have one size only.
    internal var rawSize: Int? {
        switch self {
        case .ed25519, .x25519: 32
        case .ed448: 57
        case .x448: 56
        case .rsa, .ec, .mlkem, .mldsa, .aes: nil
        }
    }

    /// The bits of keys that have one size only; nil where a size must be asked for.
    package var onlyBits: Int? {
        switch self {
        case .ed25519, .x25519: 256
        case .ed448, .x448: 448
        case .rsa, .ec, .mlkem, .mldsa, .aes: nil
        }
    }

    /// The bits of keys whose size need not be asked for.
    package var usualBits: Int? {
        switch self {
        case .mlkem: LatticeParameters.mlkem768.bits
        case .mldsa: LatticeParameters.mldsa65.bits
        case .rsa, .ec, .ed25519, .x25519, .ed448, .x448, .aes: onlyBits
        }
    }
}

extension KeyType {
    /// Whether keys of that many bits can be made; what is imported has the same limits.
    package func allows(bits: Int) -> Bool {
        switch self {
        case .rsa: (Self.smallestModulus...Self.largestModulus).contains(bits)
        case .ec: Curve(bits: bits) != nil
        case .aes: bits == 128 || bits == 192 || bits == 256
        case .ed25519, .x25519, .ed448, .x448: bits == onlyBits
        case .mlkem, .mldsa: LatticeParameters(self, bits: bits) != nil
        }
    }

    package static let smallestModulus = 1024
    // Time grows with the third power: at this size one signature takes a tenth of a second.
    package static let largestModulus = 8192
}

/// The curves EC keys are on, by the bits of their field; their cofactor is 1.
package enum Curve: Int, Sendable, CaseIterable {
    case p256 = 256
    case p384 = 384
    case p521 = 521

    package init?(bits: Int) {
        self.init(rawValue: bits)
    }

    /// The curve whose points, uncompressed, take so many bytes.
    internal init?(pointSize: Int) {
        guard let match = Self.allCases.first(where: { $0.pointSize == pointSize }) else { return nil }
        self = match
    }

    /// The bytes of a coordinate, of a scalar, and of each half of a signature.
    internal var size: Int { (rawValue + 7) / 8 }

    /// The bytes of 04, x, y.
    internal var pointSize: Int { 1 + 2 * size }

    /// The prime of the field, in `size` bytes.
    private var prime: [UInt8] {
        let ones = { (count: Int) in [UInt8](repeating: 0xFF, count: count) }
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        return switch self {
        case .p256: ones(4) + zeros(3) + [1] + zeros(12) + ones(12)
        case .p384: ones(31) + [0xFE] + ones(4) + zeros(8) + ones(4)
        case .p521: [1] + ones(65)
        }
    }

    /// Whether x alone says which point it is: of the two that have it, y and the prime less y, it is the smaller.
    package func isCompact(_ point: [UInt8]) -> Bool {
        guard point.count == pointSize else { return false }
        // Twice y is below the prime; a bit can leave at the front.
        var carry: UInt8 = 0
        var double: [UInt8] = []
        for byte in point.suffix(size).reversed() {
            double.append(byte << 1 | carry)
            carry = byte >> 7
        }
        return carry == 0 && double.reversed().lexicographicallyPrecedes(prime)
    }
}

/// Which part of a key one has; the numbers are Apple's.
package enum KeyPart: UInt32, Sendable, CaseIterable {
    case `public` = 0
    case `private` = 1
    case symmetric = 2

    /// The part of a `kSecAttrKeyClass…` constant's value.
    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        self = match
    }

    /// The number as text, as the constants have it.
    package var name: String { String(rawValue) }
}

/// What is done with a key; the numbers are those of `SecKeyOperationType`.
package enum KeyOperation: Int, Sendable, CaseIterable {
    case sign = 0
    case verify = 1
    case encrypt = 2
    case decrypt = 3
    case keyExchange = 4
}
