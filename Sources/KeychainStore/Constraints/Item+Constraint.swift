// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
internal import KeychainRequest

/// Secrets of items that demand somebody: sealed under what is shown, before the class seals them.
extension Item {
    /// The item as it is written: its secret sealed under what its rules demand, if they demand anything.
    func constrained(_ shown: FactorSecrets, _ keybag: UnlockedKeybag, cost: PasscodeCost) throws(StoreError) -> Item {
        guard let rules = accessControl.rules, rules.isDemanding else { return self }
        if rules.requiresPassword, shown.password == nil {
            throw .demands(Demand(ways: [], password: cost, isPasswordNew: true))
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
        guard accessControl.isConstrained else { return self }
        var item = self
        item.secret =
            try secret.map { (sealed) throws(StoreError) in
                try sealed.revealed(for: operation, accessControl, shown, keybag)
            } ?? nil
        return item
    }
}

extension SecretValue {
    /// The secret inside, when what was shown is enough for the operation.
    package func revealed(
        for operation: ProtectedOperation, _ control: AccessControl, _ shown: FactorSecrets, _ keybag: UnlockedKeybag
    ) throws(StoreError) -> SecretValue? {
        guard let ways = control.constraint(on: operation).ways else { throw .operationForbidden }
        var cost: PasscodeCost?
        do throws(FactorEnvelope.Failure) {
            let envelope = try FactorEnvelope(decoding: self)
            cost = envelope.passwordCost
            if cost == nil || shown.password?.cost == cost {
                // The seal alone would also open by a way that was meant for another operation.
                guard ways.contains(where: shown.meets) else { throw FactorEnvelope.Failure.notMet }
                return try envelope.open(with: shown, keybag)
            }
        } catch {
            switch error {
            case .notMet: throw .demands(Demand(ways: ways, password: nil, isPasswordWrong: false))
            case .wrongPassword: throw .demands(Demand(ways: [], password: cost, isPasswordWrong: true))
            case .undecodable, .noWay: throw .sealing(.undecodable)
            case .crypto(let error): throw .sealing(.crypto(error))
            }
        }
        throw .demands(Demand(ways: [], password: cost, isPasswordWrong: false))
    }
}
