// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainSystem
internal import Synchronization

/// Where the daemon's keychains are, one for each place, so that one that takes long to open keeps no other client waiting,
/// and nothing from being locked.
final class KeychainSlots: Sendable {
    struct Key: Hashable, Sendable {
        let user: UInt32
        let place: Place
    }

    /// What is, or may be, open at one place.
    final class Slot: Sendable {
        private let keychain = ForkSafeMutex<UserKeychain?>(nil)
        /// Held by the thread that opens, closes, makes or removes it; whether it is in the table no more.
        fileprivate let turn = ForkSafeMutex(false)

        var opened: UserKeychain? {
            get { keychain.withLock { $0 }.flatMap { $0.presence.isOver ? nil : $0 } }
            set { keychain.withLock { $0 = newValue } }
        }
    }

    private let slots = ForkSafeMutex<[Key: Slot]>([:])

    func opened(at key: Key) -> UserKeychain? { slots.withLock { $0[key] }?.opened }

    var opened: [(key: Key, keychain: UserKeychain)] {
        slots.withLock { $0 }.compactMap { key, slot in slot.opened.map { (key, $0) } }
    }

    /// Runs something at a place, one thread at a time.
    ///
    /// A place where nothing is open after that is free for another: a user cannot fill the table with what cannot be opened.
    func inTurn<Result: Sendable>(
        _ key: Key, _ body: (Slot) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        while true {
            let slot = try slot(at: key)
            let result = try slot.turn.withLock { (isGone) throws(KeychainError) -> Result? in
                // A thread that waited for a removed one looks for the next one.
                if isGone { return nil }
                defer { isGone = forgetIfEmpty(slot, key) }
                return try body(slot)
            }
            if let result { return result }
        }
    }

    /// The same; nil where another thread has the turn, or there is nothing.
    func inTurnIfFree<Result: Sendable>(_ key: Key, _ body: (Slot) -> Result) -> Result? {
        guard let slot = slots.withLock({ $0[key] }) else { return nil }
        let result = slot.turn.withLockIfFree { isGone -> Result? in
            if isGone { return nil }
            defer { isGone = forgetIfEmpty(slot, key) }
            return body(slot)
        }
        return result.flatMap(\.self)
    }

    private func slot(at key: Key) throws(KeychainError) -> Slot {
        let slot: Slot? = slots.withLock { slots in
            if let slot = slots[key] { return slot }
            guard slots.keys.count(where: { $0.user == key.user }) < KeychainSlots.mostOfUser else { return nil }
            let slot = Slot()
            slots[key] = slot
            return slot
        }
        guard let slot else {
            throw KeychainError(
                .notAvailable,
                "too many keychains of this user are open in the daemon; lock some, so that it can close those that are not in use"
            )
        }
        return slot
    }

    private func forgetIfEmpty(_ slot: Slot, _ key: Key) -> Bool {
        guard slot.opened == nil else { return false }
        slots.withLock { $0[key] = nil }
        return true
    }

    static let mostOfUser = 64
}
