// SPDX-License-Identifier: Apache-2.0

/// What an item demands before it is used: a protection class, and perhaps constraints on operations.
package struct AccessControl: Sendable, Hashable {
    /// The flags of `SecAccessControlCreateWithFlags`.
    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt64
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        package static let userPresence = Flags(rawValue: 1 << 0)
        package static let biometryAny = Flags(rawValue: 1 << 1)
        package static let biometryCurrentSet = Flags(rawValue: 1 << 3)
        package static let devicePasscode = Flags(rawValue: 1 << 4)
        package static let companion = Flags(rawValue: 1 << 5)
        package static let or = Flags(rawValue: 1 << 14)
        package static let and = Flags(rawValue: 1 << 15)
        package static let privateKeyUsage = Flags(rawValue: 1 << 30)
        package static let applicationPassword = Flags(rawValue: 1 << 31)

        /// Flags that put a person or a password between the caller and the secret.
        package static let demanding: Flags = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .applicationPassword,
        ]
        package static let known: Flags = demanding.union([.or, .and, .privateKeyUsage])
    }

    /// The operations an item allows: every one, or those its flags describe.
    package enum Operations: Sendable, Hashable {
        case unrestricted
        case flags(Flags)
    }

    package let protection: Accessibility
    package let operations: Operations

    /// The access control of an item that was given a protection class alone.
    package init(protection: Accessibility) {
        self.protection = protection
        operations = .unrestricted
    }

    /// An access control with flags, or nil where flags contradict each other (semantics §7.2).
    package init?(protection: Accessibility, flags: Flags) {
        guard flags.isSubset(of: .known) else { return nil }
        if flags.isSuperset(of: [.or, .and]) || flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) {
            return nil
        }
        let withPresence: Flags = [.userPresence, .applicationPassword, .privateKeyUsage]
        if flags.contains(.userPresence), !flags.isSubset(of: withPresence) { return nil }
        self.protection = protection
        operations = .flags(flags)
    }

    /// Whether someone or something must be asked before the secret is opened.
    package var isConstrained: Bool {
        switch operations {
        case .unrestricted: false
        case .flags(let flags): !flags.isDisjoint(with: .demanding)
        }
    }
}
