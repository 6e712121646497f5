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
        for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnersTurn
    ) throws(EnclaveError) -> NewGate

    /// Opens a gate: counts the attempt durably, then checks `key`, and on success forgets the failures.
    ///
    /// Throws `mustWait` without looking at the key while the delay of earlier failures runs; `wrongPasscode`;
    /// `gateErased` when this failure was the last one allowed, and ever after; `noSuchGate`.
    /// `now` is in seconds since 2001-01-01 UTC.
    func openGate(
        _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnersTurn
    ) throws(EnclaveError) -> SecretBytes

    /// Destroys a gate for good; that it is gone already is no failure.
    func destroyGate(_ gate: GateID, _ turn: borrowing OwnersTurn) throws(EnclaveError)

    /// The gates there are, with their failures: what a crash left over among them.
    func gates() throws(EnclaveError) -> [GateStanding]

    /// Makes a P-256 key that never leaves.
    func makeKey() throws(EnclaveError) -> EnclaveKey

    /// An ECDSA signature (DER) of a digest of any size: its leftmost 32 bytes count, as the standard has it.
    func signature(of digest: [UInt8], with key: EnclaveKey) throws(EnclaveError) -> [UInt8]

    /// The x coordinate of the shared point of ECDH with another's public key (X9.63, uncompressed, 65 bytes).
    func sharedSecret(of key: EnclaveKey, with publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes

    /// What is worth telling about it: its kind, how it keeps its secrets, what it runs on.
    func description() -> EnclaveDescription
}
