// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
internal import KeychainSystem

/// What a person has shown so far, as the secrets that open what is sealed under it.
///
/// The holder of the object can use them; they are wiped with it.
package final class FactorSecrets: Sendable {
    /// There only after the passcode opened them.
    package let passcode: [PasscodeFactor]
    /// The passcode that did: once it is changed or removed, it has shown nothing any more.
    private let opener: PasscodeParameters?
    /// What an application password became, for each cost it was stretched with.
    private let passwords: [PasswordFactor]
    /// Whether an enrolled finger was shown.
    package let hasFinger: Bool
    /// The digest of the set it is one of, if that was looked at and is the one that is enrolled now.
    package let fingers: [UInt8]?
    /// The digest of the set that is enrolled now, whichever finger was shown; nil when the reader was not asked, or has no enrolled finger.
    private let enrolled: [UInt8]?
    /// What was opened with it before; nil where nothing is remembered.
    let seals: OpenedSeals?

    package init(
        passcode: [PasscodeFactor], openedBy opener: PasscodeParameters?, password: PasswordFactor?,
        stretchedAlso more: [PasswordFactor] = [], hasFinger: Bool, fingers: [UInt8]?,
        enrolled: [UInt8]? = nil, seals: OpenedSeals? = nil
    ) {
        self.enrolled = enrolled
        self.seals = seals
        self.passcode = passcode
        self.opener = opener
        passwords = (password.map { [$0] } ?? []) + more
        self.hasFinger = hasFinger
        self.fingers = fingers
    }

    /// Nothing was shown.
    package static let none = FactorSecrets(
        passcode: [], openedBy: nil, password: nil, hasFinger: false, fingers: nil)

    /// What of it still counts with the keybag as it is now.
    package func valid(in keybag: UnlockedKeybag) -> FactorSecrets {
        guard !passcode.isEmpty, opener == nil || opener != keybag.header.passcode else { return self }
        return FactorSecrets(
            passcode: [], openedBy: nil, password: nil, stretchedAlso: passwords, hasFinger: hasFinger,
            fingers: fingers, enrolled: enrolled, seals: seals)
    }

    /// The envelope that a secret is, where it is sealed under what is shown; one that was read before is known again.
    package func envelope(in secret: SecretValue) throws(FactorEnvelope.Failure) -> FactorEnvelope {
        let bytes = unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }
        guard let seals else { return try FactorEnvelope(decoding: bytes) }
        return try seals.envelope(bytes)
    }

    /// The password as it is dearest to guess, for what is sealed now.
    package var password: PasswordFactor? {
        passwords.reduce(nil) { dearest, next in
            guard let dearest, !dearest.cost.isWeaker(than: next.cost) else { return next }
            return dearest
        }
    }

    /// The password as it was stretched for something that is sealed already.
    package func password(of cost: PasscodeCost?) -> PasswordFactor? { passwords.first { $0.cost == cost } }

    /// Whether it is known that a way can no longer be met: it is for other fingers than those that are enrolled now.
    package func hasLost(_ way: Set<AccessFactor>) -> Bool {
        enrolled.map { way.isForOtherFingers(than: $0) } ?? false
    }

    /// Whether a way's factors are all there; the password is another matter.
    package func meets(_ way: Set<AccessFactor>) -> Bool {
        way.allSatisfy { factor in
            switch factor {
            case .passcode: !passcode.isEmpty
            case .biometryAny: hasFinger
            case .biometrySet(let set): fingers != nil && set == fingers
            case .presence: !passcode.isEmpty || hasFinger
            case .companion: false
            }
        }
    }
}

/// The private half of one of the passcode's factors, which hangs on the passcode in the keybag; the public one is in the
/// header.
package final class PasscodeFactor: Sendable {
    let privateKey: SecretBytes
    package let publicKey: [UInt8]

    init(_ privateKey: consuming SecretBytes) throws(CryptoError) {
        publicKey = try KeyAgreement.publicKey(of: privateKey)
        self.privateKey = privateKey
    }

    static func fresh() throws(CryptoError) -> PasscodeFactor {
        try PasscodeFactor(
            try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) })
    }

    /// What it shares with a key that was made for one seal.
    func share(with point: [UInt8]) throws(CryptoError) -> FactorShare {
        FactorShare(try KeyAgreement.sharedSecret(of: privateKey, with: point))
    }
}

