// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// What a query wants of each item, and what was shown for it.
struct Wanted {
    let returning: ReturnTypes
    let shown: FactorSecrets
    /// Whether what demands somebody is passed over.
    let skipsDemanding: Bool

    /// The same wish without the data.
    var withoutData: Wanted {
        Wanted(returning: returning.subtracting(.data), shown: shown, skipsDemanding: skipsDemanding)
    }
}

extension FoundItem {
    /// The item with its secret as it was given; nil when it is to be passed over.
    func revealed(_ wanted: Wanted, _ keybag: UnlockedKeybag) throws(StoreError) -> FoundItem? {
        guard accessControl.isConstrained, let secret else { return self }
        do throws(StoreError) {
            return FoundItem(
                itemClass: itemClass, persistentID: persistentID, attributes: attributes,
                accessControl: accessControl,
                secret: try secret.revealed(for: .decrypt, accessControl, wanted.shown, keybag), keptKey: keptKey)
        } catch {
            guard case .demands = error, wanted.skipsDemanding else { throw error }
            return nil
        }
    }
}
