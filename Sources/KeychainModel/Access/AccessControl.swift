// SPDX-License-Identifier: Apache-2.0

/// What an item demands before it can be used: when its keys must be there, and who must be asked for each operation.
package struct AccessControl: Sendable, Hashable {
    /// The operations an item allows: every one, or those its rules describe.
    package enum Operations: Sendable, Hashable {
        case unrestricted
        case rules(AccessRules)
    }

    package var protection: Accessibility
    package var operations: Operations

    /// The access control of an item that was given a protection class alone.
    package init(protection: Accessibility) {
        self.protection = protection
        operations = .unrestricted
    }

    package init(protection: Accessibility, rules: AccessRules) {
        self.protection = protection
        operations = .rules(rules)
    }

    /// An access control with flags, or nil where flags contradict each other (semantics §7.2).
    package init?(protection: Accessibility, flags: AccessFlags) {
        guard let rules = AccessRules(flags) else { return nil }
        self.init(protection: protection, rules: rules)
    }

    package var rules: AccessRules? {
        switch operations {
        case .unrestricted: nil
        case .rules(let rules): rules
        }
    }

    /// What must be met before an operation.
    package func constraint(on operation: ProtectedOperation) -> AccessConstraint {
        guard let rules else { return .allowed }
        return rules.constraint(on: operation)
    }

    /// What must be met before anything about an item is changed: whatever its secret would be given for.
    ///
    /// Else the rule that is easiest to meet would let all the others be replaced.
    package func constraintOnChange(of itemClass: ItemClass) -> AccessConstraint {
        guard let rules else { return .allowed }
        let reads = !(itemClass == .key && isForEnclave)
        let constraints = AccessRules.ofSecret.map { rules.constraint(on: $0) }.filter { $0.ways != nil }
        guard !constraints.isEmpty, !reads || rules.constraint(on: .decrypt).ways != nil else { return .forbidden }
        return .atLeast(constraints.count, of: constraints)
    }

    /// Whether the secret is sealed under more than its class: a person or a password stands between.
    package var isConstrained: Bool { rules?.isDemanding ?? false }

    /// Whether a program that may see the item may have its secret without authentication.
    package var letsSecretOut: Bool { !isConstrained && constraint(on: .decrypt).ways != nil }

    /// Whether it is one for keys that an enclave has.
    package var isForEnclave: Bool { rules?.isForEnclave ?? false }
}

/// What an access control can have a say in.
package enum ProtectedOperation: String, Sendable, Hashable, CaseIterable {
    case decrypt
    case encrypt
    case sign
    case computeKey
    case decapsulate
    case attest
    case delete
    /// Every operation that is not named.
    case others = "default"
}

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
