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

    /// With `isGivenBack` the next opener owns it when the daemon no longer has it.
    package init(
        _ host: EmbeddedHost, audit: AuditLog?, isGivenBack: Bool = false, needsNoSession: Bool = false,
        clock: @escaping UptimeClock = systemUptime
    ) {
        self.host = host
        self.audit = audit
        self.isGivenBack = isGivenBack
        unlockedByMachine = Atomic(needsNoSession)
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
