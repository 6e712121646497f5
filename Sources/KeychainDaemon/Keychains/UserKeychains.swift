// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
package import KeychainConnection
package import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// The keychains that a daemon has, of the users whom it serves; each is opened when its first program comes.
package final class UserKeychains: Sendable {
    /// Where a user's keychain is that a program means.
    package typealias Placing = @Sendable (UInt32, KeychainAddress) throws(KeychainError) -> Place
    package typealias Opening = @Sendable (UInt32, Place, _ makesIt: Bool) throws(KeychainError) -> UserKeychain

    private let place: Placing
    private let open: Opening
    /// nil where the keychains are the user's own in every way.
    private let quota: QuotaKeeper?
    let slots = KeychainSlots()
    /// Where one was open that went with the folder of all keychains of its user: the note of it lay there, too, so nothing on the
    /// disk says that it is missing.
    private let missed = ForkSafeMutex<Set<KeychainSlots.Key>>([])
    private let alarm = ForkSafeMutex<KeychainTimer?>(nil)
    private let openingWatch = ForkSafeMutex<(@Sendable () -> Void)?>(nil)

    package init(
        quota: KeychainQuota? = nil, _ place: @escaping Placing, _ open: @escaping Opening
    ) {
        self.quota = quota.map(QuotaKeeper.init)
        self.place = place
        self.open = open
    }

    /// Whether they are those of users who have nothing to do with each other.
    var isShared: Bool { quota != nil }

    /// One that is open already, for any client that is served at all.
    package convenience init(only keychain: UserKeychain) {
        self.init { (_, address) throws(KeychainError) in
            guard address == .usual else { throw KeychainError(.noSuchKeychain, "there is no such keychain") }
            return keychain.place
        } _: { (_, _, _) throws(KeychainError) in
            keychain
        }
    }

    /// What fails is tried again for the next who comes; with `makesIt` one that is not there yet is made.
    package func keychain(
        _ address: KeychainAddress, of user: UInt32, makesIt: Bool
    ) throws(KeychainError) -> UserKeychain {
        let key = try key(address, user)
        if let opened = slots.opened(at: key), !opened.isAstray { return opened }
        giveUpAstray(of: user)
        do throws(KeychainError) {
            return try slots.inTurn(key) { (slot) throws(KeychainError) in
                if let opened = slot.opened { return opened }
                try refuseMissed(key)
                let opened = try makesIt ? make(at: key) : open(user, key.place, false)
                slot.opened = opened
                timer?.lookAgain()
                openingWatch.withLock { $0 }?()
                return opened
            }
        } catch { throw isShared ? UserKeychains.explained(error, key.place) : error }
    }

    /// The names of all that a user has here, open or not, in their order.
    package func names(of user: UInt32) throws(KeychainError) -> [String] {
        guard case .folder(let root, _) = try place(user, .usual) else { return [] }
        return try Place.names(in: root)
    }

    /// Makes a keychain that must not be there yet, with its first passcode, all or nothing.
    package func make(
        _ address: KeychainAddress, of user: UInt32, _ passcode: Passcode?, _ work: WorkOrder = .own
    ) throws(KeychainError) -> UserKeychain {
        let key = try key(address, user)
        giveUpAstray(of: user)
        return try slots.inTurn(key) { (slot) throws(KeychainError) in
            guard slot.opened == nil, try !key.place.exists else {
                throw KeychainError(.duplicateKeychain, "the keychain already exists", subject: key.place.path)
            }
            let vanished = try VanishedKeychain(at: key.place)
            let made = try make(at: key, replacesVanished: true)
            do throws(KeychainError) {
                if let passcode { _ = try made.perform(.setPasscode(passcode, erasingAfter: 0), work) }
            } catch {
                made.end()
                try? KeychainRemoval.remove(key.place)
                vanished?.missAgain()
                throw error
            }
            slot.opened = made
            missed.withLock { _ = $0.remove(key) }
            timer?.lookAgain()
            openingWatch.withLock { $0 }?()
            return made
        }
    }

    /// Removes a keychain with everything in it; clients that come meanwhile wait, and find it gone.
    ///
    /// `path` is where it has to be; nil where only the daemon knows. Never the one that programs mean when they name none.
    package func remove(_ address: KeychainAddress, of user: UInt32, at path: String?) throws(KeychainError) {
        let key = try key(address, user)
        guard path == nil || path == key.place.path else {
            throw KeychainError(
                .notAvailable, "the daemon's keychain of that name is in another folder; nothing was removed",
                subject: key.place.path)
        }
        giveUpAstray(of: user)
        // Of one that vanished there is nothing to remove, whichever it is.
        if try slots.inTurn(key, { (_) throws(KeychainError) in try forgetMissed(key) }) {
            quota?.forget(user)
            return
        }
        guard !isUsual(key) else {
            throw KeychainError(
                .missingEntitlement,
                "the daemon serves this keychain as its user's own; stop the daemon before you remove it",
                subject: key.place.path)
        }
        try slots.inTurn(key) { (slot) throws(KeychainError) in
            slot.opened?.end()
            try KeychainRemoval.remove(key.place)
            quota?.forget(user)
        }
    }

    /// Destroys an open keychain, whichever it is, because its circle says so: its device key first, then its files.
    package func destroy(_ keychain: UserKeychain, of user: UInt32) throws(KeychainError) {
        let key = KeychainSlots.Key(user: user, place: keychain.place)
        try slots.inTurn(key) { (_) throws(KeychainError) in
            keychain.end()
            try KeychainRemoval.remove(key.place)
            quota?.forget(user)
        }
    }

    /// Has `body` called whenever a keychain was opened; it waits for nothing.
    package func whenOpened(_ body: @escaping @Sendable () -> Void) { openingWatch.withLock { $0 = body } }

    /// Gives up those of a user whose folders are not where they were opened.
    ///
    /// One that was moved can be opened where it is now only when its lock is free.
    private func giveUpAstray(of user: UInt32) {
        for (key, keychain) in slots.opened where key.user == user && keychain.isAstray {
            // A user who removes the whole folder of their own begins anew; of the system's no user can.
            if isShared, case .folder(let root, _) = key.place, unsafe access(root, F_OK) != 0, errno == ENOENT {
                missed.withLock { _ = $0.insert(key) }
            }
            keychain.end()
        }
    }

    /// Of a folder that was copied or moved to the system's daemon the files may be another user's.
    private static func explained(_ error: KeychainError, _ place: Place) -> KeychainError {
        guard let code = error.code, [Int64(EACCES), Int64(EPERM)].contains(code), case .folder(let root, _) = place,
            let all = root.halves(at: "/", last: true)?.0
        else { return error }
        return KeychainError(
            relaying: error.reason,
            "\(error.text); all in there has to be the user's that llaverod runs as: `sudo chown -R llaverod: \(all)`",
            subject: error.subject, code: code, retryAfter: error.retryAfter)
    }

    /// Refuses the place of a keychain that is missed; another one that was put there is taken.
    private func refuseMissed(_ key: KeychainSlots.Key) throws(KeychainError) {
        guard missed.withLock({ $0.contains(key) }) else { return }
        guard try key.place.exists else {
            throw VanishedKeychain.unnoted(at: key.place)
        }
        missed.withLock { _ = $0.remove(key) }
    }

    /// Misses a keychain no longer that vanished; false where none did.
    private func forgetMissed(_ key: KeychainSlots.Key) throws(KeychainError) -> Bool {
        guard try !key.place.exists else { return false }
        let vanished = try VanishedKeychain(at: key.place)
        try vanished?.forget()
        return missed.withLock { $0.remove(key) != nil } || vanished != nil
    }

    /// Opens one that is made where it is not there yet.
    private func make(
        at key: KeychainSlots.Key, replacesVanished: Bool = false
    ) throws(KeychainError) -> UserKeychain {
        func open() throws(KeychainError) -> UserKeychain {
            if replacesVanished { try VanishedKeychain(at: key.place)?.makeAnew() }
            return try self.open(key.user, key.place, true)
        }
        guard let quota else { return try open() }
        return try quota.making(key.place, of: key.user, open)
    }

    /// Refuses what would put so many bytes into a keychain for which its user has no room; what takes away is never refused.
    func makeRoom(for bytes: Int, of user: UInt32, in keychain: UserKeychain) throws(KeychainError) {
        try quota?.makeRoom(for: bytes, of: user, in: keychain.place) { (try? keychain.host.reclaim()) ?? 0 }
    }

    /// Whether items are refused for that, if not the small ones, or for what is wrong with the disk.
    func lackOfRoom(of user: UInt32, in keychain: UserKeychain) -> KeychainState.LackOfRoom? {
        guard let quota else { return nil }
        switch keychain.place.path.flatMap({ FolderRoom(of: $0) }) {
        case .readOnly?: return .readOnlyDisk
        case .full?: return .fullDisk
        case nil: break
        }
        return quota.hasRoom(of: user, in: keychain.place) { (try? keychain.host.reclaim()) ?? 0 } ? nil : .quota
    }

    /// Those that are open, with whose they are.
    package var opened: [(user: UInt32, keychain: UserKeychain)] {
        slots.opened.map { ($0.key.user, $0.keychain) }.sorted { $0.0 < $1.0 }
    }

    /// Whether it is the one that programs mean when they name none.
    func isUsual(_ key: KeychainSlots.Key) -> Bool { (try? place(key.user, .usual)) == key.place }

    private func key(_ address: KeychainAddress, _ user: UInt32) throws(KeychainError) -> KeychainSlots.Key {
        KeychainSlots.Key(user: user, place: try place(user, address))
    }

    /// Who sees to them when it is time.
    var timer: KeychainTimer? {
        get { alarm.withLock { $0 } }
        set { alarm.withLock { $0 = newValue } }
    }
}