/// What two keys share.
final class FactorShare: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

/// An application password, made dear to guess.
package final class PasswordFactor: Sendable {
    let key: SecretBytes
    package let cost: PasscodeCost

    /// Stretches a password; takes the time and the memory that the cost says.
    ///
    /// `pepper` is the keychain's: what hangs on the device alone, so that a stolen item cannot be guessed at elsewhere.
    /// Not for inside a transaction.
    package init(
        _ password: borrowing SecretBytes, of keychain: KeychainUUID, pepper: borrowing SecretBytes, cost: PasscodeCost
    ) throws(CryptoError) {
        self.cost = cost
        let stretched = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in
            try unsafe password.withUnsafeBytes { (password) throws(CryptoError) in
                try unsafe KeyDerivation.scrypt(
                    passcode: password, salt: keychain.bytes, log2N: cost.log2N, r: cost.r, p: cost.p, into: buffer)
            }
        }
        key = try FactorKey.derived(
            from: SecretBytes.joined(stretched, pepper), salt: keychain.bytes, info: "llavero application password")
    }
}

/// What was opened under what one context has: the keys of seals, so that the next reading need not agree on them again, and
/// the envelopes, so that it need not take them apart again.
///
/// It goes when what is shown changes, with everything in it.
package final class OpenedSeals: Sendable {
    private struct Opened: Sendable {
        let way: Int
        let key: SealKey
    }

    private let opened = ForkSafeMutex<[[UInt8]: Opened]>([:])
    /// By their bytes, so that one that was changed is another one.
    private let envelopes = ForkSafeMutex<[[UInt8]: FactorEnvelope]>([:])

    package init() {}

    /// The key of a seal, and the number of the way it was opened by.
    func key(of seal: [UInt8]) -> (way: Int, key: SealKey)? {
        opened.withLock { $0[seal] }.map { ($0.way, $0.key) }
    }

    func keep(_ key: SealKey, of seal: [UInt8], by way: Int) {
        opened.withLock { opened in
            if opened.count >= OpenedSeals.most { opened = [:] }
            opened[seal] = Opened(way: way, key: key)
        }
    }

    /// The envelope that has these bytes, taken apart once.
    func envelope(_ bytes: [UInt8]) throws(FactorEnvelope.Failure) -> FactorEnvelope {
        if let known = envelopes.withLock({ $0[bytes] }) { return known }
        var envelope = try FactorEnvelope(decoding: bytes)
        envelope.knownBinding = try envelope.binding()
        if bytes.count <= OpenedSeals.largestEnvelope {
            envelopes.withLock { envelopes in
                if envelopes.count >= OpenedSeals.most { envelopes = [:] }
                envelopes[bytes] = envelope
            }
        }
        return envelope
    }

    /// More than a program reads again and again.
    private static let most = 256
    /// Of a password's or a key's size; a large secret costs more than its envelope.
    private static let largestEnvelope = 4096
}

/// What one seal's content is encrypted with.
final class SealKey: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

/// Derivations of the keys that items are sealed under besides their class.
enum FactorKey {
    static func derived(
        from secret: borrowing SecretBytes, salt: [UInt8], info: String, _ more: [UInt8] = []
    ) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in
            try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe KeyDerivation.hkdf(secret: secret, salt: salt, info: Array(info.utf8) + more, into: buffer)
            }
        }
    }
}

extension UnlockedKeybag {
    /// What application passwords are stretched with besides: in the keybag of this device, and nowhere else.
    package func passwordPepper() throws(CryptoError) -> SecretBytes {
        try FactorKey.derived(from: indexKey, salt: header.keychain.bytes, info: "llavero password pepper")
    }

    /// The key of a set of fingers, or of any.
    ///
    /// A reader says yes or no and gives no key, so this one hangs on nothing but the keybag: that a finger was shown is
    /// the engine's word.
    func fingerKey(of set: [UInt8]?) throws(CryptoError) -> SecretBytes {
        try FactorKey.derived(
            from: indexKey, salt: header.keychain.bytes, info: set == nil ? "llavero any finger" : "llavero fingers",
            set ?? [])
    }
}
