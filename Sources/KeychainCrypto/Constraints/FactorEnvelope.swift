// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// A secret that is sealed under what a person shows, before it is sealed under its class like any other.
///
/// The key it is sealed with is wrapped once for each way to it, under a key that exists only while all of the way's
/// factors are shown; an application password counts for every way. So a program that skips the question gets no answer.
///
/// ```
/// { v: 1, id: 16 random bytes, front: {…}, cost: {…}, ways: [ { factors: number, set: data, point: data, of: data, key: data } ], sealed: data }
/// ```
package struct FactorEnvelope {
    package enum Failure: Error, CryptoCaused, Equatable {
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
    /// What the secret is bound to, where it was worked out before.
    var knownBinding: [UInt8]?

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
        let binding = try self.binding()
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

    /// What the secret is bound to.
    func binding() throws(Failure) -> [UInt8] {
        if let knownBinding { return knownBinding }
        return try Failure.translating { () throws(CryptoError) in
            try FactorEnvelope.binding(id, front, passwordCost, ways)
        }
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

extension FactorEnvelope {
    /// One way to the key.
    struct Way {
        let factors: [FactorKind]
        /// The set of fingers it is for, where it is for one.
        let set: [UInt8]?
        /// The public half of a key made for this seal, where the passcode is a factor.
        let point: [UInt8]?
        /// The public half of the passcode's factor that was the newest then.
        let passcodeFactor: [UInt8]?
        let wrapped: [UInt8]
    }
}

extension FactorEnvelope.Way {
    /// The way of a set of factors; nil for one that this machine can never meet.
    init?(
        _ factors: Set<AccessFactor>, _ rules: AccessRules, _ secrets: FactorSecrets, _ keybag: UnlockedKeybag,
        _ id: [UInt8], _ key: borrowing SecretBytes
    ) throws(CryptoError) {
        var kinds: Set<FactorKind> = []
        var set: [UInt8]?
        for factor in factors {
            switch factor {
            case .passcode: kinds.insert(.passcode)
            case .biometryAny: kinds.insert(.fingers)
            case .biometrySet(let fingers):
                kinds.insert(.fingerSet)
                guard let fingers, set == nil || set == fingers else { return nil }
                set = fingers
            case .presence, .companion: return nil
            }
        }
        var share: FactorShare?
        var point: [UInt8]?
        var passcodeFactor: [UInt8]?
        if kinds.contains(.passcode) {
            guard keybag.header.passcode != nil, let newest = keybag.header.passcodeFactors.last else { return nil }
            let once = try PasscodeFactor.fresh()
            point = once.publicKey
            passcodeFactor = newest
            share = try once.share(with: newest)
        }
        self.factors = kinds.sorted { $0.rawValue < $1.rawValue }
        self.set = set
        self.point = point
        self.passcodeFactor = passcodeFactor
        let password = rules.requiresPassword ? secrets.password : nil
        if rules.requiresPassword, password == nil { return nil }
        let wrap = try Self.wrap(self.factors, set, point, passcodeFactor, share, password, keybag, id)
        wrapped = try wrap.wrapped(key)
    }

    /// Whether all of its factors are shown; the password is another matter.
    func isShown(in secrets: FactorSecrets) -> Bool {
        if factors.contains(.fingers), !secrets.hasFinger { return false }
        if factors.contains(.fingerSet), secrets.fingers == nil || secrets.fingers != set { return false }
        return !factors.contains(.passcode) || factor(in: secrets) != nil
    }

    /// The passcode's factor that was the newest when this was sealed.
    private func factor(in secrets: FactorSecrets) -> PasscodeFactor? {
        secrets.passcode.first { $0.publicKey == passcodeFactor }
    }

    /// The wrap of this way when its factors are shown; nil when one is missing.
    func wrap(
        _ id: [UInt8], _ password: PasswordFactor?, _ secrets: FactorSecrets, _ keybag: UnlockedKeybag
    ) throws(CryptoError) -> KeyWrap? {
        guard isShown(in: secrets) else { return nil }
        var share: FactorShare?
        if factors.contains(.passcode) {
            guard let point, let factor = factor(in: secrets) else { return nil }
            share = try factor.share(with: point)
        }
        return try Self.wrap(factors, set, point, passcodeFactor, share, password, keybag, id)
    }

    private static func wrap(
        _ factors: [FactorKind], _ set: [UInt8]?, _ point: [UInt8]?, _ passcodeFactor: [UInt8]?,
        _ share: FactorShare?, _ password: PasswordFactor?, _ keybag: UnlockedKeybag, _ id: [UInt8]
    ) throws(CryptoError) -> KeyWrap {
        // Never without the keybag's own: a way without factors is one that only the class and the password guard.
        var secret = try FactorKey.derived(
            from: keybag.indexKey, salt: keybag.header.keychain.bytes, info: "llavero constraint")
        if let share { secret = SecretBytes.joined(secret, share.bytes) }
        if factors.contains(.fingers) { secret = SecretBytes.joined(secret, try keybag.fingerKey(of: nil)) }
        if factors.contains(.fingerSet) { secret = SecretBytes.joined(secret, try keybag.fingerKey(of: set)) }
        if let password { secret = SecretBytes.joined(secret, password.key) }
        let kinds = factors.reduce(UInt8(0)) { $0 | $1.rawValue }
        let info = [kinds, password == nil ? 0 : 1] + (set ?? []) + (point ?? []) + (passcodeFactor ?? [])
        let key = try FactorKey.derived(from: secret, salt: id, info: "llavero way", info)
        return try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyWrap(key: key) }
    }
}

/// The factors that keys are made of; the numbers are those in envelopes.
enum FactorKind: UInt8, CaseIterable {
    case passcode = 1
    case fingers = 2
    case fingerSet = 4
}
