// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// The member that fourteen words are: it is there while someone has typed them.
///
/// It reads every view, and may admit, remove and make new keys, alone.
package final class RecoveryDevice: CircleDevice {
    package let card: Card
    private let signing: P256.Key
    private let agreement: P256.Key

    package init(_ key: RecoveryKey) throws(CircleError) {
        do throws(CryptoError) {
            signing = try P256.key(of: key.seed, for: "llavero circle recovery signing")
            agreement = try P256.key(of: key.seed, for: "llavero circle recovery agreement")
        } catch { throw .crypto(error) }
        guard
            let card = Card(signingKey: signing.publicKey, agreementKey: agreement.publicKey, kind: .words)
        else { throw .malformed }
        self.card = card
    }

    /// What makes the words a member of a circle; an owner appends it, and needs the words for it.
    ///
    /// The words sign the circle themselves. Where anyone could enter a public key, a server would found a circle for a key
    /// that it has seen, and wait for what is stored there.
    package func enrolment(in circle: CircleID) throws(CircleError) -> LogAction {
        let content = try Membership.recoveryProof(of: card, in: circle)
        return .recover(card, proof: try signature(of: CircleCoding.digest(of: content)))
    }

    /// Whether a log is of a circle that these words belong to; one that someone made for them is not.
    package func isMember(of log: CircleLog) throws(CircleError) -> Bool {
        let member = try log.membership.member(card.id())
        return member?.isRecovery ?? false
    }

    package func signature(of digest: [UInt8]) throws(CircleError) -> [UInt8] {
        do throws(CryptoError) {
            return try P256.signature(of: digest, with: signing.privateKey, publicKey: signing.publicKey)
        } catch { throw .crypto(error) }
    }

    package func sharedSecret(with publicKey: [UInt8]) throws(CircleError) -> SecretBytes {
        do throws(CryptoError) { return try P256.sharedSecret(of: agreement.privateKey, with: publicKey) } catch {
            throw .crypto(error)
        }
    }
}
