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

    /// Whether whoever may see the item may have its secret, without anybody else.
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
