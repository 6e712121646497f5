// SPDX-License-Identifier: Apache-2.0

package import KeychainConnection
package import KeychainModel
package import KeychainRequest

/// The keychains that a daemon has, of the users whom it serves; each is opened when its first program comes.
package final class UserKeychains: Sendable {
    /// Where a user's keychain is that a program means.
    package typealias Placing = @Sendable (UInt32, KeychainAddress) throws(KeychainError) -> Place
    package typealias Opening = @Sendable (UInt32, Place, _ makesIt: Bool) throws(KeychainError) -> UserKeychain

    private struct Key: Hashable, Sendable {
        let user: UInt32
        let place: Place
    }

    /// A keychain's place, so that one that takes long to open keeps nobody else waiting, and nothing from being locked.
    private final class Slot: Sendable {
        /// Held by whoever opens it.
        let turn = ForkSafeMutex<Void>(())
        let keychain = ForkSafeMutex<UserKeychain?>(nil)

        var opened: UserKeychain? { keychain.withLock { $0 }.flatMap { $0.isDismissed ? nil : $0 } }
    }

    private let place: Placing
    private let open: Opening
    private let slots = ForkSafeMutex<[Key: Slot]>([:])

    package init(_ place: @escaping Placing, _ open: @escaping Opening) {
        self.place = place
        self.open = open
    }

    /// One that is open already, for whoever is served at all.
    package convenience init(only keychain: UserKeychain) {
        self.init { (_, address) throws(KeychainError) in
            guard address == .usual else { throw KeychainError(.noSuchKeychain, "there is no such keychain") }
            return .memory
        } _: { (_, _, _) throws(KeychainError) in
            keychain
        }
    }

    /// What fails is tried again for the next who comes; with `makesIt` one that is not there yet is made.
    package func keychain(
        _ address: KeychainAddress, of user: UInt32, makesIt: Bool
    ) throws(KeychainError) -> UserKeychain {
        let key = Key(user: user, place: try place(user, address))
        let slot: Slot? = slots.withLock { slots in
            if let slot = slots[key] { return slot }
            guard slots.keys.count(where: { $0.user == user }) < UserKeychains.mostOfUser else { return nil }
            let slot = Slot()
            slots[key] = slot
            return slot
        }
        guard let slot else {
            throw KeychainError(.notAvailable, "the daemon has as many keychains of this user as it keeps")
        }
        if let opened = slot.opened { return opened }
        do throws(KeychainError) {
            return try slot.turn.withLock { (_) throws(KeychainError) -> UserKeychain in
                if let opened = slot.opened { return opened }
                let opened = try open(user, key.place, makesIt)
                slot.keychain.withLock { $0 = opened }
                return opened
            }
        } catch {
            // Nobody fills the table with names of what cannot be opened.
            slots.withLock { slots in if slots[key] === slot, slot.opened == nil { slots[key] = nil } }
            throw error
        }
    }

    /// Whether it is the one that programs mean when they name none.
    func isUsual(_ keychain: UserKeychain, of user: UInt32) -> Bool { (try? place(user, .usual)) == keychain.place }

    /// Those that are open, with whose they are.
    package var opened: [(user: UInt32, keychain: UserKeychain)] {
        slots.withLock { $0 }.compactMap { key, slot in slot.opened.map { (key.user, $0) }
        }.sorted { $0.0 < $1.0 }
    }

    private static let mostOfUser = 64
}
