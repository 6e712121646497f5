// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainConnection
internal import KeychainEngine
package import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import Synchronization

/// One of a user's keychains, as the daemon has it.
package final class UserKeychain: Sendable {
    package let host: EmbeddedHost
    /// Where it is recorded who does what with it; nil for nowhere.
    package let audit: AuditLog?
    /// Those who want to be told of changes.
    let hub = ChangeHub()
    /// When it was last used, for those that lock by themselves.
    let use: KeychainUse
    let presence: KeychainPresence
    /// When it is looked at for damage.
    let examination: DailyExamination
    private let isGivenBack: Bool
    /// Whether a credential of the machine's unlocked it, for whoever comes: then it is not a login session that has it unlocked.
    var needsNoSession: Bool { unlockedByMachine.load(ordering: .relaxed) }
    private let unlockedByMachine: Atomic<Bool>
    private let machine: MachineUnlock?

    /// With `isGivenBack` the next opener owns it when the daemon no longer has it; `machine` unlocks it at once, if it can.
    package init(
        _ host: EmbeddedHost, audit: AuditLog?, isGivenBack: Bool = false, machine: MachineUnlock? = nil,
        clock: @escaping UptimeClock = systemUptime
    ) {
        self.host = host
        self.audit = audit
        self.isGivenBack = isGivenBack
        self.machine = machine
        unlockedByMachine = Atomic(machine?.begin(at: clock()) ?? false)
        use = KeychainUse(clock)
        presence = KeychainPresence(clock)
        examination = DailyExamination(clock)
        follow()
    }

    /// Where it is.
    package var place: Place { host.place }

    /// Whether the daemon has it no more.
    package var isOver: Bool { presence.isOver }

    /// Whether somebody removed its folder, moved it away or put another one in its place.
    package var isAstray: Bool { host.isAstray }

    /// Has no more to do with it from now on: its keys are forgotten, and its files and its log closed.
    package func end() { if presence.end() { letGo() } }

    /// The same where no client would notice: opened again it is as it is now, with no key that the passcode opened and nothing
    /// that a person has shown, and no client is there.
    func endIfNobodyNeedsIt() {
        let uses = presence.uses
        let isAsNew = (try? presence.look { () throws(KeychainError) in try host.isAsOpenedAnew() }) ?? false
        guard isAsNew else { return presence.leaveAlone(after: uses) }
        if presence.end(ifUnusedAfter: uses) { letGo() }
    }

    private func letGo() {
        // Of one that is astray nothing is written: another keychain may lie there by now.
        let isThere = !isAstray
        if isThere { try? audit?.record(AuditEntry(.stop, by: nil)) }
        try? audit?.close()
        if isGivenBack, isThere { try? host.engine().giveBack() }
        host.end()
    }
}

/// When a keychain locks by itself.
extension UserKeychain {
    /// Reads the settings, as they are from now on.
    func follow() {
        do throws(KeychainError) {
            guard case .settings(let settings)? = try perform(.settings) else { return }
            use.expect(settings.timeout)
        } catch {
            // Settings that cannot be read may have said this.
            use.expect(UserKeychain.strictest)
        }
    }

    /// Whether it locks together with its user's session.
    package var locksWithSession: Bool {
        guard case .settings(let settings)? = try? perform(.settings) else { return true }
        return settings.locksWithSession
    }

    /// Its state; nil where it is unknown.
    package var lockState: LockState? {
        guard case .state(let state)? = try? perform(.state) else { return nil }
        return state.lockState
    }

    /// Before a call: what the machine's credential could not be tried for, since somebody had guessed too often, it is now.
    func unlockWhereDelayed() {
        guard let machine, machine.isDue(at: use.now), lockState == .beforeFirstUnlock, machine.retry(at: use.now)
        else { return }
        unlockedByMachine.store(true, ordering: .relaxed)
        hub.tellLock()
    }

    /// It was locked: whoever unlocks it now is a person.
    func forgetMachine() { unlockedByMachine.store(false, ordering: .relaxed) }

    /// Locks it; one without a passcode has nothing to lock with.
    package func lock() throws(KeychainError) {
        do throws(KeychainError) { _ = try perform(.lock) } catch { if lockState != .noPasscode { throw error } }
        forgetMachine()
        presence.lookAgain()
        hub.tellLock()
    }

    /// Locks it when it was not used for so long, or its time is over; seconds until then, nil when there is nothing to do.
    @discardableResult
    func lockIfDue() -> UInt64? {
        guard let remaining = use.remaining(), lockState == .unlocked else { return nil }
        if remaining > 0 { return remaining }
        try? lock()
        // What could not be locked is tried again in a moment.
        return lockState == .unlocked ? 0 : nil
    }

    /// Before a call: the timer may be late, above all when the machine slept, and the call would put the lock off.
    func lockWhereOverdue() {
        if use.remaining() == 0 { lockIfDue() }
    }

    /// As the daemon itself, which may do anything with it; nil when the daemon has it no more.
    func perform(_ request: KeybagRequest, _ work: WorkOrder = .own) throws(KeychainError) -> KeybagReply? {
        var caller = Caller(groups: [], seesEveryGroup: false, administersKeys: true, program: nil)
        caller.synchronizes = true
        caller.work = work
        return try presence.look { () throws(KeychainError) in
            try ForkGate.operation { () throws(KeychainError) in try host.engine().perform(request, from: caller) }
        }
    }

    private static let strictest: UInt32 = 60
}

/// Unlocks a keychain by a credential of the machine's: when it is opened, or when the delay is over that wrong passcodes have left.
package final class MachineUnlock: Sendable {
    package enum Outcome {
        case unlocked
        case failed
        /// Nothing was tried.
        case delayed(seconds: UInt32)
    }

    private let unlock: @Sendable () -> Outcome
    /// By the clock; 0 for never.
    private let due = Atomic<UInt64>(0)

    package init(_ unlock: @escaping @Sendable () -> Outcome) { self.unlock = unlock }

    func isDue(at now: UInt64) -> Bool {
        let due = due.load(ordering: .relaxed)
        return due != 0 && now >= due
    }

    /// Whether it is unlocked now; of several that come at once one tries.
    func retry(at now: UInt64) -> Bool { due.exchange(0, ordering: .relaxed) != 0 && begin(at: now) }

    /// Whether it is unlocked.
    func begin(at now: UInt64) -> Bool {
        switch unlock() {
        case .unlocked: return true
        case .failed: return false
        case .delayed(let seconds):
            due.store(now + UInt64(seconds) + 1, ordering: .relaxed)
            return false
        }
    }
}

/// When a keychain is looked at for damage: each day that it is open.
final class DailyExamination: Sendable {
    private let last: Atomic<UInt64>
    private let clock: UptimeClock

    init(_ clock: @escaping UptimeClock) {
        self.clock = clock
        last = Atomic(clock())
    }

    /// Examines it if that is due; seconds until it will be.
    func attend(_ examine: () -> Void) -> UInt64 {
        let now = clock()
        let due = last.load(ordering: .relaxed) + DailyExamination.day
        if now < due { return due - now }
        examine()
        last.store(clock(), ordering: .relaxed)
        return DailyExamination.day
    }

    private static let day: UInt64 = 86_400
}
