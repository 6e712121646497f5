// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

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

/// Inputs and outputs of RSA without padding.
///
/// Reversed means Apple's "CCUnit" form: the least significant byte first, in whole units of eight bytes.
internal enum RawNumber {
    /// The input as a number of exactly `size` bytes, most significant first; shorter ones get zeros in front.
    ///
    /// Throws `invalidLength` when it does not fit.
    internal static func padded(
        _ bytes: UnsafeRawBufferPointer, size: Int, isReversed: Bool
    ) throws(KeyError) -> SecretBytes {
        guard bytes.count <= (isReversed ? unitSize(size) : size) else { throw .invalidLength }
        let count = bytes.count
        return try unsafe SecretBytes(count: size) { (output) throws(KeyError) in
            for index in 0..<count {
                // Counted from the least significant end.
                let byte = unsafe isReversed ? bytes[index] : bytes[count - 1 - index]
                guard index < size else {
                    guard byte == 0 else { throw .invalidLength }
                    continue
                }
                unsafe output[size - 1 - index] = byte
            }
        }
    }

    internal static func reversed(_ bytes: [UInt8]) -> [UInt8] {
        bytes.reversed() + [UInt8](repeating: 0, count: unitSize(bytes.count) - bytes.count)
    }

    internal static func reversed(_ bytes: borrowing SecretBytes) -> SecretBytes {
        let size = bytes.count
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe SecretBytes(count: unitSize(size)) { output in
                for index in 0..<bytes.count { unsafe output[index] = bytes[bytes.count - 1 - index] }
            }
        }
    }

    /// `size` in whole units.
    internal static func unitSize(_ size: Int) -> Int { (size + 7) / 8 * 8 }
}
