// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
internal import KeychainRequest

/// What an item demands of the person and was not shown yet.
package struct Demand: Sendable, Equatable {
    /// The ways to it, each of which is enough; none when only the password is missing.
    package let ways: [Set<AccessFactor>]
    /// How the item's own password is to be stretched, when one is needed and was not shown.
    package let password: PasscodeCost?
    /// Whether what was shown as the password is another one.
    package let isPasswordWrong: Bool
    /// Whether something is about to be sealed under the password, so that a slip of the finger could not be told later.
    package let isPasswordNew: Bool
    /// The seal the password is for, which others may be asked for too; nil for a new one.
    package let seal: [UInt8]?

    /// Whether the person has to show nothing: what is missing is which fingers are enrolled now.
    package let isOfEnrolledFingers: Bool

    /// The caller has to look which fingers are enrolled now.
    package static var enrolledFingers: Demand {
        Demand(
            ways: [], password: nil, isPasswordWrong: false, isPasswordNew: false, seal: nil, isOfEnrolledFingers: true)
    }

    /// A person, on one of the ways.
    package init(ways: [Set<AccessFactor>]) {
        self.init(ways: ways, password: nil, isPasswordWrong: false, isPasswordNew: false, seal: nil)
    }

    /// The password of a seal.
    package static func password(_ cost: PasscodeCost?, of seal: [UInt8], isWrong: Bool) -> Demand {
        Demand(ways: [], password: cost, isPasswordWrong: isWrong, isPasswordNew: false, seal: seal)
    }

    /// A password for something new.
    package static func newPassword(_ cost: PasscodeCost) -> Demand {
        Demand(ways: [], password: cost, isPasswordWrong: false, isPasswordNew: true, seal: nil)
    }

    /// A password for something that is not known yet.
    package static func somePassword(_ cost: PasscodeCost) -> Demand {
        Demand(ways: [], password: cost, isPasswordWrong: false, isPasswordNew: false, seal: nil)
    }

    private init(
        ways: [Set<AccessFactor>], password: PasscodeCost?, isPasswordWrong: Bool, isPasswordNew: Bool, seal: [UInt8]?,
        isOfEnrolledFingers: Bool = false
    ) {
        self.isOfEnrolledFingers = isOfEnrolledFingers
        self.ways = ways
        self.password = password
        self.isPasswordWrong = isPasswordWrong
        self.isPasswordNew = isPasswordNew
        self.seal = seal
    }
}

/// What was shown for an operation, and what new seals are made with.
package struct ShownFactors: Sendable {
    package let secrets: FactorSecrets
    /// The digest of the fingers that are enrolled now; nil when there are none, or when the caller has not looked.
    package let currentFingers: [UInt8]?
    /// Whether the caller has looked.
    package let areFingersKnown: Bool
    /// What stretching a new application password is to cost.
    package let passwordCost: PasscodeCost

    package init(secrets: FactorSecrets, currentFingers: [UInt8]?, areFingersKnown: Bool, passwordCost: PasscodeCost) {
        self.secrets = secrets
        self.areFingersKnown = areFingersKnown
        self.currentFingers = currentFingers
        self.passwordCost = passwordCost
    }

    /// Whether an item cannot be opened any more, since other fingers are enrolled now than those it is for (decision D28).
    ///
    /// Where the caller has not looked which fingers those are, that is demanded first.
    func hasLost(_ item: Item) throws(StoreError) -> Bool {
        guard let rules = item.accessControl.rules, !rules.fingerSets.isEmpty else { return false }
        guard areFingersKnown else { throw .demands(.enrolledFingers) }
        // No finger at all may be a reader that is not plugged in.
        guard let currentFingers else { return false }
        return !rules.canBeMet(with: currentFingers)
    }

    /// The item as it is written: bound to the fingers that are enrolled now, and sealed under what it demands.
    func sealing(_ item: Item, with keybag: UnlockedKeybag) throws(StoreError) -> Item {
        guard var rules = item.accessControl.rules else { return item }
        var item = item
        if rules.needsBinding, let currentFingers {
            rules = rules.bound(to: currentFingers)
            item.accessControl.operations = .rules(rules)
        }
        return try item.constrained(secrets, keybag, cost: passwordCost)
    }
}

