// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Where the keys of this device live: what a copied keychain folder lacks.
///
/// One enclave serves one keychain. It holds the device root, a gate for every passcode, and makes P-256 keys whose
/// private halves only it can use. Calls may come from any thread; an enclave takes them one after the other.
package protocol Enclave: Sendable {
    /// What the keybag records, so that another kind is never taken silently.
    var kind: EnclaveKind { get }

    /// Fetches the device root. The caller uses it and lets it go at once.
    func deviceRoot() throws(EnclaveError) -> DeviceRoot

    /// Makes a gate that opens for `key` alone, and returns its secret for the one who wraps keys with it now.
    ///
    /// It is on the disk, or in the chip, when this returns.
    func makeGate(
        for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> NewGate

    /// Opens a gate: counts the attempt durably, then checks `key`, and on success forgets the failures.
    ///
    /// Throws `mustWait` without looking at the key while the delay of earlier failures runs; `wrongPasscode`;
    /// `gateErased` when this failure was the last one allowed, and ever after; `noSuchGate`.
    /// `now` is in seconds since 2001-01-01 UTC.
    func openGate(
        _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> SecretBytes

    /// Destroys a gate for good; that it is gone already is no failure.
    func destroyGate(_ gate: GateID, _ turn: borrowing OwnerLock) throws(EnclaveError)

    /// The gates there are, with their failures: what a crash left over among them.
    func gates() throws(EnclaveError) -> [GateState]

    /// Whether all that is stored of it is whole: its file has everything twice.
    func isWhole() throws(EnclaveError) -> Bool

    /// Writes the file anew from the whole one of its two copies, where the other is damaged.
    func mend(_ turn: borrowing OwnerLock) throws(EnclaveError)

    /// Makes a P-256 key that never leaves.
    func makeKey() throws(EnclaveError) -> EnclaveKey

    /// An ECDSA signature (DER) of a digest of any size: its leftmost 32 bytes count, as the standard has it.
    func signature(of digest: [UInt8], with key: EnclaveKey) throws(EnclaveError) -> [UInt8]

    /// The x coordinate of the shared point of ECDH with another's public key (X9.63, uncompressed, 65 bytes).
    func sharedSecret(of key: EnclaveKey, with publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes

    /// What is worth telling about it: its kind, how it keeps its secrets, what it runs on.
    func description() -> EnclaveDescription
}

/// Proof that no other process changes the keychain's enclave or keybag meanwhile: the lock on the folder's `owner` file is
/// held, or, in memory, a mutex.
///
/// Who holds one may make and destroy gates, count attempts and change the keybag.
package struct OwnerLock: ~Copyable {
    /// Only the holder of the lock may create one.
    package init(uncheckedHoldingOwnerLock: Void) {}
}

/// The key from which every class key hangs, and what tells it from others of its kind.
package struct DeviceRoot: ~Copyable, Sendable {
    package let key: SecretBytes
    /// Recorded in the keybag and compared on every open; says nothing about the key.
    package let binding: [UInt8]

    package init(key: consuming SecretBytes, binding: [UInt8]) {
        self.key = key
        self.binding = binding
    }
}

/// A P-256 key of an enclave's, as it is kept outside: the public half, and a blob that means nothing elsewhere.
package struct EnclaveKey: Sendable, Equatable {
    /// X9.63, uncompressed: 04, x, y.
    package let publicKey: [UInt8]
    package let blob: [UInt8]

    package init(publicKey: [UInt8], blob: [UInt8]) {
        self.publicKey = publicKey
        self.blob = blob
    }
}

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
    /// The TPM refuses every program for a while, because of too many failures.
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
    /// What was to be opened was not sealed to this chip, or for another key.
    case foreignCredential
    /// What was given as the other's public key is no point of the curve.
    case invalidPublicKey
    /// A number of the layer below.
    case failed(Int64)
}
