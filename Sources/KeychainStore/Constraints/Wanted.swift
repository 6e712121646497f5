// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// What a query wants of each item, and what was shown for it.
struct Wanted {
    let returning: ReturnTypes
    let shown: FactorSecrets
    /// What becomes of items that demand what was not shown.
    let unmet: UnmetDemands
    /// Whether there is room for so many bytes of what is found.
    var room: (@Sendable (Int) -> AnswerRoom)?

    /// The same wish without the data.
    var withoutData: Wanted {
        Wanted(returning: returning.subtracting(.data), shown: shown, unmet: unmet, room: room)
    }
}

/// What becomes of items that demand what nobody has shown.
package enum UnmetDemands: Sendable {
    /// The demand is told, and the query ends with it.
    case told
    /// They are passed over, but for those that can be opened with what a program has given and nobody tried yet.
    case passedOver(unless: GivenCredentials)

    func passesOver(_ demand: Demand) -> Bool {
        guard case .passedOver(let given) = self else { return false }
        if demand.password != nil { return demand.isPasswordWrong || !given.contains(.password) }
        return !(given.contains(.passcode) && demand.ways.contains([.passcode]))
    }
}

/// What a program gave in a person's place.
package struct GivenCredentials: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let password = GivenCredentials(rawValue: 1)
    package static let passcode = GivenCredentials(rawValue: 2)
}

extension FoundItem {
    /// The item with its secret as it was given; nil when it is to be passed over.
    func revealed(_ wanted: Wanted, _ keybag: UnlockedKeybag) throws(StoreError) -> FoundItem? {
        guard accessControl.rules != nil, let secret else { return self }
        do throws(StoreError) {
            return FoundItem(
                itemClass: itemClass, persistentID: persistentID, attributes: attributes,
                accessControl: accessControl,
                secret: try secret.revealed(
                    under: accessControl.constraint(on: .decrypt), accessControl, wanted.shown, keybag),
                keptKey: keptKey)
        } catch {
            switch error {
            case .demands(let demand) where wanted.unmet.passesOver(demand): return nil
            // What nobody may read is no item for a query that takes what it can have.
            case .operationForbidden: if case .passedOver = wanted.unmet { return nil }
            default: break
            }
            throw error
        }
    }
}
