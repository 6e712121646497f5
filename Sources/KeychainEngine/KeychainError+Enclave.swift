// SPDX-License-Identifier: Apache-2.0

package import KeychainEnclave
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
                    ? "the device key is not there; a copied folder looks like this: copy it too, or use the recovery key, as `llavero recovery use` does"
                    : "the device key is not there, and there is no recovery key; a copied folder looks like this: copy it too, or put it back from a backup",
                subject: file)
        case .unreadable(let number):
            self.init(
                ofFile: number, .notAvailable, "the device key cannot be read or written", subject: file)
        case .damaged:
            self.init(.notAvailable, "both copies of the device key are damaged", subject: file)
        case .exposed:
            self.init(
                .notAvailable, "others can read or replace the device key; set its mode to 0600 and own it",
                subject: file)
        case .notBuilt:
            self.init(
                .notAvailable, "the keychain is kept by a TPM, and this program was built without TPM support",
                subject: "TPM")
        case .unavailable(let number):
            self.init(
                .notAvailable, "the TPM does not answer; is /dev/tpmrm0 there, and may this user open it?",
                subject: "TPM", code: Int64(number))
        case .wasReset:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the TPM was cleared since the keychain was made; the recovery key opens it again, by `llavero recovery use`"
                    : "the TPM was cleared since the keychain was made, and there is no recovery key, so nothing opens it",
                subject: "TPM")
        case .otherDevice:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the keychain was made with another TPM; the recovery key opens it here, by `llavero recovery use`"
                    : "the keychain was made with another TPM, and there is no recovery key, so it opens with that TPM alone",
                subject: "TPM")
        case .lockedOut:
            self.init(
                .notAvailable, "the TPM refuses everybody for a while after too many failures; try again later",
                subject: "TPM")
        case .noSuchGate:
            self.init(
                .notAvailable, "the keybag is older than the passcode; an older copy of the database looks like this",
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
                    ? "what the passcode protected was erased after too many wrong ones; only the recovery key opens it"
                    : "what the passcode protected was erased after too many wrong ones, and there is no recovery key")
        case .gateExhausted:
            self.init(
                .notAvailable,
                hasRecoveryKey
                    ? "the TPM admits no more attempts at this passcode; only the recovery key opens it"
                    : "the TPM admits no more attempts at this passcode, and there is no recovery key", subject: "TPM")
        case .foreignKey:
            self.init(.notAvailable, "the key belongs to another enclave, or its data is damaged")
        case .invalidPublicKey: self.init(.parameter, "this is not a public key of the curve")
        case .failed(let number): self.init(.notAvailable, "the enclave failed", code: number)
        }
    }
}
