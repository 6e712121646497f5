// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainModel

/// Which program may what, as the files of the administrator say now.
package final class RuleBook: Sendable {
    /// What they said at one time.
    struct Edition: Sendable {
        let number: UInt64
        let entitlements: EntitlementTable
        let signers: SignerTable
    }

    private let entitlements: EntitlementFolder
    private let signers: SignerFolder
    private let watch: FolderWatch
    private let current: ForkSafeMutex<Edition>

    /// What the files in these folders say.
    package init(entitlements: String, signers: String) {
        self.entitlements = EntitlementFolder(path: entitlements)
        self.signers = SignerFolder(path: signers)
        // Before the files are read: what changes meanwhile is read again.
        watch = FolderWatch([entitlements, signers])
        current = ForkSafeMutex(
            Edition(number: 1, entitlements: self.entitlements.load(), signers: self.signers.load()))
    }

    var edition: Edition {
        current.withLock { current in
            if watch.hasChanged() {
                current = Edition(
                    number: current.number + 1, entitlements: entitlements.load(), signers: signers.load())
            }
            return current
        }
    }
}
