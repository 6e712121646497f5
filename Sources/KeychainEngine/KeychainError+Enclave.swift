// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainCrypto
package import KeychainModel

/// What an enclave's refusals mean, and what to do about each.
extension KeychainError {
    /// `hasRecoveryKey` is whether the keybag has one, for advice that leads somewhere.
    package init(_ error: EnclaveError, of kind: EnclaveKind, hasRecoveryKey: Bool = true) {
        let file = kind == .software ? "device.key" : "device.tpm"
        switch error {
        case .missing:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the device key is missing, as in a folder that was copied without it; copy it too, or use the recovery key (`llavero recovery use`)"
                    : "the device key is missing, as in a folder that was copied without it, and there is no recovery key, so the items are lost unless that file is put back",
                subject: file)
        case .unreadable(let number) where number == EACCES || number == EPERM:
            self.init(
                .notAvailable,
                "the device key is there, and its owner or mode does not let this user read it; make yourself its owner and set its mode to 0600",
                subject: file, code: Int64(number))
        case .unreadable(let number):
            self.init(
                ofFile: number, .notAvailable, "the device key cannot be read or written", subject: file)
        case .damaged:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "both copies of the device key are damaged; use the recovery key (`llavero recovery use`), or put back a copy of the file"
                    : "both copies of the device key are damaged, and there is no recovery key, so the items are lost unless a copy of that file is put back",
                subject: file)
        case .exposed:
            self.init(
                .notAvailable,
                "other users can read or replace the device key; make yourself its owner and set its mode to 0600",
                subject: file)
        case .notBuilt:
            self.init(
                .notAvailable,
                "a TPM keeps the keychain's keys, and this program was built without TPM support; use a build with it",
                subject: "TPM")
        case .unavailable(let number):
            self.init(
                .notAvailable, "the TPM does not answer; check that /dev/tpmrm0 exists and that this user may open it",
                subject: "TPM", code: Int64(number))
        case .wasReset:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the TPM was cleared after the keychain was made; open it with the recovery key (`llavero recovery use`)"
                    : "the TPM was cleared after the keychain was made, and there is no recovery key, so its items are lost",
                subject: "TPM")
        case .otherDevice:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the keychain was made with another TPM; open it here with the recovery key (`llavero recovery use`)"
                    : "the keychain was made with another TPM, and there is no recovery key; only that TPM can open it",
                subject: "TPM")
        case .lockedOut:
            self.init(
                .notAvailable, "the TPM is locked out after too many failures; try again later",
                subject: "TPM")
        case .noSuchGate:
            self.init(
                .notAvailable,
                "the keybag is older than the passcode, as in an older copy of the database; use the current one, or the recovery key",
                subject: "keychain.db")
        case .wrongPasscode(let failures, let wait):
            self.init(
                .authenticationFailed, "the passcode is wrong", subject: "attempt \(failures)",
                retryAfter: wait == 0 ? nil : wait)
        case .mustWait(let seconds):
            self.init(.authenticationFailed, "too many wrong passcodes", retryAfter: seconds)
        case .gateErased:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the passcode's keys were erased after too many wrong attempts; use the recovery key (`llavero recovery use`)"
                    : "the passcode's keys were erased after too many wrong attempts, and there is no recovery key, so the items they protect are lost"
            )
        case .gateExhausted:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the TPM admits no more attempts for this passcode; use the recovery key (`llavero recovery use`)"
                    : "the TPM admits no more attempts for this passcode, and there is no recovery key, so the items it protects are lost",
                subject: "TPM")
        case .foreignKey:
            self.init(.notAvailable, "the key belongs to another enclave, or its data is damaged")
        case .foreignCredential:
            self.init(.notAvailable, "this is sealed to another TPM, or for another key", subject: "TPM")
        case .invalidPublicKey: self.init(.parameter, "the public key is not a point of the curve")
        case .failed(let number): self.init(.notAvailable, "the enclave failed", code: number)
        }
    }
}

extension EnclaveKind {
    /// Runs what asks an enclave of this kind, and says what a refusal means.
    package func explaining<Result: ~Copyable>(
        hasRecoveryKey: Bool = true, _ body: () throws(EnclaveError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(EnclaveError) { return try body() } catch {
            throw KeychainError(error, of: self, hasRecoveryKey: hasRecoveryKey)
        }
    }
}
