// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

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

/// The factors that keys are made of; the numbers are those in envelopes.
enum FactorKind: UInt8, CaseIterable {
    case passcode = 1
    case fingers = 2
    case fingerSet = 4
}

extension FactorEnvelope.Way {
    /// The way of a set of factors; nil for one that nobody can ever go here.
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
        if let share { secret = FactorKey.joined(secret, share.bytes) }
        if factors.contains(.fingers) { secret = FactorKey.joined(secret, try keybag.fingerKey(of: nil)) }
        if factors.contains(.fingerSet) { secret = FactorKey.joined(secret, try keybag.fingerKey(of: set)) }
        if let password { secret = FactorKey.joined(secret, password.key) }
        let kinds = factors.reduce(UInt8(0)) { $0 | $1.rawValue }
        let info = [kinds, password == nil ? 0 : 1] + (set ?? []) + (point ?? []) + (passcodeFactor ?? [])
        let key = try FactorKey.derived(from: secret, salt: id, info: "llavero way", info)
        return try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyWrap(key: key) }
    }
}
