// SPDX-License-Identifier: Apache-2.0

/// Why an enclave gave nothing.
package enum EnclaveError: Error, Sendable, Equatable {
    /// Its file is not where it was; a copied folder looks like this.
    case missing
    /// Its file is there and cannot be read or written; the number is errno.
    case unreadable(Int32)
    /// Both copies in its file are damaged.
    case damaged
    /// Others than the owner can read or replace its file.
    case exposed
    /// This build has no such enclave.
    case notBuilt
    /// There is no TPM, or it does not answer; the number is tpm2-tss's.
    case unavailable(UInt32)
    /// It is the TPM the keychain was made with, and it was cleared since.
    case wasReset
    /// It is another TPM than the one the keychain was made with.
    case otherDevice
    /// The TPM refuses everybody for a while, because of too many failures of anybody's.
    case lockedOut
    /// The keybag names a gate the enclave does not have: an older copy of the keybag looks like this.
    case noSuchGate
    /// The passcode is wrong; `failures` in a row now, and so many seconds to wait before the next attempt.
    case wrongPasscode(failures: UInt32, wait: UInt32)
    /// Too many wrong passcodes: no attempt before so many seconds.
    case mustWait(UInt32)
    /// The gate was destroyed after too many wrong passcodes, as its owner had chosen.
    case gateErased
    /// The chip itself admits no more attempts at this gate.
    case gateExhausted
    /// The key was made by another enclave, or its blob is damaged.
    case foreignKey
    /// What was given as the other's public key is no point of the curve.
    case invalidPublicKey
    /// A number of the layer below.
    case failed(Int64)
}
