// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel
internal import KeychainSystem

/// A key in SSH's encoding, with its label.
struct SSHKey {
    let key: CryptoKey
    let label: String
    let kind: SSHKeyKind
    /// The public half, by which an agent identifies it.
    let publicBlob: SecretValue

    /// nil for a kind that SSH does not support.
    init?(_ key: CryptoKey, label: String) {
        guard let kind = SSHKeyKind(key), let point = key.publicRepresentation else { return nil }
        (self.key, self.label, self.kind) = (key, label, kind)
        guard let parts = SSHKey.publicParts(kind, point) else { return nil }
        publicBlob = SecretValue.joined([SSHBytes.string(kind.rawValue)] + parts)
    }

    /// In the form of `ssh-keygen -l`.
    func fingerprint() throws(CryptoError) -> String {
        let digest = try unsafe publicBlob.withUnsafeBytes { (bytes) throws(CryptoError) in
            try unsafe Digest.sha256(bytes)
        }
        return "SHA256:" + Base64.text(of: digest, isPadded: false)
    }

    /// The key as an agent gets it, including the comment.
    func privateParts() throws(KeyError) -> [SecretValue] {
        let secret = SecretValue(copying: try key.representation())
        let name = SSHBytes.string(kind.rawValue)
        let parts: [SecretValue]
        switch kind {
        case .ed25519:
            let point = SecretValue(copying: key.publicRepresentation ?? [])
            parts = [SSHBytes.string(point), SSHBytes.string(SecretValue.joined([secret, point]))]
        case .p256, .p384, .p521:
            let point = SecretValue(copying: key.publicRepresentation ?? [])
            let scalar = unsafe secret.withUnsafeBytes { bytes in
                unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[point.count...]))
            }
            parts = [SSHBytes.string(kind.curve ?? ""), SSHBytes.string(point), SSHBytes.integer(scalar)]
        case .rsa:
            let numbers = try SSHKey.numbers(secret, .private)
            // n, e, d, p, q, dp, dq, 1/q; SSH's order is n, e, d, 1/q, p, q.
            parts = [0, 1, 2, 7, 3, 4].map { SSHBytes.integer(numbers[$0]) }
        }
        return [name] + parts + [SSHBytes.string(label)]
    }

    private static func publicParts(_ kind: SSHKeyKind, _ point: [UInt8]) -> [SecretValue]? {
        let value = SecretValue(copying: point)
        switch kind {
        case .ed25519: return [SSHBytes.string(value)]
        case .p256, .p384, .p521: return [SSHBytes.string(kind.curve ?? ""), SSHBytes.string(value)]
        case .rsa:
            guard let numbers = try? numbers(value, .public) else { return nil }
            return [SSHBytes.integer(numbers[1]), SSHBytes.integer(numbers[0])]
        }
    }

    private static func numbers(_ encoded: SecretValue, _ part: KeyPart) throws(KeyError) -> [SecretValue] {
        try unsafe encoded.withUnsafeBytes { (bytes) throws(KeyError) in
            let numbers = try unsafe RSANumbers(parsing: bytes, part)
            return zip(numbers.offsets, numbers.counts).map { offset, count in
                unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
            }
        }
    }
}

/// The kinds of keys that SSH and the keychain both support, by SSH's names.
enum SSHKeyKind: String, CaseIterable {
    case rsa = "ssh-rsa"
    case p256 = "ecdsa-sha2-nistp256"
    case p384 = "ecdsa-sha2-nistp384"
    case p521 = "ecdsa-sha2-nistp521"
    case ed25519 = "ssh-ed25519"

    init?(_ key: CryptoKey) {
        switch (key.type, key.bits) {
        case (.rsa, _): self = .rsa
        case (.ec, 256): self = .p256
        case (.ec, 384): self = .p384
        case (.ec, 521): self = .p521
        case (.ed25519, _): self = .ed25519
        default: return nil
        }
    }

    /// SSH's name of the curve; nil for kinds without one.
    var curve: String? {
        switch self {
        case .p256: "nistp256"
        case .p384: "nistp384"
        case .p521: "nistp521"
        case .rsa, .ed25519: nil
        }
    }

    /// Its name in `ssh-keygen -l`.
    var shortName: String {
        switch self {
        case .rsa: "RSA"
        case .p256, .p384, .p521: "ECDSA"
        case .ed25519: "ED25519"
        }
    }

