// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The keychains that a daemon has, of the users whom it serves; each is opened when its user's first program comes.
package final class UserKeychains: Sendable {
    package typealias Opening = @Sendable (UInt32) throws(KeychainError) -> UserKeychain

    /// A user's place, so that one whose keychain takes long to open keeps nobody else waiting.
    private final class Slot: Sendable {
        let keychain = ForkSafeMutex<UserKeychain?>(nil)
    }

    private let open: Opening
    private let slots = ForkSafeMutex<[UInt32: Slot]>([:])

    package init(_ open: @escaping Opening) { self.open = open }

    /// One that is open already, for whoever is served at all.
    package convenience init(only keychain: UserKeychain) { self.init { (_) throws(KeychainError) in keychain } }

    /// What fails is tried again for the next who comes.
    package func keychain(of user: UInt32) throws(KeychainError) -> UserKeychain {
        let slot = slots.withLock { slots -> Slot in
            if let slot = slots[user] { return slot }
            let slot = Slot()
            slots[user] = slot
            return slot
        }
        return try slot.keychain.withLock { (keychain) throws(KeychainError) -> UserKeychain in
            if let keychain { return keychain }
            let opened = try open(user)
            keychain = opened
            return opened
        }
    }

    /// Those that are open, with whose they are.
    package var opened: [(user: UInt32, keychain: UserKeychain)] {
        slots.withLock { $0 }.compactMap { user, slot in slot.keychain.withLock { $0 }.map { (user, $0) } }
            .sorted { $0.0 < $1.0 }
    }
}
