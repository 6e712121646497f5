// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// Whose the keychain is: everybody's who opens it, or a daemon's, through which everybody goes from then on.
extension KeychainEngine {
    /// The owner's name in the database, when a daemon has the keychain; without one, programs open it themselves.
    package static let daemon = "llaverod"

    /// Takes the keychain over for the owner this engine works for; every other process finds out at its next call.
    package func takeOver() throws(KeychainError) { try setOwner(from: "", to: surroundings.owner) }

    /// Whether somebody else has the keychain.
    package var isHandedOver: Bool {
        get throws(KeychainError) {
            do throws(KeychainError) { _ = try storedKeybag() } catch {
                guard error.reason == .handedOver else { throw error }
                return true
            }
            return false
        }
    }

    /// The access groups that there are items in.
    package func groupsInUse() throws(KeychainError) -> Set<String> {
        try read { (lane) throws(StoreError) in try lane.groups() }
    }

    /// Whether another engine would be the same that opens the keychain now: no key is open here that hangs on the passcode
    /// and opens anything while the keychain is locked, and nobody has shown anything.
    package func isAsOpenedAnew() throws(KeychainError) -> Bool {
        guard contexts.areNone else { return false }
        switch try keybag().keys.lockState {
        case .noPasscode, .beforeFirstUnlock: return true
        case .unlocked: return false
        case .locked: return try !read { (lane) throws(StoreError) in try lane.hasItemsReadableAfterFirstUnlock() }
        }
    }

    /// Gives it back to whoever opens it.
    package func giveBack() throws(KeychainError) { try setOwner(from: surroundings.owner, to: "") }

    private func setOwner(from old: String, to new: String) throws(KeychainError) {
        try home.withOwnersTurn { (turn) throws(KeychainError) in
            try withKeybagConnection(forWriting: true) { (connection, _) throws(KeychainError) in
                do throws(KeychainRow.Refusal) {
                    return try KeychainRow.setOwner(from: old, to: new, with: connection, turn)
                } catch {
                    // Also on a full disk a daemon can begin and end.
                    guard case .sqlite(let cause) = error, cause.isForWantOfRoom, home.giveUpReserve() else {
                        throw KeychainError(error, forWriting: true)
                    }
                }
                defer {
                    try? connection.truncateLog()
                    home.takeReserve()
                }
                do throws(KeychainRow.Refusal) {
                    try KeychainRow.setOwner(from: old, to: new, with: connection, turn)
                } catch { throw KeychainError(error, forWriting: true) }
            }
        }
    }
}

extension KeychainError {
    static let handedOver = KeychainError(
        .handedOver,
        "a daemon has this keychain, and this program cannot reach it; start llaverod again, as `llavero unlock` does, or take it back with llaverod --give-back",
        subject: "keychain.db")
}
