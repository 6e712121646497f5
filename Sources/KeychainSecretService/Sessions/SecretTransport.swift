// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// How secrets travel in one session between a program and this service.
package enum SecretTransport: Sendable {
    case plain
    /// Under a key of 16 bytes that both sides agreed on.
    // In ordinary memory: every program on the bus may open sessions, and none of them shall push the keys of
    // keychains out of locked memory.
    case aes(SecretValue)

    /// What OpenSession calls them.
    package static let plainName = "plain"
    package static let aesName = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// Answers a program's public key with one of ours; throws `refusedKey` when anybody could tell what comes of it.
    package static func agree(
        withPublicKey bytes: SecretValue
    ) throws(SecretTransportError) -> (transport: SecretTransport, publicKey: [UInt8]) {
        let offer = try SecretOffer()
        return (try offer.transport(withPublicKey: bytes), offer.publicKey)
    }

    /// A secret as it travels to the program.
    package func seal(
        _ secret: SecretValue
    ) throws(SecretTransportError) -> (parameters: [UInt8], value: SecretValue) {
        guard case .aes(let key) = self else { return ([], secret) }
        do throws(CryptoError) {
            let vector = try unsafe [UInt8](count: ChainedCipher.blockSize) { (bytes) throws(CryptoError) in
                try unsafe fillRandom(bytes)
            }
            let sealed = try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe ChainedCipher.seal(secret, key: key, vector: vector)
                }
            }
            return (vector, sealed)
        } catch { throw .crypto(error) }
    }

    /// A secret as it came from the program; throws `unreadable` when it is not sealed for this session.
    // Plain secrets have no parameters, but what a program writes there harms nobody.
    package func open(parameters: SecretValue, value: SecretValue) throws(SecretTransportError) -> SecretValue {
        guard case .aes(let key) = self else { return value }
        guard parameters.count == ChainedCipher.blockSize else { throw .unreadable }
        let vector = unsafe parameters.withUnsafeBytes { unsafe [UInt8]($0) }
        do throws(CryptoError) {
            return try unsafe value.withUnsafeBytes { (value) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe ChainedCipher.open(value, key: key, vector: vector)
                }
            }
        } catch {
            switch error {
            case .authenticationFailed, .invalidLength: throw .unreadable
            case .zeroKey, .invalidParameters, .randomnessUnavailable, .outOfMemory, .abandoned, .library:
                throw .crypto(error)
            }
        }
    }
}

/// One side of an agreement about how secrets travel, before the other side's public key is known.
package struct SecretOffer: ~Copyable {
    private let own: OakleyKey

    package init() throws(SecretTransportError) {
        do throws(CryptoError) { own = try OakleyKey() } catch { throw .crypto(error) }
    }

    package var publicKey: [UInt8] { own.publicKey }

    /// What both sides come to; throws `refusedKey` when anybody could tell what that is.
    package borrowing func transport(
        withPublicKey bytes: SecretValue
    ) throws(SecretTransportError) -> SecretTransport {
        do throws(CryptoError) {
            let shared = try unsafe bytes.withUnsafeBytes { (bytes) throws(CryptoError) in
                try unsafe own.sharedSecret(with: bytes)
            }
            return .aes(
                try unsafe SecretValue(count: ChainedCipher.keySize) { (output) throws(CryptoError) in
                    try unsafe shared.withUnsafeBytes { (shared) throws(CryptoError) in
                        try unsafe KeyDerivation.hkdf(secret: shared, salt: [], info: [], into: output)
                    }
                })
        } catch {
            switch error {
            case .authenticationFailed, .invalidLength: throw .refusedKey
            case .zeroKey, .invalidParameters, .randomnessUnavailable, .outOfMemory, .abandoned, .library:
                throw .crypto(error)
            }
        }
    }
}

/// Why a secret could not travel.
package enum SecretTransportError: Error, Equatable, Sendable {
    /// A public key with which the agreement would be no secret, or that is no number of the group.
    case refusedKey
    /// No initial vector of 16 bytes, no whole blocks, or no padding at the end of them.
    case unreadable
    case crypto(CryptoError)
}
