// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainModel

/// Which program may what, as the files of the administrator say now.
final class RuleBook: Sendable {
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

    init(entitlements: EntitlementFolder, signers: SignerFolder) {
        self.entitlements = entitlements
        self.signers = signers
        // Before the files are read: what changes meanwhile is read again.
        watch = FolderWatch([entitlements.path, signers.path])
        current = ForkSafeMutex(
            Edition(number: 1, entitlements: entitlements.load(), signers: signers.load()))
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