/// Secrets of items that demand a person: sealed under what is shown, before the class seals them.
extension Item {
    /// The item as it is written: its secret sealed under what its rules demand, if they demand anything.
    func constrained(_ shown: FactorSecrets, _ keybag: UnlockedKeybag, cost: PasscodeCost) throws(StoreError) -> Item {
        guard let rules = accessControl.rules, rules.isDemanding else { return self }
        var item = self
        let outline = itemClass == .key ? secret.flatMap { self.outline(of: $0) } : nil
        item.secret = try rules.sealing(
            secret, front: outline.map { FactorEnvelope.Front(publicKey: $0.publicKey, bits: $0.bits) }, shown, keybag,
            cost: cost)
        return item
    }
}

extension AccessRules {
    /// A secret as it is written: sealed under what the rules demand.
    func sealing(
        _ secret: SecretValue?, front: FactorEnvelope.Front?, _ shown: FactorSecrets, _ keybag: UnlockedKeybag,
        cost: PasscodeCost
    ) throws(StoreError) -> SecretValue {
        if waysToSecret.contains(where: { $0.contains(.passcode) }) {
            guard keybag.header.passcode != nil else { throw .noPasscodeToDemand }
            guard !keybag.header.passcodeFactors.isEmpty else { throw .passcodeWithoutFactor }
        }
        // One that was stretched for an older item may have been stretched for less.
        if requiresPassword, shown.password?.cost.isWeaker(than: cost) ?? true {
            throw .demands(.newPassword(cost))
        }
        do throws(FactorEnvelope.Failure) {
            return try FactorEnvelope.seal(secret, front: front, under: self, with: shown, keybag)
        } catch {
            switch error {
            case .noWay: throw .constraintUnavailable
            case .crypto(let error): throw .sealing(.crypto(error))
            case .undecodable, .notMet, .wrongPassword: throw .sealing(.undecodable)
            }
        }
    }
}

extension Item {
    /// The item with its secret as it was given, for an operation that needs it.
    func revealed(
        for operation: ProtectedOperation, _ shown: FactorSecrets, _ keybag: UnlockedKeybag
    ) throws(StoreError) -> Item {
        try revealed(under: accessControl.constraint(on: operation), shown, keybag)
    }

    /// The item with its secret as it was given, to be changed.
    func revealedForChange(_ shown: FactorSecrets, _ keybag: UnlockedKeybag) throws(StoreError) -> Item {
        try revealed(under: accessControl.constraintOnChange(of: itemClass), shown, keybag)
    }

    private func revealed(
        under constraint: AccessConstraint, _ shown: FactorSecrets, _ keybag: UnlockedKeybag
    ) throws(StoreError) -> Item {
        var item = self
        item.secret =
            try secret.map { (sealed) throws(StoreError) in
                try sealed.revealed(under: constraint, accessControl, shown, keybag)
            } ?? nil
        return item
    }
}

extension SecretValue {
    /// The secret inside, when what was shown is enough for the constraint on what is to be done with it.
    package func revealed(
        under constraint: AccessConstraint, _ control: AccessControl, _ shown: FactorSecrets, _ keybag: UnlockedKeybag
    ) throws(StoreError) -> SecretValue? {
        let shown = shown.valid(in: keybag)
        // First: what is not allowed at all is not sealed under anything either.
        guard var ways = constraint.ways else { throw .operationForbidden }
        guard control.isConstrained else { return self }
        let envelope: FactorEnvelope
        do throws(FactorEnvelope.Failure) { envelope = try shown.envelope(in: self) } catch {
            throw .sealing(.undecodable)
        }
        // A way that is closed for ever is not demanded, and without another the item is damaged.
        if envelope.hasLostPasscode(in: keybag) { ways.removeAll { $0.contains(.passcode) } }
        if ways.isEmpty { throw .sealing(.undecodable) }
        // Nor is one for fingers that are not enrolled any more; without another the item is not there (decision D28).
        ways.removeAll(where: shown.hasLost)
        if ways.isEmpty { throw .boundToOtherFingers }
        if let cost = envelope.passwordCost, shown.password(of: cost) == nil {
            throw .demands(.password(cost, of: envelope.id, isWrong: false))
        }
        // The seal alone would also open by a way that was meant for another operation.
        guard ways.contains(where: shown.meets) else { throw .demands(Demand(ways: ways)) }
        do throws(FactorEnvelope.Failure) { return try envelope.open(with: shown, keybag) } catch {
            switch error {
            case .notMet: throw .demands(Demand(ways: ways))
            case .wrongPassword: throw .demands(.password(envelope.passwordCost, of: envelope.id, isWrong: true))
            case .undecodable, .noWay: throw .sealing(.undecodable)
            case .crypto(let error): throw .sealing(.crypto(error))
            }
        }
    }
}
