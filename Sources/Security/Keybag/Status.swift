// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension Llavero {
    /// How a keychain stands towards its passcode.
    @frozen public enum LockState: Sendable {
        /// There is no passcode: never locked, and items that need a passcode cannot be stored.
        case noPasscode
        /// The passcode was not given since this process began.
        case beforeFirstUnlock
        /// Every class can be read.
        case unlocked
        /// Locked again after it had been unlocked.
        case locked
    }

    /// How a keychain stands: what can be told without its passcode.
    public struct Status: Sendable {
        /// Of whoever has the keys: this process, or the daemon.
        public let lockState: LockState
        /// Where the device's own key lives.
        public let enclave: Enclave
        /// What guards the keys and what does not, in a sentence for people.
        public let enclaveSummary: String
        /// What is wrong with the enclave or weaker than it could be.
        public let warnings: [String]
        /// Wrong passcodes in a row.
        public let failedAttempts: Int
        /// Seconds until another passcode may be tried.
        public let retryAfter: Int
        /// Wrong passcodes after which what the passcode protects is erased; nil: never.
        public let erasesAfter: Int?
        /// Whether that has happened.
        public let isErased: Bool
        /// Whether there is a recovery key.
        public let hasRecoveryKey: Bool
        /// The generation of class keys that new items are sealed under.
        public let generation: Int
        /// Whether older generations are still in use.
        public let isResealing: Bool
        /// The format of the files.
        public let format: Int

        init(_ standing: KeychainStanding) {
            switch standing.lockState {
            case .noPasscode: lockState = .noPasscode
            case .beforeFirstUnlock: lockState = .beforeFirstUnlock
            case .unlocked: lockState = .unlocked
            case .locked: lockState = .locked
            }
            enclave = Enclave(standing.enclave.kind)
            enclaveSummary = standing.enclave.summary
            warnings =
                standing.enclave.warnings
                + standing.damagedClasses.map { "the key of class \($0.name) is damaged; unlock to get a new one" }
            failedAttempts = Int(standing.attempts.failures)
            retryAfter = Int(standing.attempts.wait)
            erasesAfter = standing.eraseAfter == 0 ? nil : Int(standing.eraseAfter)
            isErased = standing.attempts.isErased
            hasRecoveryKey = standing.hasRecoveryKey
            generation = Int(standing.generation)
            isResealing = standing.isResealing
            format = Int(standing.format)
        }
    }
}
