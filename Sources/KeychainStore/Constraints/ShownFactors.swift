// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
internal import KeychainModel

/// What was shown for an operation, and what new seals are made with.
package struct ShownFactors: Sendable {
    package let secrets: FactorSecrets
    /// The digest of the fingers that are enrolled now; nil when there are none.
    package let currentFingers: [UInt8]?
    /// What stretching a new application password is to cost.
    package let passwordCost: PasscodeCost

    package init(secrets: FactorSecrets, currentFingers: [UInt8]?, passwordCost: PasscodeCost) {
        self.secrets = secrets
        self.currentFingers = currentFingers
        self.passwordCost = passwordCost
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
