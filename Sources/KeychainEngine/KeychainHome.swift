// SPDX-License-Identifier: Apache-2.0

package import KeychainEnclave
package import KeychainModel

/// What a keychain has beside its database: enclaves, the owner's lock, and the copy of the keybag.
package protocol KeychainHome: Sendable {
    /// The enclave of a kind, as it is; a missing one says so when it is used.
    func enclave(_ kind: EnclaveKind) throws(EnclaveError) -> any Enclave

    /// Makes an enclave with a fresh root; what is left of an earlier one of the kind goes.
    func makeEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnersTurn
    ) throws(EnclaveError) -> any Enclave

    /// Removes the enclave of a kind with all its secrets, if there is one.
    func removeEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnersTurn) throws(EnclaveError)

    /// Puts the enclave of a kind out of the way without destroying it: it cannot be used now, and might be one day.
    func setAsideEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnersTurn) throws(EnclaveError)

    /// Whether something of an enclave of the kind is there.
    func hasEnclave(_ kind: EnclaveKind) -> Bool

    /// Runs `body` while nobody else changes keybag or enclave, in any process; waits for its turn, not for ever.
    func withOwnersTurn<Result>(
        _ body: (borrowing OwnersTurn) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result

    /// Runs `body` if the turn is free now.
    func withOwnersTurnIfFree(_ body: (borrowing OwnersTurn) -> Void)

    /// Whether the copy of the keybag, which a repair may need, is these bytes.
    func hasCopy(ofKeybag bytes: [UInt8]) -> Bool

    /// Keeps a copy of the keybag.
    func keepCopy(ofKeybag bytes: [UInt8], _ turn: borrowing OwnersTurn)
}
