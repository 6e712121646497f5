// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel

extension Llavero {
    /// The keys of the keychain that this process uses, or of the isolated keychain that this task uses.
    public static var keybag: Keybag { Keybag() }

    /// What every item is sealed with, and what those keys hang on: the device, the passcode, the recovery key.
    ///
    /// Locking and unlocking act on this process alone. Everything else changes the keychain, and every process that uses
    /// it follows at its next call.
    public struct Keybag: Sendable {
        /// Opens the classes that need the passcode.
        ///
        /// Wrong passcodes are counted across processes and restarts: five are free, then there are delays of 1, 5, 15 and
        /// 60 minutes (`LlaveroError.retryAfter`).
        public func unlock(with passcode: Passcode) throws {
            try call { (engine) throws(KeychainError) in try engine.unlock(with: passcode.passcode) }
        }

        /// Locks: when this returns the keys of classes that need an unlocked device are wiped in this process.
        public func lock() throws {
            try call { (engine) throws(KeychainError) in try engine.lock() }
        }

        /// Checks a passcode, counting it like an unlock, and changes nothing.
        public func verify(_ passcode: Passcode) throws {
            try call { (engine) throws(KeychainError) in try engine.verify(passcode.passcode) }
        }

        /// Sets the keychain's first passcode; the keychain is unlocked then.
        ///
        /// After `erasingAfter` wrong ones in a row, what the passcode protects is gone for good; nil: never. A TPM admits a
        /// hundred in a row in any case, and then only the recovery key helps.
        public func setPasscode(_ passcode: Passcode, erasingAfter: UInt32?) throws {
            try call { (engine) throws(KeychainError) in
                guard erasingAfter != 0 else {
                    throw KeychainError(.parameter, "a passcode cannot be erased after no attempt at all; nil is never")
                }
                try engine.setPasscode(passcode.passcode, eraseAfter: erasingAfter ?? 0)
            }
        }

        /// Puts another passcode in place of the old one, which opens nothing from then on, not even an older copy.
        public func changePasscode(from old: Passcode, to new: Passcode) throws {
            try call { (engine) throws(KeychainError) in
                try engine.changePasscode(from: old.passcode, to: new.passcode)
            }
        }

        /// Removes the passcode, and with it every item of the class `WhenPasscodeSet`; returns how many those were.
        @discardableResult
        public func removePasscode(_ passcode: Passcode) throws -> Int {
            try call { (engine) throws(KeychainError) in try engine.removePasscode(passcode.passcode) }
        }

        /// Gives up a passcode that was erased after too many wrong ones, so that the keychain can get another.
        ///
        /// What the old one protected stays unreadable; a recovery key, if there is one, is the better way.
        public func abandonErasedPasscode() throws {
            try call { (engine) throws(KeychainError) in try engine.abandonErasedPasscode() }
        }

        /// How the keychain stands.
        public func status() throws -> Status {
            try call { (engine) throws(KeychainError) in Status(try engine.standing()) }
        }

        /// Without one operation round all of it: for what takes long and consists of many.
        func callLong<Result>(_ body: (KeychainEngine) throws(KeychainError) -> Result) throws -> Result {
            do throws(KeychainError) { return try body(try KeychainConnection.host().engine()) } catch {
                throw LlaveroError(error)
            }
        }

        func call<Result>(_ body: (KeychainEngine) throws(KeychainError) -> Result) throws -> Result {
            do throws(KeychainError) {
                return try KeychainConnection.operation { () throws(KeychainError) in
                    try body(try KeychainConnection.host().engine())
                }
            } catch { throw LlaveroError(error) }
        }
    }
}
