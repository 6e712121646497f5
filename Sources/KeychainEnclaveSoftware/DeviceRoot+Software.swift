// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel

extension DeviceRoot {
    /// A software root; its binding is derived from the key, so that another key is noticed before it is used.
    static func software(_ key: consuming SecretBytes) throws(EnclaveError) -> DeviceRoot {
        let binding = try key.derived(count: bindingSize, salt: [], info: "llavero software enclave")
        let bytes = unsafe binding.withUnsafeBytes { unsafe Array($0) }
        return DeviceRoot(key: key, binding: bytes)
    }

    static let bindingSize = 16
}

// P-256 keys: made in this process, wrapped under a key of the root's, and unwrapped again for each use.
extension DeviceRoot {
    borrowing func makeKey() throws(EnclaveError) -> EnclaveKey {
        let key = try EnclaveError.catching { () throws(CryptoError) in try P256.makeKey() }
        let wrappingKey = try wrappingKey(for: key.publicKey)
        let wrapped = try EnclaveError.catching { () throws(CryptoError) in
            let wrap = try unsafe wrappingKey.withUnsafeBytes { (bytes) throws(CryptoError) in
                try unsafe KeyWrap(key: bytes)
            }
            return try unsafe [UInt8](count: Self.wrappedSize) { (output) throws(CryptoError) in
                try unsafe key.privateKey.withUnsafeBytes { (scalar) throws(CryptoError) in
                    try unsafe wrap.wrap(scalar, into: output)
                }
            }
        }
        return EnclaveKey(publicKey: key.publicKey, blob: [Self.blobVersion] + binding + wrapped)
    }

    borrowing func signature(of digest: [UInt8], with key: EnclaveKey) throws(EnclaveError) -> [UInt8] {
        let privateKey = try privateKey(of: key)
        return try EnclaveError.catching { () throws(CryptoError) in
            try P256.signature(of: digest, with: privateKey, publicKey: key.publicKey)
        }
    }

    borrowing func sharedSecret(of key: EnclaveKey, with publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes {
        let privateKey = try privateKey(of: key)
        do throws(CryptoError) {
            return try P256.sharedSecret(of: privateKey, with: publicKey)
        } catch {
            throw error == .invalidParameters ? .invalidPublicKey : EnclaveError(error)
        }
    }

    /// Unwraps a private key; throws `foreignKey` when it is not one of this root's, or the public half is another's.
    private borrowing func privateKey(of key: EnclaveKey) throws(EnclaveError) -> SecretBytes {
        guard key.publicKey.count == P256.publicKeySize, key.blob.count == 1 + Self.bindingSize + Self.wrappedSize,
            key.blob[0] == Self.blobVersion, key.blob[1..<1 + Self.bindingSize].elementsEqual(binding)
        else { throw .foreignKey }
        let wrappingKey = try wrappingKey(for: key.publicKey)
        let wrapped = Array(key.blob[(1 + Self.bindingSize)...])
        do throws(CryptoError) {
            let wrap = try unsafe wrappingKey.withUnsafeBytes { (bytes) throws(CryptoError) in
                try unsafe KeyWrap(key: bytes)
            }
            return try unsafe SecretBytes(count: P256.privateKeySize) { (output) throws(CryptoError) in
                try unsafe wrapped.lendingBytes { (wrapped) throws(CryptoError) in
                    try unsafe wrap.unwrap(wrapped, into: output)
                }
            }
        } catch {
            throw error == .authenticationFailed ? .foreignKey : EnclaveError(error)
        }
    }

    // One for each key: the wrapped half then fits its public half alone.
    private borrowing func wrappingKey(for publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes {
        try key.derived(count: KeyWrap.keySize, salt: publicKey, info: "llavero enclave key")
    }

    private static let blobVersion: UInt8 = 1
    private static let wrappedSize = P256.privateKeySize + KeyWrap.overhead
}

extension SecretBytes {
    static func random(count: Int) throws(EnclaveError) -> SecretBytes {
        try EnclaveError.catching { () throws(CryptoError) in
            try unsafe SecretBytes(count: count) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        }
    }

    /// What HKDF makes of this secret.
    borrowing func derived(count: Int, salt: [UInt8], info: String) throws(EnclaveError) -> SecretBytes {
        try EnclaveError.catching { () throws(CryptoError) in
            try unsafe SecretBytes(count: count) { (output) throws(CryptoError) in
                try unsafe withUnsafeBytes { (secret) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: secret, salt: salt, info: Array(info.utf8), into: output)
                }
            }
        }
    }
}

extension EnclaveError {
    /// Runs `body` and throws what its errors mean to an enclave.
    static func catching<Result: ~Copyable>(
        _ body: () throws(CryptoError) -> Result
    ) throws(EnclaveError) -> Result {
        do throws(CryptoError) { return try body() } catch { throw EnclaveError(error) }
    }

    init(_ error: CryptoError) {
        switch error {
        // What a forked child has of its parent's secrets.
        case .abandoned: self = .missing
        case .outOfMemory: self = .failed(Int64(ENOMEM))
        case .randomnessUnavailable: self = .failed(Int64(EIO))
        case .authenticationFailed, .zeroKey, .invalidLength, .invalidParameters: self = .failed(Int64(EINVAL))
        case .library(let number): self = .failed(Int64(truncatingIfNeeded: number))
        }
    }
}
