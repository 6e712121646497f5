// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
package import KeychainSQLite

/// Why the store did not do what an authorized request asked.
package enum StoreError: Error, Sendable, Equatable {
    case notFound
    /// What was asked for is not there, and may be in a log that was damaged and kept.
    case mayBeInKeptLog
    case duplicate
    /// The keybag or the owner changed since the keys were loaded; load them again and repeat.
    case keybagChanged
    /// A row's class is locked.
    case locked(Accessibility)
    /// The class needs a passcode and the keychain has none.
    case passcodeNeeded
    /// The keybag has lost the key of a class; a new generation has to be started.
    case classKeyMissing(Accessibility)
    /// A change would let a key leave that may not.
    case keyMayNotLeave
    /// An item demands what was not shown yet.
    case demands(Demand)
    /// An item would demand the passcode, and none is set.
    case noPasscodeToDemand
    /// An item would demand the passcode, which was set by software that knew of no such demands.
    case passcodeWithoutFactor
    /// No person can meet the access control on this machine, so what is sealed under it would be lost.
    case constraintUnavailable
    /// The access control does not allow the operation at all.
    case operationForbidden
    /// An item with access control flags, or a key of an enclave, would become synchronizable.
    case notSynchronizable
    /// A change would have an item say of its certificate what the certificate does not say.
    case certificateDisagrees(Attribute)
    /// An item is bound to fingers that are not those that are enrolled now (decision D28).
    case boundToOtherFingers
    /// All that was found is too much for one answer; or answers to others are in the way.
    case answerTooLarge
    case noRoomForAnswer
    /// The keychain's own row was made for later software, which alone may read it, or write it.
    case newerFormat(forWriting: Bool)
    /// The keychain's own row is not one, or is damaged.
    case notKeychain
    /// The keychain's own row, or its keybag, lies on a page that cannot be read.
    case unreadable(SQLiteError)
    /// Another owner has the keychain.
    case otherOwner
    /// The keychain is in a circle already; in none; of an earlier format, which has no circles.
    case inCircle, inNoCircle, tooEarlyForCircle
    /// A list cannot go on: another keychain lies in this one's place.
    case keychainReplaced
    case sealing(SealingError)
    case keybag(KeybagError)
    case sqlite(SQLiteError)
}

extension StoreError {
    /// Whether SQLite could not do what it was asked for.
    package var isOfDatabase: Bool {
        switch self {
        case .sqlite, .unreadable: true
        default: false
        }
    }

    /// Whether a page was not what its sum says.
    package var isWrongSum: Bool {
        switch self {
        case .sqlite(let error), .unreadable(let error): error.code == .damagedPage
        default: false
        }
    }

    /// What an error of the seals means for the whole request.
    ///
    /// Damage of one row (`undecodable`) comes here only where the request is about that row alone; lists pass over it.
    init(_ error: SealingError) {
        switch error {
        case .classUnavailable(let accessibility): self = .locked(accessibility)
        case .noPasscode: self = .passcodeNeeded
        case .classKeyMissing(let accessibility): self = .classKeyMissing(accessibility)
        case .undecodable, .unencodable, .crypto: self = .sealing(error)
        }
    }
}

/// Runs what only asks SQLite; its errors become the store's here.
@inline(__always)
func translating<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw .sqlite(error) }
}

/// Runs what reads the tables without which nothing else can be read: damage there is the whole keychain's.
func translatingForWhole<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    do throws(SQLiteError) { return try body() } catch {
        throw error.code.isDamagedPage ? .unreadable(error) : .sqlite(error)
    }
}

/// Runs what only seals or opens; its errors become the store's here, unless an operation decides by them.
@inline(__always)
func sealing<Result>(_ body: () throws(SealingError) -> Result) throws(StoreError) -> Result {
    do throws(SealingError) { return try body() } catch { throw StoreError(error) }
}

extension SealingError {
    /// Whether the key is not here now, so that what it seals cannot be judged.
    var isOfLockedClass: Bool { if case .classUnavailable = self { true } else { false } }
}
