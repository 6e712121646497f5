// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

extension Llavero {
    /// Where the device's own key lives.
    @frozen public enum Enclave: Sendable, CaseIterable {
        /// In a file beside the database.
        case software
        /// In the machine's TPM 2.0; needs a build with the package trait `TPM`.
        case tpm
    }

    /// Whether this build can use a TPM: it was made with the package trait `TPM`.
    public static var supportsTPM: Bool {
        #if TPM
            true
        #else
            false
        #endif
    }

    /// Whether a keychain gets a recovery key.
    @frozen public enum RecoveryKeyChoice: Sendable {
        /// It gets one, which is shown once.
        case made
        /// It gets none: with its enclave, everything is lost.
        case refused
    }

    /// Makes the keychain this process uses, which must not be there yet, in an enclave of choice.
    ///
    /// Returns the recovery key, if one was wanted: show its words to the person, who writes them down. A keychain that
    /// was not made before is made with the first item, in software and without a recovery key.
    public static func createKeychain(
        in enclave: Enclave, recoveryKey: RecoveryKeyChoice
    ) throws -> RecoveryKey? {
        try LlaveroError.translating { () throws(KeychainError) in
            try ForkGate.operation { () throws(KeychainError) in
                try CurrentKeychain.host().create(in: enclave.kind, makesRecoveryKey: recoveryKey == .made)
            }
        }.map(RecoveryKey.init)
    }
}

extension Llavero.Enclave {
    var kind: EnclaveKind {
        switch self {
        case .software: .software
        case .tpm: .tpm
        }
    }

    init(_ kind: EnclaveKind) {
        switch kind {
        case .software: self = .software
        case .tpm: self = .tpm
        }
    }
}

extension Llavero.Keybag {
    /// How a keychain moves from one enclave into another.
    public struct Move: Sendable {
        /// Where to.
        public let enclave: Llavero.Enclave
        /// The passcode that counts there, which may be a new one; needed where the keychain has one.
        public let passcode: Llavero.Passcode?
        /// Whether keys that live in the old enclave may be left without it, for good.
        public let abandonsEnclaveKeys: Bool
        /// Whether to make a recovery key where there is none.
        public let recoveryKey: Llavero.RecoveryKeyChoice

        /// A move with everything said.
        public init(
            to enclave: Llavero.Enclave, passcode: Llavero.Passcode?, abandonsEnclaveKeys: Bool,
            recoveryKey: Llavero.RecoveryKeyChoice
        ) {
            self.enclave = enclave
            self.passcode = passcode
            self.abandonsEnclaveKeys = abandonsEnclaveKeys
            self.recoveryKey = recoveryKey
        }
    }

    /// Persistent references of the keys that live in the enclave: they cannot follow the keychain into another one.
    public func enclaveKeys() throws -> [Data] {
        guard case .references(let keys) = try reply(to: .enclaveKeys) else { throw Llavero.Keybag.otherReply }
        return keys.map { Data($0.bytes) }
    }

    /// Hangs the keychain on another enclave, without touching its items; returns the recovery key, if one was made.
    ///
    /// `currentPasscode` may be left out only where the keychain has none: what items demand of who knows it goes along.
    /// Keys that were made inside the old enclave cannot leave it (`enclaveKeys`).
    public func move(_ move: Move, currentPasscode: Llavero.Passcode?) throws -> Llavero.RecoveryKey? {
        let plan = EnclaveMove(
            to: move.enclave.kind, passcode: move.passcode?.passcode, abandonsEnclaveKeys: move.abandonsEnclaveKeys,
            makesRecoveryKey: move.recoveryKey == .made)
        guard case .recoverySeed(let seed) = try reply(to: .move(plan, KeybagAuthorization(currentPasscode))) else {
            throw Llavero.Keybag.otherReply
        }
        return try seed.map(Llavero.RecoveryKey.init(seed:))
    }
}