/// What the daemon does with its keychains by itself.
extension UserKeychains {
    /// Locks what was not used for as long as its settings say, and closes what is not needed; seconds until there will
    /// be something to do, nil when the next client will say so.
    package func attend() -> UInt32? {
        var next: UInt64?
        for (key, keychain) in slots.opened {
            for remaining in [keychain.lockIfDue(), closeIfDue(keychain, at: key)].compactMap(\.self) {
                next = min(next ?? .max, remaining)
            }
        }
        return next.map { UInt32(clamping: $0 + 1) }
    }

    /// Looks for damage in those that were not looked at for a day; seconds until one will be due, nil when none is open.
    func examine() -> UInt32? {
        slots.opened.map { _, keychain in
            UInt32(clamping: keychain.examination.attend { keychain.host.examineQuickly() } + 1)
        }.min()
    }

    private func closeIfDue(_ keychain: UserKeychain, at key: KeychainSlots.Key) -> UInt64? {
        // Nearly every program wants it next.
        guard !isUsual(key), let remaining = keychain.presence.remaining(of: UserKeychains.idleSeconds) else {
            return nil
        }
        if remaining > 0 { return remaining }
        _ = slots.inTurnIfFree(key) { _ in keychain.endIfNobodyNeedsIt() }
        // Where a client used it just now, that is tried again in a moment.
        return keychain.presence.remaining(of: UserKeychains.idleSeconds)
    }

