// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
package import KeychainModel

/// The name of a circle: 16 bytes, made of what founded it.
package struct CircleID: Hashable, Sendable {
    package static let size = 16
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == CircleID.size else { return nil }
        self.bytes = bytes
    }
}

/// The name of a device: the first 16 bytes of its card's SHA-256, so a name belongs to one card only.
package struct DeviceID: Hashable, Sendable {
    package static let size = 16
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == DeviceID.size else { return nil }
        self.bytes = bytes
    }
}

/// What a circle knows a device by: its two public keys, and where their other halves live.
package struct Card: Sendable, Equatable {
    /// The kinds of places in which the private halves are.
    package enum Kind: Int64, Sendable, CaseIterable {
        case software = 0
        case tpm = 1
        /// Nowhere but in the words on paper that they are derived from.
        case words = 2
    }

    /// P-256 points, X9.63, uncompressed.
    package let signingKey: [UInt8]
    package let agreementKey: [UInt8]
    package let kind: Kind

    package init?(signingKey: [UInt8], agreementKey: [UInt8], kind: Kind) {
        for key in [signingKey, agreementKey] where key.count != P256.publicKeySize || key.first != 4 { return nil }
        (self.signingKey, self.agreementKey, self.kind) = (signingKey, agreementKey, kind)
    }

    /// The one encoding: an array of what it is, the suite, the kind, and the two keys.
    package func encoded() throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([
                .string(Card.title), .number(Card.suite), .number(kind.rawValue), .data(signingKey),
                .data(agreementKey),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        guard case .array(let parts) = try CircleCoding.decode(bytes), parts.count == 5,
            parts[0] == .string(Card.title), parts[1] == .number(Card.suite), case .number(let number) = parts[2],
            let kind = Kind(rawValue: number), case .data(let signingKey) = parts[3],
            case .data(let agreementKey) = parts[4],
            let card = Card(signingKey: signingKey, agreementKey: agreementKey, kind: kind)
        else { throw .malformed }
        self = card
    }

    package func id() throws(CircleError) -> DeviceID {
        guard let id = DeviceID(Array(try CircleCoding.digest(of: encoded()).prefix(DeviceID.size))) else {
            throw .malformed
        }
        return id
    }

    private static let title = "llavero card"
    /// P-256 with SHA-256, HPKE over it, AES-256-SIV.
    private static let suite: Int64 = 1
}

/// A device that can prove who it is: an enclave's two keys, or those that words give.
package protocol CircleDevice: Sendable {
    var card: Card { get }
    /// An ECDSA signature (DER) of a SHA-256.
    func signature(of digest: [UInt8]) throws(CircleError) -> [UInt8]
    /// The x coordinate of the point that its agreement key shares with another's.
    func sharedSecret(with publicKey: [UInt8]) throws(CircleError) -> SecretBytes
}

/// Why something of a circle's was not accepted, or could not be made.
package enum CircleError: CryptoCaused, Equatable {
    /// Bytes that are none of ours, or not in their one encoding.
    case malformed
    /// The keys that it takes are locked now.
    case locked
    /// This device lacks a key that it should have.
    case missingKey
    case crypto(CryptoError)
    /// An entry of the log that would change nothing.
    case refused(LogRefusal)
    /// The device's own keys did not do as asked: the keychain's word for why.
    case device(String)
}

/// How everything is encoded that is signed or hashed: property lists in their one DER.
enum CircleCoding {
    static func encode(_ value: PropertyList) throws(CircleError) -> [UInt8] {
        do throws(CodingError) { return try value.encoded() } catch { throw .malformed }
    }

    /// Only the one encoding of a value is read.
    static func decode(_ bytes: [UInt8]) throws(CircleError) -> PropertyList {
        do throws(CodingError) { return try PropertyList(decoding: bytes) } catch { throw .malformed }
    }

    static func digest(of bytes: [UInt8]) throws(CircleError) -> [UInt8] {
        do throws(CryptoError) { return try Digest.sha256(of: bytes) } catch { throw .crypto(error) }
    }
}
