// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

extension Llavero.Keybag {
    /// Makes a recovery key; one that was made before opens nothing any more.
    ///
    /// Where the keychain has a passcode, it is needed.
    public func makeRecoveryKey(passcode: Llavero.Passcode?) throws -> Llavero.RecoveryKey {
        guard case .recoverySeed(let seed?) = try reply(to: .makeRecoveryKey(KeybagAuthorization(passcode))) else {
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
