// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
package import KeychainSync

/// A device whose keys lie here in the open.
package struct TestCircleDevice: CircleDevice {
    package let card: Card
    private let keys: Keys

    private final class Keys: Sendable {
        let signing: P256.Key
        let agreement: P256.Key

        init(_ signing: consuming P256.Key, _ agreement: consuming P256.Key) {
            self.signing = signing
            self.agreement = agreement
        }
    }

    package init(
        signing: consuming P256.Key, agreement: consuming P256.Key, kind: Card.Kind = .software
    ) throws {
        guard let card = Card(signingKey: signing.publicKey, agreementKey: agreement.publicKey, kind: kind) else {
            throw CircleError.malformed
        }
        self.card = card
        keys = Keys(signing, agreement)
    }

    package init(kind: Card.Kind = .software) throws {
        try self.init(signing: P256.makeKey(), agreement: P256.makeKey(), kind: kind)
    }

    package func signature(of digest: [UInt8]) throws(CircleError) -> [UInt8] {
        do throws(CryptoError) {
            return try P256.signature(
                of: digest, with: keys.signing.privateKey, publicKey: keys.signing.publicKey)
        } catch { throw .crypto(error) }
    }

    package func sharedSecret(with publicKey: [UInt8]) throws(CircleError) -> SecretBytes {
        do throws(CryptoError) {
            return try P256.sharedSecret(of: keys.agreement.privateKey, with: publicKey)
        } catch { throw .crypto(error) }
    }
}
