// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// How a keychain stands: everything that can be told without a passcode.
package struct KeychainStanding: Sendable, Equatable {
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

    package init(
        lockState: LockState, enclave: EnclaveDescription, eraseAfter: UInt32, attempts: Attempts,
        hasRecoveryKey: Bool, generation: UInt32, isResealing: Bool, damagedClasses: [Accessibility], format: Int64
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
    }
}
