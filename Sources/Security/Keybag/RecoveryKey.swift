// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem

extension Llavero {
    /// The key on paper: fourteen words that open what may leave this device when the device's own key is lost.
    ///
    /// It opens items of the classes WhenUnlocked, AfterFirstUnlock and Always, never …ThisDeviceOnly.
    public struct RecoveryKey: Sendable, CustomStringConvertible {
        let key: KeychainCrypto.RecoveryKey

        init(_ key: KeychainCrypto.RecoveryKey) { self.key = key }

        init(seed: SecretValue) throws {
            do throws(CryptoError) {
                key = try ForkGate.operation { () throws(CryptoError) in
                    try KeychainCrypto.RecoveryKey(
                        seed: unsafe seed.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) })
                }
            } catch { throw Llavero.Keybag.otherReply }
        }

        /// The key whose words a person typed: in any case, shortened to four letters if they like.
        public init(words: String) throws {
            key = try LlaveroError.translating { () throws(RecoveryWordsError) in
                let text = unsafe SecretBytes(count: words.utf8.count) { unsafe $0.copyBytes(from: words.utf8) }
                return try unsafe text.withUnsafeBytes { (text) throws(RecoveryWordsError) in
                    try unsafe KeychainCrypto.RecoveryKey(words: text)
                }
            }
        }

        /// The words, to be shown once to a person who writes them down.
        ///
        /// What comes back is an ordinary string and cannot be wiped: show it and forget it.
        public var words: String {
            get throws {
                try LlaveroError.translating { () throws(RecoveryWordsError) in
                    try unsafe key.words().withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
                }
            }
        }

        /// Says nothing of the key.
        public var description: String { "RecoveryKey(redacted)" }
    }
}

extension LlaveroError {
    fileprivate static func translating<Result>(
        _ body: () throws(RecoveryWordsError) -> Result
    ) throws(LlaveroError) -> Result {
        do throws(RecoveryWordsError) { return try ForkGate.operation(body) } catch {
            throw LlaveroError(KeychainError(error))
        }
    }
}

extension KeychainError {
    fileprivate init(_ error: RecoveryWordsError) {
        switch error {
        case .wrongCount(let count):
            self.init(.parameter, "a recovery key has fourteen words", code: Int64(count))
        case .unknownWord(let position):
            self.init(.parameter, "the word is not on the list of recovery words", code: Int64(position))
        case .wrongChecksum:
            self.init(.parameter, "the checksum is wrong: one word is wrong or in the wrong place")
        case .abandoned, .noChecksum: self.init(.internalError, "the recovery key could not be used")
        }
    }
}

extension Llavero.Keybag {
    /// Makes a recovery key; one that was made before opens nothing any more.
    ///
    /// Where the keychain has a passcode, it is needed.
    public func makeRecoveryKey(passcode: Llavero.Passcode?) throws -> Llavero.RecoveryKey {
        let request = KeybagRequest.makeRecoveryKey(KeybagAuthorization(passcode), seed: nil)
        guard case .recoverySeed(let seed?) = try reply(to: request) else {
            throw Llavero.Keybag.otherReply
        }
        return try Llavero.RecoveryKey(seed: seed)
    }

    /// Does without a recovery key from now on.
    public func removeRecoveryKey(passcode: Llavero.Passcode?) throws {
        try perform(.removeRecoveryKey(KeybagAuthorization(passcode)))
    }

    /// Opens the keychain with its recovery key and hangs it on a new enclave of this machine.
    ///
    /// For a keychain whose device key is lost or whose TPM was cleared or stayed behind. Items of the classes
    /// …ThisDeviceOnly stay unreadable, unless the old device key still opens them. A passcode is set if one is given.
    public func recover(
        with key: Llavero.RecoveryKey, into enclave: Llavero.Enclave, passcode: Llavero.Passcode?
    ) throws {
        _ = try reply(
            to: .recover(SecretValue(copying: key.key.seed), into: enclave.kind, passcode: passcode?.passcode))
    }
}
