// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
package import KeychainRequest
package import KeychainStore

/// What a keychain has beside its database: enclaves, the owner's lock, and the copy of the keybag.
package protocol KeychainHome: Sendable {
    /// The enclave of a kind, as it is; a missing one says so when it is used.
    func enclave(_ kind: EnclaveKind) throws(EnclaveError) -> any Enclave

    /// Makes an enclave with a fresh root; one of the kind that is there is put aside.
    func makeEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> any Enclave

    /// Makes an enclave with a fresh root beside the one of its kind that is in force.
    ///
    /// The keybag that names it is stored next, and that is the moment it takes over; `settlePendingEnclave` then gives it
    /// its place.
    func makePendingEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> any Enclave

    /// The enclave that was made beside another one, if there is one.
    func pendingEnclave(_ kind: EnclaveKind) -> (any Enclave)?

    /// Puts the enclave that was made beside another one in its place; the other one is put aside.
    func settlePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError)

    /// Puts aside an enclave that was made beside another one and never taken into use.
    func setAsidePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError)

    /// Removes an enclave that was made beside another one and that no keybag names, with all its secrets.
    func removePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock)

    /// Removes the enclave of a kind with all its secrets, if there is one.
    ///
    /// For the end of a move alone: what merely seems to be left over is put aside.
    func removeEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError)

    /// Puts the enclave of a kind out of the way without destroying it: nothing uses it now, and something might one day.
    func setAsideEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError)

    /// Whether there are files whose writing was begun and not finished; no such file was ever in force.
    var hasUnfinishedFiles: Bool { get }

    /// Removes such files.
    func removeUnfinishedFiles(_ turn: borrowing OwnerLock) throws(EnclaveError)

    /// Whether something of an enclave of the kind is there.
    func hasEnclave(_ kind: EnclaveKind) -> Bool

    /// Runs `body` while no other thread or process changes keybag or enclave; waits for its turn, not for ever.
    func withOwnersTurn<Result>(
        _ body: (borrowing OwnerLock) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result

    /// Runs `body` if the turn is free now.
    func withOwnersTurnIfFree(_ body: (borrowing OwnerLock) -> Void)

    /// The copy of the keybag, which a repair may need; nil when there is none, or when there is none to be kept.
    var keybagCopy: [UInt8]? { get }

    /// Whether copies of the keybag are kept at all.
    var keepsKeybagCopy: Bool { get }

    /// Keeps a copy of the keybag, in place of the last one.
    func keepCopy(ofKeybag bytes: [UInt8], _ turn: borrowing OwnerLock)

    /// When the keychain locks by itself.
    func settings() throws(KeychainError) -> KeychainSettings
    func keep(_ settings: KeychainSettings) throws(KeychainError)

    /// Where the number of commits is noted outside the folder; nil for a keychain that has no outside.
    func copyOfTally() -> (any TallyCopy)?

    /// Reserves space on the disk, unless it is reserved already: with it items can be removed on a full disk.
    func takeReserve()

    /// Gives the reserved space up; false when no space was reserved.
    func giveUpReserve() -> Bool

    /// Puts the copy of a keybag aside that is later than the one in force.
    func setAsideKeybagCopy(_ turn: borrowing OwnerLock)
}
