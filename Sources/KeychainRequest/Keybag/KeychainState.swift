// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// How a keychain stands: everything that can be told without a passcode.
package struct KeychainState: Sendable, Equatable {
    package let lockState: LockState
    package let enclave: EnclaveDescription
    /// After how many wrong passcodes in a row what they protect is erased; 0: never.
    package let eraseAfter: UInt32
    package let attempts: Attempts
    package let hasRecoveryKey: Bool
    package let generation: UInt32
    /// Whether items may be left that are sealed under an earlier generation.
    package let isResealing: Bool
    /// Classes whose key is damaged.
    package let damagedClasses: [Accessibility]
    package let format: Int64
    /// Whether the last quick examination of the database found damage, or an operation met some: there is one after an unclean
    /// end, and a daemon makes one each day.
    package let isDamaged: Bool

    /// What was tried at the passcode.
    package struct Attempts: Sendable, Equatable {
        /// Wrong ones in a row, and the seconds until the next may be tried.
        package let failures: UInt32
        package let wait: UInt32
        package let isErased: Bool

        package init(failures: UInt32, wait: UInt32, isErased: Bool) {
            self.failures = failures
            self.wait = wait
            self.isErased = isErased
        }
    }

    /// Changes that had been stored and are missing; nil where none are known to be.
    package var lostChanges: LostChanges?
    /// Why its daemon can store nothing, or next to nothing, for its user; nil where it can.
    package var lackOfRoom: LackOfRoom?

    package enum LackOfRoom: Sendable, CaseIterable {
        /// Less than 1 MiB is left of what the daemon gives each user of the disk.
        case quota
        case fullDisk
        case readOnlyDisk
    }

    package init(
        lockState: LockState, enclave: EnclaveDescription, eraseAfter: UInt32, attempts: Attempts,
        hasRecoveryKey: Bool, generation: UInt32, isResealing: Bool, damagedClasses: [Accessibility], format: Int64,
        isDamaged: Bool
    ) {
        self.lockState = lockState
        self.enclave = enclave
        self.eraseAfter = eraseAfter
        self.attempts = attempts
        self.hasRecoveryKey = hasRecoveryKey
        self.generation = generation
        self.isResealing = isResealing
        self.damagedClasses = damagedClasses
        self.format = format
        self.isDamaged = isDamaged
    }
}

/// Changes of items that had been stored and are missing: an older copy of the keychain was put in place, or its log was lost.
package struct LostChanges: Sendable, Equatable {
    package let commits: UInt64
    /// When the last of them was, in seconds since 2001-01-01 UTC.
    package let time: Double

    package init(commits: UInt64, time: Double) { (self.commits, self.time) = (commits, time) }
}

/// When a keychain locks by itself: a daemon that has it does so.
package struct KeychainSettings: Sendable, Equatable {
    /// Whether it locks together with its user's session, and when the machine sleeps.
    package var locksWithSession: Bool
    /// Seconds without a call after which it locks; nil for never.
    package var timeout: UInt32?

    package init(locksWithSession: Bool, timeout: UInt32?) {
        self.locksWithSession = locksWithSession
        self.timeout = timeout
    }

    /// The settings of a keychain that has none of its own.
    package static let usual = KeychainSettings(locksWithSession: true, timeout: nil)
}

/// The row behind which an examination goes on.
package struct CheckPosition: Sendable, Equatable {
    package let itemClass: ItemClass
    package let row: Int64

    package init(itemClass: ItemClass, row: Int64) { (self.itemClass, self.row) = (itemClass, row) }
}

/// What one part of an examination of a keychain came to.
package struct CheckedPart: Sendable, Equatable {
    /// What is wrong; places, never values.
    package var findings: [String]
    /// The rows that were come to, those that are locked among them.
    package var rows: Int
    /// How many of these could not be opened, because their class is locked.
    package var locked: Int
    /// How many rows there are in all.
    package var total: Int
    /// nil when this was the last part.
    package var next: CheckPosition?

    package init(findings: [String], rows: Int, locked: Int, total: Int, next: CheckPosition?) {
        (self.findings, self.rows, self.locked) = (findings, rows, locked)
        (self.total, self.next) = (total, next)
    }
}
