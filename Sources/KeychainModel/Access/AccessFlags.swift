// SPDX-License-Identifier: Apache-2.0

/// The flags of `SecAccessControlCreateWithFlags`.
package struct AccessFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let userPresence = AccessFlags(rawValue: 1 << 0)
    package static let biometryAny = AccessFlags(rawValue: 1 << 1)
    package static let biometryCurrentSet = AccessFlags(rawValue: 1 << 3)
    package static let devicePasscode = AccessFlags(rawValue: 1 << 4)
    package static let companion = AccessFlags(rawValue: 1 << 5)
    package static let or = AccessFlags(rawValue: 1 << 14)
    package static let and = AccessFlags(rawValue: 1 << 15)
    package static let privateKeyUsage = AccessFlags(rawValue: 1 << 30)
    package static let applicationPassword = AccessFlags(rawValue: 1 << 31)

    package static let known: AccessFlags = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
        .applicationPassword,
    ]

    /// Whether the flags contradict each other or mean nothing (semantics §7.2).
    fileprivate var isContradictory: Bool {
        if !isSubset(of: .known) || isSuperset(of: [.or, .and]) { return true }
        if isSuperset(of: [.biometryAny, .biometryCurrentSet]) { return true }
        return contains(.userPresence) && !isSubset(of: [.userPresence, .applicationPassword, .privateKeyUsage])
    }
}

extension AccessRules {
    /// The rules that flags stand for, or nil where they contradict each other (semantics §7.3).
    package init?(_ flags: AccessFlags) {
        guard !flags.isContradictory else { return nil }
        let factors: [(AccessFlags, AccessFactor)] = [
            (.userPresence, .presence), (.devicePasscode, .passcode), (.biometryAny, .biometryAny),
            (.biometryCurrentSet, .biometrySet(nil)), (.companion, .companion),
        ]
        let demanded = factors.filter { flags.contains($0.0) }.map { AccessConstraint.factor($0.1) }
        let constraint: AccessConstraint =
            switch demanded.count {
            case 0: .allowed
            case 1: demanded[0]
            default: .atLeast(flags.contains(.or) ? 1 : demanded.count, of: demanded)
            }
        var rules: [ProtectedOperation: AccessConstraint] = [:]
        if flags.contains(.privateKeyUsage) {
            for operation in [ProtectedOperation.sign, .computeKey, .decapsulate] { rules[operation] = constraint }
            rules[.attest] = .allowed
            rules[.delete] = .allowed
        } else if demanded.isEmpty {
            rules[.others] = .allowed
        } else {
            rules[.decrypt] = constraint
            rules[.encrypt] = .allowed
            rules[.delete] = .allowed
        }
        self.init(rules, requiresPassword: flags.contains(.applicationPassword))
    }
}
