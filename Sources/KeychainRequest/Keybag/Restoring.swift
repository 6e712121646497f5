// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What a backup of a keychain is made with.
package struct BackupSecrets: Sendable {
    package let keychain: KeychainUUID
    /// The seed of the signature that says which device made it.
    package let signer: SecretValue
    /// What only this device knows.
    package let device: SecretValue
    /// What only this device knows while the keychain is unlocked; nil while it is locked.
    package let snapshot: SecretValue?
    /// The public half of the recovery key; nil where there is none.
    package let recovery: [UInt8]?
    /// How many changes of items there were so far.
    package let commits: UInt64

    package init(
        keychain: KeychainUUID, signer: SecretValue, device: SecretValue, snapshot: SecretValue?, recovery: [UInt8]?,
        commits: UInt64
    ) {
        (self.keychain, self.signer, self.device) = (keychain, signer, device)
        (self.snapshot, self.recovery, self.commits) = (snapshot, recovery, commits)
    }
}

/// Items of a backup that are to be there again, all or none of them.
package struct RestoreRequest: Sendable {
    /// With their attributes and secrets.
    package let items: [FoundItem]
    /// Whether items that are not synchronized become what the backup says, also where they are newer here; else the later
    /// change counts.
    package let replaces: Bool
    /// Whether these are all items of the backup: with `replaces`, those that it does not have go in the same transaction.
    package let isWhole: Bool
    /// Whether it is only to be told what would become of them.
    package let isRehearsal: Bool

    package init(items: [FoundItem], replaces: Bool, isWhole: Bool, isRehearsal: Bool) {
        (self.items, self.replaces, self.isWhole) = (items, replaces, isWhole)
        self.isRehearsal = isRehearsal
    }

    /// More are not asked for at once.
    package static let mostItems = 2000
}

/// Items that a restore removed, or would: those that the backup does not have.
package struct RemovedItems: Sendable, Equatable {
    package private(set) var count = 0
    /// The first of them, to be named.
    package private(set) var first: [PersistentReference] = []

    package init() {}

    /// nil where more are named than there are.
    package init?(count: Int, first: [PersistentReference]) {
        guard first.count <= min(count, RemovedItems.mostNamed) else { return nil }
        (self.count, self.first) = (count, first)
    }

    package mutating func add(_ item: PersistentReference) {
        count += 1
        if first.count < RemovedItems.mostNamed { first.append(item) }
    }

    package mutating func add(_ others: RemovedItems) {
        count += others.count
        first += others.first.prefix(RemovedItems.mostNamed - first.count)
    }

    /// A table of more would tell nobody anything.
    package static let mostNamed = 1000
}

/// What became of an item that was to be restored.
package enum RestoreOutcome: Sendable, Equatable, CaseIterable {
    case added
    case changed
    /// The one that is here is as new, or newer, and stays.
    case kept
    /// It was removed here behind the backup, and other devices may have heard of that.
    case staysRemoved
    /// It is here just so.
    case same
    /// Another item has its name, or it is none that may be restored.
    case refused
    /// It is in an access group that the caller does not have.
    case outOfReach
}
