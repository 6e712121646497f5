// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem

extension Llavero {
    /// The keys of the keychain that this process uses, or of the isolated keychain that this task uses.
    public static var keybag: Keybag { Keybag() }

    /// What every item is sealed with, and what those keys hang on: the device, the passcode, the recovery key.
    ///
    /// Locking and unlocking act on the holder of the keys: this process alone, or the daemon, and with it every program that
    /// it serves. Everything else changes the keychain, and every process that uses it follows at its next call.
    public struct Keybag: Sendable {
        /// Opens the classes that need the passcode.
        ///
        /// Wrong passcodes are counted across processes and restarts: five are free, then there are delays of 1, 5, 15 and
        /// 60 minutes (`LlaveroError.retryAfter`).
        public func unlock(with passcode: Passcode) throws {
            try perform(.unlock(passcode.passcode))
        }

        /// Locks: when this returns the keys of classes that need an unlocked device are wiped in this process.
        public func lock() throws {
            try perform(.lock)
        }

        /// Checks a passcode, counting it like an unlock, and changes nothing.
        public func verify(_ passcode: Passcode) throws {
            try perform(.verify(passcode.passcode))
        }

        /// Sets the keychain's first passcode; the keychain is unlocked then.
        ///
        /// After `erasingAfter` wrong ones in a row, what the passcode protects is gone for good; nil: never. A TPM admits a
        /// hundred in a row in any case, and then only the recovery key helps.
        public func setPasscode(_ passcode: Passcode, erasingAfter: UInt32?) throws {
            guard erasingAfter != 0 else {
                throw LlaveroError(
                    KeychainError(.parameter, "erasingAfter must be at least 1; use nil for never"))
            }
            try perform(.setPasscode(passcode.passcode, erasingAfter: erasingAfter ?? 0))
        }

        /// Puts another passcode in place of the old one, which opens nothing from then on, not even an older copy.
        public func changePasscode(from old: Passcode, to new: Passcode) throws {
            try perform(.changePasscode(from: old.passcode, to: new.passcode))
        }

        /// Removes the passcode, and with it every item of the class `WhenPasscodeSet`; returns how many those were.
        @discardableResult
        public func removePasscode(_ passcode: Passcode) throws -> Int {
            guard case .removed(let count) = try reply(to: .removePasscode(passcode.passcode)) else {
                throw Keybag.otherReply
            }
            return count
        }

        /// Gives up a passcode that was erased after too many wrong ones, so that the keychain can get another.
        ///
        /// What the old one protected stays unreadable; a recovery key, if there is one, is the better way.
        public func abandonErasedPasscode() throws {
            try perform(.abandonErasedPasscode)
        }

        /// How the keychain stands.
        public func status() throws -> Status {
            guard case .state(let state) = try reply(to: .state) else { throw Keybag.otherReply }
            return Status(state)
        }

        /// Has something done that brings nothing back.
        func perform(_ request: KeybagRequest) throws {
            guard case .done = try reply(to: request) else { throw Keybag.otherReply }
        }

        func reply(to request: KeybagRequest) throws -> KeybagReply {
            try LlaveroError.translating { () throws(KeychainError) in
                try ForkGate.operation { () throws(KeychainError) in
                    try CurrentKeychain.host().session().perform(request)
                }
            }
        }

        static let otherReply = LlaveroError(
            KeychainError(.internalError, "the keychain returned an answer of another kind than requested"))
    }
}

extension Llavero.Keybag {
    /// Starts a new generation of class keys: what is stored from now on is sealed under them.
    ///
    /// Older items stay readable, and are sealed again a few at a time after writes, or all at once by `reseal`. Where the
    /// keychain has a passcode, it is needed.
    public func rotateKeys(passcode: Llavero.Passcode?) throws {
        try perform(.rotateKeys(KeybagAuthorization(passcode)))
    }

    /// Seals every item again that is still sealed under older keys, then gives those up.
    ///
    /// `progress` hears how many of how many items were looked at; false stops, and the next call goes on from there.
    public func reseal(progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }) throws {
        var done = 0
        var isSecondRound = false
        // Step by step, so that no call waits long for the resealing.
        while true {
            guard case .resealed(let step) = try reply(to: .reseal(isSecondRound: isSecondRound)) else {
                throw Llavero.Keybag.otherReply
            }
            if step.total == 0, step.end == .ofAll { return }
            done = step.end == .notYet ? min(done + step.examined, step.total) : step.total
            guard progress(done, step.total), step.end != .ofAll else { return }
            if step.end == .ofRound { (done, isSecondRound) = (0, true) }
        }
    }
}

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
        /// Of the holder of the keys: this process, or the daemon.
        public let lockState: LockState
        /// Where the device's own key lives.
        public let enclave: Enclave
        /// What guards the keys and what does not, in a sentence for people.
        public let enclaveSummary: String
        /// What is wrong with enclave, keys or database, or weaker than it could be.
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

        init(_ state: KeychainState) {
            switch state.lockState {
            case .noPasscode: lockState = .noPasscode
            case .beforeFirstUnlock: lockState = .beforeFirstUnlock
            case .unlocked: lockState = .unlocked
            case .locked: lockState = .locked
            }
            enclave = Enclave(state.enclave.kind)
            enclaveSummary = state.enclave.summary
            warnings =
                state.enclave.warnings
                + (state.isDamaged ? ["the database is damaged; `llavero repair` saves what is intact"] : [])
                + state.damagedClasses.map { "the key of class \($0.name) is damaged; unlock to get a new one" }
            failedAttempts = Int(state.attempts.failures)
            retryAfter = Int(state.attempts.wait)
            erasesAfter = state.eraseAfter == 0 ? nil : Int(state.eraseAfter)
            isErased = state.attempts.isErased
            hasRecoveryKey = state.hasRecoveryKey
            generation = Int(state.generation)
            isResealing = state.isResealing
            format = Int(state.format)
        }
    }
}

extension KeybagAuthorization {
    init(_ passcode: Llavero.Passcode?) {
        if let passcode { self = .passcode(passcode.passcode) } else { self = .unlocked }
    }
}
