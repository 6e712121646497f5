// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What comes back of a question about the keys, or of a change.
package enum KeybagReply: Sendable {
    case done
    case standing(KeychainStanding)
    /// How many items went with the passcode, or cannot be opened any more after a recovery.
    case removed(Int)
    /// The seed of the recovery key that was made; nil where none was wanted.
    case recoverySeed(SecretValue?)
    case resealed(ResealingProgress)
    case references([PersistentReference])
    case settings(KeychainSettings)
}

/// How far the sealing-again has come with one step.
package struct ResealingProgress: Sendable, Equatable {
    package enum End: Sendable, Equatable, CaseIterable {
        /// There are more items to look at.
        case notYet
        /// All were looked at, and some could not be sealed again: they are looked at once more.
        case ofRound
        case ofAll
    }

    /// The items that were looked at, of how many.
    package let examined: Int
    package let total: Int
    package let end: End

    package init(examined: Int, total: Int, end: End) {
        self.examined = examined
        self.total = total
        self.end = end
    }
}