    private var scalarSize: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        case .rsa, .ed25519: 0
        }
    }

    /// The private key in an OpenSSH file, after its kind.
    func key(_ reader: inout SSHReader) throws(SSHError) -> CryptoKey {
        switch self {
        case .ed25519:
            let point = try reader.string()
            var pair = SSHReader(try reader.string())
            let (seed, again) = (try pair.take(32), try pair.take(32))
            guard pair.isAtEnd, point.isEqualInConstantTime(to: again) else { throw SSHError.malformed }
            return try SSHKeyKind.imported(.ed25519, seed)
        case .p256, .p384, .p521:
            guard try reader.text() == curve else { throw SSHError.malformed }
            let (point, scalar) = (try reader.string(), try reader.integer(count: scalarSize))
            return try SSHKeyKind.imported(.ec, SecretValue.joined([point, scalar]))
        case .rsa:
            let (modulus, exponent) = (try reader.integer(), try reader.integer())
            let (secret, inverse) = (try reader.integer(), try reader.integer())
            let (first, second) = (try reader.integer(), try reader.integer())
            guard [modulus, secret, inverse, first, second].allSatisfy({ $0.count <= KeyType.largestModulus / 8 }),
                let ofFirst = RSAExponent.reduced(secret, for: first),
                let ofSecond = RSAExponent.reduced(secret, for: second)
            else { throw SSHError.malformed }
            let numbers = [modulus, exponent, secret, first, second, ofFirst, ofSecond, inverse]
            let encoded = unsafe SecretValue.joined(numbers).withUnsafeBytes { bytes in
                unsafe RSANumbers.encodedPrivateKey(bytes, numbers.map(\.count))
            }
            return try SSHKeyKind.imported(.rsa, SecretValue(copying: encoded))
        }
    }

    private static func imported(_ type: KeyType, _ bytes: SecretValue) throws(SSHError) -> CryptoKey {
        do throws(KeyError) {
            return try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe CryptoKey(type, .private, representation: bytes)
            }
        } catch { throw SSHError.malformed }
    }
}

/// The exponent of an RSA key for one of its primes, which OpenSSH's files leave out.
enum RSAExponent {
    /// `exponent` modulo `prime` - 1, without leading zeros; both big-endian.
    ///
    /// nil if it is zero, or the prime is invalid.
    static func reduced(_ exponent: SecretValue, for prime: SecretValue) -> SecretValue? {
        guard let last = prime.byte(at: prime.count - 1), last & 1 == 1, prime.count >= 8, prime.byte(at: 0) != 0 else {
            return nil
        }
        // Limb 0 is the least significant; one more than the modulus has, for the bit that is shifted out.
        let limbs = (prime.count + 3) / 4 + 1
        let work = unsafe SecretValue(count: limbs * 12) { buffer in
            let words = unsafe buffer.bindMemory(to: UInt32.self)
            let modulus = unsafe UnsafeMutableBufferPointer(rebasing: words[..<limbs])
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: words[limbs..<(2 * limbs)])
            let less = unsafe UnsafeMutableBufferPointer(rebasing: words[(2 * limbs)...])
            for index in 0..<prime.count {
                let place = prime.count - 1 - index
                unsafe modulus[index / 4] |= UInt32(prime.byte(at: place) ?? 0) << UInt32(8 * (index % 4))
            }
            // The modulus is odd, so this subtracts one.
            unsafe modulus[0] -= 1
            for index in 0..<(exponent.count * 8) {
                let bit = UInt32(exponent.byte(at: index / 8) ?? 0) >> UInt32(7 - index % 8) & 1
                unsafe step(rest, less, modulus, bit)
            }
        }
        return number(work, from: limbs, count: limbs)
    }

    /// Doubles `rest`, adds a bit, and subtracts the modulus once if it fits; in constant time.
    private static func step(
        _ rest: UnsafeMutableBufferPointer<UInt32>, _ less: UnsafeMutableBufferPointer<UInt32>,
        _ modulus: UnsafeMutableBufferPointer<UInt32>, _ bit: UInt32
    ) {
        var (carry, borrow) = (bit, UInt32(0))
        for index in rest.indices {
            let doubled = unsafe rest[index] << 1 | carry
            carry = unsafe rest[index] >> 31
            unsafe rest[index] = doubled
            let difference = unsafe UInt64(doubled) &- UInt64(modulus[index]) &- UInt64(borrow)
            unsafe less[index] = UInt32(truncatingIfNeeded: difference)
            borrow = UInt32(truncatingIfNeeded: difference >> 63)
        }
        let keep = 0 &- borrow
        for index in rest.indices { unsafe rest[index] = rest[index] & keep | less[index] & ~keep }
    }

    private static func number(_ work: SecretValue, from first: Int, count limbs: Int) -> SecretValue? {
        func byte(_ index: Int) -> UInt8 {
            let word = unsafe work.bytes.load(fromByteOffset: (first + index / 4) * 4, as: UInt32.self)
            return UInt8(truncatingIfNeeded: word >> UInt32(8 * (index % 4)))
        }
        var size = limbs * 4
        while size > 0, byte(size - 1) == 0 { size -= 1 }
        guard size > 0 else { return nil }
        return unsafe SecretValue(count: size) { output in
            for index in 0..<size { unsafe output[index] = byte(size - 1 - index) }
        }
    }
}
