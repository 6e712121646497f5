// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
internal import KeychainRequest

/// Secrets of items that demand somebody: sealed under what is shown, before the class seals them.
extension Item {
    /// The item as it is written: its secret sealed under what its rules demand, if they demand anything.
    func constrained(_ shown: FactorSecrets, _ keybag: UnlockedKeybag, cost: PasscodeCost) throws(StoreError) -> Item {
        guard let rules = accessControl.rules, rules.isDemanding else { return self }
        if rules.waysToSecret.contains(where: { $0.contains(.passcode) }) {
            guard keybag.header.passcode != nil else { throw .noPasscodeToDemand }
            guard !keybag.header.passcodeFactors.isEmpty else { throw .passcodeWithoutFactor }
        }
        // One that was stretched for an older item may have been stretched for less.
        if rules.requiresPassword, shown.password?.cost.isWeaker(than: cost) ?? true {
            throw .demands(.newPassword(cost))
        }
        var item = self
        do throws(FactorEnvelope.Failure) {
            let outline = itemClass == .key ? secret.flatMap { self.outline(of: $0) } : nil
            item.secret = try FactorEnvelope.seal(
                secret, front: outline.map { FactorEnvelope.Front(publicKey: $0.publicKey, bits: $0.bits) },
                under: rules, with: shown, keybag)
        } catch {
            switch error {
            case .noWay: throw .constraintUnavailable
            case .crypto(let error): throw .sealing(.crypto(error))
            case .undecodable, .notMet, .wrongPassword: throw .sealing(.undecodable)
            }
        }
        return item
    }

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
        do throws(FactorEnvelope.Failure) { envelope = try FactorEnvelope(decoding: self) } catch {
            throw .sealing(.undecodable)
        }
        // A way that nobody can go any more is not demanded, and without another the item is damaged.
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
