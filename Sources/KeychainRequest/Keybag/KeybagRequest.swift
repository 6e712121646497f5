// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A question about the keys of a keychain, or a change of them.
package enum KeybagRequest: Sendable {
    case state
    case lock
    /// A daemon locks it again after so many seconds, whether or not it is used meanwhile; 0 stands for what the settings say.
    case unlock(Passcode, lockingAfter: UInt32 = 0)
    /// Counts like an unlock, and changes nothing.
    case verify(Passcode)
    /// The first one; after so many wrong ones in a row what it protects is erased, after 0 never.
    case setPasscode(Passcode, erasingAfter: UInt32)
    case changePasscode(from: Passcode, to: Passcode)
    case removePasscode(Passcode)
    case abandonErasedPasscode
    case makeRecoveryKey(KeybagAuthorization, seed: SecretValue?)
    case removeRecoveryKey(KeybagAuthorization)
    /// With the seed of a recovery key.
    case recover(SecretValue, into: EnclaveKind, passcode: Passcode?)
    case rotateKeys(KeybagAuthorization)
    /// Seals some items again; the second time round is the last.
    case reseal(isSecondRound: Bool)
    /// Which keys live in the enclave.
    case enclaveKeys
    /// Which items are sealed under keys that went with an old device key or passcode.
    case lostItems
    case move(EnclaveMove, KeybagAuthorization)
    /// When it locks by itself.
    case settings
    case change(KeychainSettings)
    /// Gives the room of what was removed back to the file system.
    case compact
    /// What a backup is made with.
    case backupSecrets
    /// Has the database as it is now stay readable, for a while.
    case holdView
    case letGoOfView(ViewID)
    /// The stamps of a class's rows behind one of them, in the order of rows.
    case stamps(ItemClass, behind: Int64, in: ViewID?)
    /// How many items are in access groups that the caller does not have: a backup by the caller would lack them.
    case unreached
    /// Brings items of a backup back.
    case restore(RestoreRequest)
    /// Removes what a backup would have, but for the items named; says how many that are, or would be.
    case retain([PersistentID], isRehearsal: Bool)
    /// Takes the items that there are as those that there have to be, after some were added, removed or put back from outside.
    case acceptItems
    /// Earlier versions of one item, or of all that the caller may see, newest first; before the one that was shown last.
    case history(of: PersistentReference?, before: Int64?)
    /// One earlier version, with its secret.
    case pastVersion(Int64)
    /// Makes an item again what it was in a version.
    case bringBack(Int64)
    /// Lets go of the versions of one item, or of all that the caller may see, for good.
    case forget(PersistentReference?)
    /// What the devices of a circle share.
    case sync(SyncRequest)
}

/// How many items an access group has.
package struct GroupCount: Sendable, Equatable {
    package let group: String
    package let items: Int

    package init(group: String, items: Int) { (self.group, self.items) = (group, items) }

    /// More are not told of.
    package static let most = 10_000
}

/// What authorizes a change of the keybag.
package enum KeybagAuthorization: Sendable {
    /// The passcode; opens everything.
    case passcode(Passcode)
    /// That all keys are open already: there is no passcode, or the keychain is unlocked.
    case unlocked
}

/// How a keychain moves from one enclave into another.
package struct EnclaveMove: Sendable {
    package let kind: EnclaveKind
    /// The passcode that counts in the new enclave: asked for where the keychain has one.
    package let passcode: Passcode?
    /// Whether keys that live in the old enclave may be left without it: they can never be used again.
    package let abandonsEnclaveKeys: Bool
    /// Whether to make a recovery key where there is none.
    package let makesRecoveryKey: Bool

    package init(
        to kind: EnclaveKind, passcode: Passcode?, abandonsEnclaveKeys: Bool, makesRecoveryKey: Bool
    ) {
        self.kind = kind
        self.passcode = passcode
        self.abandonsEnclaveKeys = abandonsEnclaveKeys
        self.makesRecoveryKey = makesRecoveryKey
    }
}

/// What comes back of a question about the keys, or of a change.
package enum KeybagReply: Sendable {
    case done
    case state(KeychainState)
    /// How many items went with the passcode, or cannot be opened any more after a recovery.
    case removed(Int)
    /// The seed of the recovery key that was made; nil where none was wanted.
    case recoverySeed(SecretValue?)
    case resealed(ResealingProgress)
    case references([PersistentReference])
    case settings(KeychainSettings)
    case past([PastVersion])
    /// How many bytes the file has become smaller by.
    case compacted(Int)
    case backup(BackupSecrets)
    /// nil where the file system allows none, or the disk is full.
    case view(ViewID?)
    case stamps([RowStamp])
    case unreached([GroupCount])
    /// What became of each item, and how many others were removed.
    case restored([RestoreOutcome], removed: RemovedItems)
    case sync(SyncReply)
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
