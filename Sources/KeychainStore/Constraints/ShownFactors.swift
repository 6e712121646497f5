// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
internal import KeychainModel

/// What was shown for an operation, and what new seals are made with.
package struct ShownFactors: Sendable {
    package let secrets: FactorSecrets
    /// The digest of the fingers that are enrolled now; nil when there are none, or nobody has looked.
    package let currentFingers: [UInt8]?
    /// Whether somebody has looked.
    package let areFingersKnown: Bool
    /// What stretching a new application password is to cost.
    package let passwordCost: PasscodeCost

    package init(secrets: FactorSecrets, currentFingers: [UInt8]?, areFingersKnown: Bool, passwordCost: PasscodeCost) {
        self.secrets = secrets
        self.areFingersKnown = areFingersKnown
        self.currentFingers = currentFingers
        self.passwordCost = passwordCost
    }

    /// Whether nobody can open an item any more, since other fingers are enrolled now than those it is for (decision D28).
    ///
    /// Where nobody has looked which fingers those are, that is demanded first.
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
