// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

extension RSASignaturePadding {
    /// OpenSSL's number for it.
    internal var number: Int32 {
        switch self {
        case .none, .noneReversed: RSA_NO_PADDING
        case .pkcs1: RSA_PKCS1_PADDING
        case .pss: RSA_PKCS1_PSS_PADDING
        }
    }

    /// Whether so many bytes can be signed with a modulus of so many bits.
    internal func takes(_ count: Int, bits: Int, _ hash: HashFunction?) -> Bool {
        // OpenSSL signs nothing at all with this padding, but verifies no such signature.
        if self == .pkcs1 && count == 0 { return false }
        return count <= largestInput(bits: bits, hash)
    }

    /// Whether a modulus of so many bits has room for this at all; RSA of 1024 bits has none for PSS with SHA-512.
    internal func hasRoom(in bits: Int, for input: SignedInput) -> Bool {
        largestInput(bits: bits, input.hash) >= input.hash?.size ?? 0
    }

    /// The most bytes, or digest bytes, that a modulus of so many bits signs; negative when there are none.
    private func largestInput(bits: Int, _ hash: HashFunction?) -> Int {
        let size = (bits + 7) / 8
        switch self {
        case .none: return size
        case .noneReversed: return RawNumber.unitSize(size)
        // What stands in front of a digest is at most 19 bytes: the smallest modulus, of 1024 bits, has room for 94.
        case .pkcs1: return size - 11
        // The padded text has one bit less than the modulus, and holds digest, salt and two bytes (RFC 8017 §9.1.1).
        case .pss: return (bits - 1 + 7) / 8 - (hash?.size ?? 0) - 2
        }
    }
}

extension RSAEncryptionPadding {
    /// OpenSSL's number for it.
    internal var number: Int32 {
        switch self {
        case .none, .noneReversed: RSA_NO_PADDING
        case .pkcs1: RSA_PKCS1_PADDING
        case .oaep: RSA_PKCS1_OAEP_PADDING
        }
    }

    internal var hash: HashFunction? {
        if case .oaep(let hash) = self { hash } else { nil }
    }

    internal var isRaw: Bool { self == .none || self == .noneReversed }

    /// The most bytes that a modulus of so many bits encrypts; negative when there are none.
    internal func largestInput(bits: Int) -> Int {
        let size = (bits + 7) / 8
        switch self {
        case .none: return size
        case .noneReversed: return RawNumber.unitSize(size)
        case .pkcs1: return size - 11
        case .oaep(let hash): return size - 2 * hash.size - 2
        }
    }
}