    /// Locks those of one user, or of all users, that lock together with sessions; tells of what could not be locked.
    ///
    /// With `sparesMachines` those stay unlocked that a credential unlocked: they were so before there was a session. Returns
    /// how many were unlocked, and are locked now.
    @discardableResult
    package func lockWithSessions(
        of user: UInt32?, sparesMachines: Bool = false, _ tell: (KeychainError) -> Void
    ) -> Int {
        var count = 0
        for (owner, keychain) in opened where (user == nil || owner == user) && keychain.locksWithSession {
            if sparesMachines, keychain.needsNoSession { continue }
            let wasUnlocked = keychain.lockState == .unlocked
            do throws(KeychainError) {
                try keychain.lock()
                if wasUnlocked { count += 1 }
            } catch { tell(error) }
        }
        timer?.lookAgain()
        return count
    }

    /// After so many seconds without use a keychain is closed that need not be open.
    package static let idleSeconds: UInt64 = 300
}

/// Sees to the daemon's keychains when it is time: some are to be locked, and some to be closed.
///
/// Its thread sleeps as long as there is neither.
final class KeychainTimer: Sendable {
    private let wakeUp: WakeUp
    private let stopping: Cancellation

    init(_ stopping: Cancellation) throws(WaitFailure) {
        wakeUp = try WakeUp()
        self.stopping = stopping
    }

    /// How long after the machine slept a keychain may be in memory yet, if no program wants it; who comes finds it locked.
    private static let longestWait: UInt32 = 60

    /// Something was opened, unlocked, left, or has other settings.
    func lookAgain() { wakeUp.signal() }

    func watch(_ keychains: UserKeychains) {
        _ = NamedThread.start("lock-timers") { [self] in
            do throws(WaitFailure) {
                while true {
                    // A wait does not count the time that the machine sleeps, and the times to lock do.
                    let lock = keychains.attend().map { min($0, KeychainTimer.longestWait) }
                    let next = [lock, keychains.examine()].compactMap(\.self).min()
                    do throws(WaitFailure) {
                        try Deadline(seconds: next, stopping).wait(for: wakeUp.file)
                        wakeUp.reset()
                    } catch { guard case .timedOut = error else { throw error } }
                }
            } catch {}
        }
    }
}
