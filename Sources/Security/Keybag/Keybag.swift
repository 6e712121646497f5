// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

extension Llavero {
    /// The keys of the keychain that this process uses, or of the isolated keychain that this task uses.
    public static var keybag: Keybag { Keybag() }

    /// What every item is sealed with, and what those keys hang on: the device, the passcode, the recovery key.
    ///
    /// Locking and unlocking act on whoever has the keys: this process alone, or the daemon, and with it every program that
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
                    KeychainError(.parameter, "a passcode cannot be erased after no attempt at all; nil is never"))
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
            guard case .standing(let standing) = try reply(to: .standing) else { throw Keybag.otherReply }
            return Status(standing)
        }

        /// Has something done that brings nothing back.
        func perform(_ request: KeybagRequest) throws {
            guard case .done = try reply(to: request) else { throw Keybag.otherReply }
        }

        func reply(to request: KeybagRequest) throws -> KeybagReply {
            do throws(KeychainError) {
                return try KeychainConnection.operation { () throws(KeychainError) in
                    try KeychainConnection.call { (keychain) throws(KeychainError) in
                        try keychain.keybag.perform(request, from: keychain.caller)
                    }
                }
            } catch { throw LlaveroError(error) }
        }

        static let otherReply = LlaveroError(
            KeychainError(.internalError, "the keychain answered something else than was asked"))
    }
}
