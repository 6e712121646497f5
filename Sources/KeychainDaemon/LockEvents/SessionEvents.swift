// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem

/// Tells when sessions are locked and unlocked, when a user's last one ends, and when the machine is about to sleep, as logind says it.
///
/// One thread of its own waits for that, and for nothing else: where nothing happens it never wakes up. A bus that goes
/// away is awaited. What happened meanwhile is unknown, and that is told as an event of its own.
package final class SessionEvents: Sendable {
    private let cancellation = Cancellation()

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - user: whose sessions; nil for those of all users.
    ///   - bus: its address. Not taken from the environment: on another bus any process could claim to be logind.
    ///   - sessions: the folder where logind has a file for each session.
    ///   - interval: milliseconds between two looks for sessions that ended, where nothing tells when to look.
    ///   - report: is told how well sessions are watched, whenever that changes.
    ///   - handle: is told of events, one after another. The machine does not sleep before it has returned, or logind has
    ///     lost patience (five seconds, as it is set up everywhere).
    package init(
        user: UInt32?, bus address: String = Bus.system, sessions: String = "/run/systemd/sessions",
        interval: Int32 = 60_000, report: @escaping @Sendable (SessionWatch) -> Void,
        _ handle: @escaping @Sendable (SessionEvent) -> Void
    ) {
        let told = ForkSafeMutex<SessionWatch?>(nil)
        let watcher = SessionWatcher(
            user: user, address: address, sessions: sessions, interval: interval, cancellation: cancellation,
            report: { watch in
                let isNews = told.withLock { told in
                    defer { told = watch }
                    return told != watch
                }
                if isNews { report(watch) }
            }, handle: handle)
        if NamedThread.start("session-events", { watcher.run() }) != 0 { report(.noBus) }
    }

    deinit { stop() }

    /// Stops watching; an event that is being handled is handled to its end.
    package func stop() { cancellation.trip() }
}

/// Something that happened to a user's sessions, or to the machine.
package struct SessionEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A session was locked.
        case lock
        /// logind or the bus was away, or came later: what became of sessions meanwhile is unknown.
        case absence
        /// A session was unlocked. That opens no keychain: no passcode was given.
        case unlock
        /// The last login session of a user ended, also where something that was started in it still runs.
        case end
        /// The machine is about to sleep.
        case sleep
    }

    package let kind: Kind
    /// Whose session; nil when it is about every user.
    package let user: UInt32?

    package init(_ kind: Kind, of user: UInt32?) {
        self.kind = kind
        self.user = user
    }
}

/// How well sessions are watched now.
package enum SessionWatch: Sendable, Equatable {
    /// Every event comes. `delaysSleep` says whether the machine waits for us before it sleeps; `seesEnds` whether the end of a
    /// session in which something still runs comes at once, not only when we next look.
    case watching(delaysSleep: Bool, seesEnds: Bool)
    /// There is a bus, and no logind on it.
    case noLogind
    /// There is no bus, or no library to speak to one with.
    case noBus
}

/// The work of the thread that watches sessions.
struct SessionWatcher: Sendable {
    let user: UInt32?
    let address: String
    let sessions: String
    let interval: Int32
    let cancellation: Cancellation
    let report: @Sendable (SessionWatch) -> Void
    let handle: @Sendable (SessionEvent) -> Void

    /// Watches until it is told to stop, or there can be no bus.
    func run() {
        var missesEvents = false
        do throws(WaitFailure) {
            let deadline = try Deadline(seconds: nil, cancellation)
            while true {
                // Looked for before the first try, so that no bus comes unnoticed between the last one and the wait.
                let arrival = BusArrival(address)
                var hadBus = false
                for pause in SessionWatcher.pauses where !hadBus {
                    try deadline.pause(milliseconds: pause)
                    hadBus = try watch(&missesEvents, deadline)
                }
                report(.noBus)
                if hadBus {
                    // One that hangs up again and again is not to keep us busy.
                    try deadline.pause(milliseconds: 200)
                    continue
                }
                guard let arrival else { return }
                try arrival.wait(deadline)
            }
        } catch {}
    }

    /// Watches as long as there is a bus; false when there was none.
    private func watch(_ missesEvents: inout Bool, _ deadline: borrowing Deadline) throws(WaitFailure) -> Bool {
        guard let bus = Bus(address) else { return false }
        var hadBus = false
        do throws(BusFailure) {
            let logind = try LogindWatch(
                bus, user, sessions: sessions, interval: interval, cancellation, report: report, handle: handle)
            hadBus = true
            if missesEvents { handle(SessionEvent(.absence, of: user)) }
            missesEvents = true
            try logind.run(deadline)
        } catch {
            if case .wait(.cancelled) = error { throw .cancelled }
        }
        return hadBus
    }

    /// Milliseconds before each try: who has just made the socket may not listen yet.
    private static let pauses: [Int32] = [0, 20, 100, 500]
}

/// The place where a bus would put its socket, to wait there for one.
struct BusArrival {
    private let file: OwnedDescriptor

    /// From now on nothing is missed; nil when the address names no path, or nothing can be waited for.
    init?(_ address: String) {
        guard let path = BusArrival.path(in: address) else { return nil }
        let file = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        self.file = OwnedDescriptor(owning: file)
        var folder = path[...]
        // The nearest folder that is there: what is missing appears in it first.
        while let slash = folder.unicodeScalars.lastIndex(of: "/") {
            folder = folder[..<slash]
            let name = folder.isEmpty ? "/" : String(folder)
            if unsafe inotify_add_watch(file, name, BusArrival.events) >= 0 { return }
        }
        return nil
    }

    /// Waits until something has changed there.
    func wait(_ deadline: borrowing Deadline) throws(WaitFailure) { try deadline.wait(for: file.number) }

    /// Of `unix:path=…` alone, without anything that would have to be unescaped.
    private static func path(in address: String) -> String? {
        guard let path = address.behind("unix:path="), path.begins(with: "/"),
            !path.utf8.contains(where: { "%,;".utf8.contains($0) })
        else { return nil }
        return String(path)
    }

    private static let events =
        UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
}
