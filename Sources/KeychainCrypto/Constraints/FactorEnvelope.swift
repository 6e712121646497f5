// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// A secret that is sealed under what a person shows, before it is sealed under its class like any other.
///
/// The key it is sealed with is wrapped once for each way to it, under a key that exists only while all of the way's
/// factors are shown; an application password counts for every way. So nobody who skips the question gets an answer.
///
/// ```
/// { v: 1, id: 16 random bytes, front: {…}, cost: {…}, ways: [ { factors: number, set: data, point: data, of: data, key: data } ], sealed: data }
/// ```
package struct FactorEnvelope {
    package enum Failure: Error, Equatable {
        /// These are no sealed secret's bytes.
        case undecodable
        /// Nothing that was shown opens it.
        case notMet
        /// The application password is another one.
        case wrongPassword
        /// No way to it can ever be gone: it would be lost.
        case noWay
        case crypto(CryptoError)
    }

    /// What may be known of a key without opening it.
    package struct Front: Sendable, Equatable {
        package let publicKey: [UInt8]?
        package let bits: Int

        package init(publicKey: [UInt8]?, bits: Int) {
            self.publicKey = publicKey
            self.bits = bits
        }
    }

    /// Random, and drawn anew for each seal.
    package let id: [UInt8]
    package let front: Front?
    /// How the application password is stretched; nil when there is none.
    package let passwordCost: PasscodeCost?
    let ways: [Way]
    let sealed: [UInt8]

    /// Whether no passcode opens it any more: the factors it was sealed under are gone.
    package func hasLostPasscode(in keybag: UnlockedKeybag) -> Bool {
        let factors = ways.compactMap(\.passcodeFactor)
        return !factors.isEmpty && factors.allSatisfy { !keybag.header.passcodeFactors.contains($0) }
    }

    /// Whether a password of the item's own is needed.
    package var needsPassword: Bool { passwordCost != nil }
}

extension FactorEnvelope {
    /// Seals a secret under the rules' ways to it.
    package static func seal(
        _ secret: SecretValue?, front: Front?, under rules: AccessRules, with secrets: FactorSecrets,
        _ keybag: UnlockedKeybag
    ) throws(Failure) -> SecretValue {
        do throws(CryptoError) {
            let id = try unsafe [UInt8](count: 16) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
            let key = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer)
            }
            var ways: [Way] = []
            for way in rules.waysToSecret {
                if let way = try Way(way, rules, secrets, keybag, id, key) { ways.append(way) }
            }
            guard (1...mostWays).contains(ways.count) else { throw CryptoError.invalidParameters }
            let cost = rules.requiresPassword ? secrets.password?.cost : nil
            let envelope = FactorEnvelope(
                id: id, front: front, passwordCost: cost, ways: ways,
                sealed: try sealed(secret, key, try binding(id, front, cost, ways)))
            return try envelope.encoded()
        } catch { throw error == .invalidParameters ? .noWay : .crypto(error) }
    }

    /// Opens the secret with what was shown.
    package func open(with secrets: FactorSecrets, _ keybag: UnlockedKeybag) throws(Failure) -> SecretValue? {
        if needsPassword, secrets.password(of: passwordCost) == nil { throw .notMet }
        let binding: [UInt8]
        do throws(CryptoError) { binding = try FactorEnvelope.binding(id, front, passwordCost, ways) } catch {
            throw .crypto(error)
        }
        if let (way, key) = secrets.seals?.key(of: id), ways.indices.contains(way), ways[way].isShown(in: secrets),
            let secret = try? FactorEnvelope.opened(sealed, key.bytes, binding)
        {
            return secret
        }
        var tried = false
        for (number, way) in ways.enumerated() {
            do throws(CryptoError) {
                guard
                    let wrap = try way.wrap(
                        id, needsPassword ? secrets.password(of: passwordCost) : nil, secrets, keybag)
                else {
                    continue
                }
                tried = true
                let key = SealKey(try wrap.unwrapped(way.wrapped))
                let secret = try FactorEnvelope.opened(sealed, key.bytes, binding)
                secrets.seals?.keep(key, of: id, by: number)
                return secret
            } catch {
                guard error == .authenticationFailed else { throw .crypto(error) }
            }
        }
        // What was shown was enough for a way, and did not open it.
        throw tried ? (needsPassword ? .wrongPassword : .undecodable) : .notMet
    }

    private static func sealed(
        _ secret: SecretValue?, _ key: borrowing SecretBytes, _ binding: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let count = 1 + (secret?.count ?? 0)
        let plain = unsafe SecretBytes(count: count) { buffer in
            unsafe buffer[0] = secret == nil ? 0 : 1
            guard let secret else { return }
            unsafe secret.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: bytes)
            }
        }
        let gcm = try GCM()
        return try unsafe [UInt8](count: count + GCM.tagSize) { (output) throws(CryptoError) in
            try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                try unsafe plain.withUnsafeBytes { (plain) throws(CryptoError) in
                    try unsafe binding.lendingBytes { (binding) throws(CryptoError) in
                        try unsafe gcm.seal(key: key, additional: binding, plain: plain, into: output)
                    }
                }
            }
        }
    }

    private static func opened(
        _ sealed: [UInt8], _ key: borrowing SecretBytes, _ binding: [UInt8]
    ) throws(CryptoError) -> SecretValue? {
        let gcm = try GCM()
        let plain = try unsafe SecretBytes(count: sealed.count - GCM.tagSize) { (output) throws(CryptoError) in
            try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                try unsafe sealed.lendingBytes { (sealed) throws(CryptoError) in
                    try unsafe binding.lendingBytes { (binding) throws(CryptoError) in
                        try unsafe gcm.open(key: key, additional: binding, sealed: sealed, into: output)
                    }
                }
            }
        }
        return unsafe plain.withUnsafeBytes { bytes in
            guard unsafe bytes[0] == 1 else { return nil }
            return unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[1...]))
        }
    }
}
