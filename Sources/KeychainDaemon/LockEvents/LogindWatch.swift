// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem

/// What logind says on a bus, for as long as there is that bus.
final class LogindWatch {
    private let bus: Bus
    private let user: UInt32?
    private let cancellation: Cancellation
    private let report: (SessionWatch) -> Void
    private let handle: (SessionEvent) -> Void
    /// The connection that has logind's name: what others say in its place is not heard, however it got here.
    private var owner: String?
    /// As long as it is open, the machine waits before it sleeps.
    private var delay: OwnedDescriptor?
    /// The sessions that say of themselves that their screen is locked.
    private var locked: Set<String> = []
    private let folder: SessionFolder
    /// The users who have a login session.
    private var present: Set<UInt32> = []
    /// Of the sessions that there are, whether each is one that somebody has logged in with.
    private var logins: [String: Bool] = [:]

    init(
        _ bus: Bus, _ user: UInt32?, sessions: String, _ cancellation: Cancellation,
        report: @escaping (SessionWatch) -> Void, handle: @escaping (SessionEvent) -> Void
    ) throws(BusFailure) {
        self.bus = bus
        self.user = user
        self.cancellation = cancellation
        self.report = report
        self.handle = handle
        folder = SessionFolder(sessions)
        for rule in LogindWatch.rules { try call(.ofBus("AddMatch"), [.text(rule)]) }
        do throws(BusFailure) { owner = try call(.ofBus("GetNameOwner"), [.text(LogindWatch.name)]).text() } catch {
            guard case .refused(.noOwner) = error else { throw error }
        }
        try greet()
    }

    /// Handles what comes; ends with the bus, or when it is told to stop.
    func run(_ deadline: borrowing Deadline) throws(BusFailure) {
        while true {
            if let signal = try bus.signal(deadline, or: folder.changes) {
                try take(signal)
            } else {
                folder.forgetChanges()
                try lookForEnds()
            }
        }
    }

    private func take(_ signal: BusMessage) throws(BusFailure) {
        if signal.isSignal(LogindWatch.broker, "NameOwnerChanged", from: LogindWatch.broker) {
            return try changeOwner(signal)
        }
        guard let owner, let subject = signal.subject else { return }
        if signal.isSignal(LogindWatch.session, "Lock", from: owner) {
            try tell(.lock, subject)
        } else if signal.isSignal(LogindWatch.session, "Unlock", from: owner) {
            try tell(.unlock, subject)
        } else if signal.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged", from: owner) {
            try lookAtHint(of: subject)
        } else if signal.isSignal(LogindWatch.manager, "PrepareForSleep", from: owner, about: LogindWatch.path) {
            if try signal.truth() {
                handle(SessionEvent(.sleep, of: nil))
                delay = nil
            } else {
                try delaySleep()
            }
        } else if LogindWatch.arrivals.contains(where: {
            signal.isSignal(LogindWatch.manager, $0, from: owner, about: LogindWatch.path)
        }) {
            try lookForEnds()
        }
    }

    /// Tells of the users who had a login session when this was last asked, and have none now.
    private func lookForEnds() throws(BusFailure) {
        let before = present
        present = try usersPresent()
        for gone in before.subtracting(present).sorted() { handle(SessionEvent(.end, of: gone)) }
    }

    /// The users who have a login session.
    ///
    /// A session of which logind does not say enough keeps no keychain unlocked.
    private func usersPresent() throws(BusFailure) -> Set<UInt32> {
        guard owner != nil else { return [] }
        let answer = try unlessRefused { () throws(BusFailure) in
            try ask(LogindWatch.path, LogindWatch.manager, "ListSessions", [])
        }
        guard case .list(_, let sessions)? = try answer?.values().first else { return [] }
        var present: Set<UInt32> = []
        var known: [String: Bool] = [:]
        for session in sessions {
            guard let fields = session.asFields, fields.count == 5, let owner = fields[1].asNumber,
                let path = fields[4].asPath, user == nil || user == owner
            else { continue }
            // A session's class is what it began with.
            let isLogin: Bool
            if let known = logins[path] {
                isLogin = known
            } else {
                isLogin = LogindWatch.isLogin(try text("Class", of: path))
            }
            known[path] = isLogin
            // What somebody left running keeps a session that was logged out in this state, for as long as it runs.
            if isLogin, !present.contains(owner), let state = try text("State", of: path), state != "closing" {
                present.insert(owner)
            }
        }
        logins = known
        return present
    }

    /// Not those of the user's manager, of cron (background), of the screen that asks who it is (greeter, lock-screen).
    private static func isLogin(_ kind: String?) -> Bool { kind == "user" || kind?.begins(with: "user-") ?? false }

    private func text(_ name: String, of session: String) throws(BusFailure) -> String? {
        let answer = try unlessRefused { () throws(BusFailure) in
            try ask(session, "org.freedesktop.DBus.Properties", "Get", [LogindWatch.session, name])
        }
        return try answer?.values().first?.inVariant?.asText
    }

    /// A logind that ends, or another that begins, may have had something to say in between.
    private func changeOwner(_ signal: BusMessage) throws(BusFailure) {
        guard try signal.text() == LogindWatch.name else { return }
        _ = try signal.text()
        let new = try signal.text()
        owner = new.isEmpty ? nil : new
        locked = []
        delay = nil
        logins = [:]
        if owner != nil { handle(SessionEvent(.lock, of: user)) }
        try greet()
    }

    private func greet() throws(BusFailure) {
        // What there is from now on; what ended before was an event of its own.
        folder.watch()
        present = try usersPresent()
        if owner == nil { report(.noLogind) } else { try delaySleep() }
    }

    private func delaySleep() throws(BusFailure) {
        guard delay == nil else { return }
        let arguments = ["sleep", "Llavero", "keys are wiped before the machine sleeps", "delay"]
        let answer = try unlessRefused { () throws(BusFailure) in
            try ask(LogindWatch.path, LogindWatch.manager, "Inhibit", arguments)
        }
        if let answer { delay = OwnedDescriptor(owning: try answer.file()) }
        report(.watching(delaysSleep: delay != nil))
    }

    /// Desktops that lock their screen themselves ask logind for nothing, but tell it.
    private func lookAtHint(of session: String) throws(BusFailure) {
        let hint = try property("LockedHint", of: session, .variantOfTruth)
        guard let hint, try hint.truth() else {
            locked.remove(session)
            return
        }
        if locked.insert(session).inserted { try tell(.lock, session) }
    }

    private func tell(_ kind: SessionEvent.Kind, _ session: String) throws(BusFailure) {
        let value = try property("User", of: session, .variantOfUser)
        try value?.enter(.user)
        // A session that is gone already may have belonged to the watched user.
        guard let owner = try value?.number() else {
            if kind == .lock { handle(SessionEvent(.lock, of: user)) }
            return
        }
        if user == nil || user == owner { handle(SessionEvent(kind, of: owner)) }
    }

    private func property(
        _ name: String, of session: String, _ container: BusMessage.Container
    ) throws(BusFailure) -> BusMessage? {
        try unlessRefused { () throws(BusFailure) in
            let value = try ask(session, "org.freedesktop.DBus.Properties", "Get", [LogindWatch.session, name])
            try value.enter(container)
            return value
        }
    }

    private func ask(
        _ path: String, _ interface: String, _ member: String, _ arguments: [String]
    ) throws(BusFailure) -> BusMessage {
        guard let owner else { throw .refused(.noOwner) }
        let method = BusMethod(destination: owner, path: path, interface: interface, member: member)
        return try call(method, arguments.map(BusMethod.Argument.text))
    }

    @discardableResult
    private func call(
        _ method: BusMethod, _ arguments: [BusMethod.Argument]
    ) throws(BusFailure) -> BusMessage {
        let deadline = try BusFailure.translating { () throws(WaitFailure) in try Deadline(seconds: 10, cancellation) }
        return try bus.call(method, arguments, deadline)
    }

    private func unlessRefused(_ body: () throws(BusFailure) -> BusMessage) throws(BusFailure) -> BusMessage? {
        do throws(BusFailure) { return try body() } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let broker = "org.freedesktop.DBus"
    private static let arrivals = ["SessionNew", "SessionRemoved"]

    /// What the bus is to pass on to us.
    ///
    /// Senders are compared again: a signal to one connection alone passes every rule.
    private static let rules =
        [
            "type='signal',sender='\(broker)',member='NameOwnerChanged',arg0='\(name)'",
            "type='signal',sender='\(name)',interface='\(session)',member='Lock',path_namespace='\(path)/session'",
            "type='signal',sender='\(name)',interface='\(session)',member='Unlock',path_namespace='\(path)/session'",
            "type='signal',sender='\(name)',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',"
                + "path_namespace='\(path)/session',arg0='\(session)'",
            "type='signal',sender='\(name)',interface='\(manager)',member='PrepareForSleep',path='\(path)'",
        ] + arrivals.map { "type='signal',sender='\(name)',interface='\(manager)',member='\($0)',path='\(path)'" }
}

/// The folder where logind has a file for each session, and writes it anew when the session's state changes.
///
/// On the bus logind is silent about the end of a session in which something still runs (an agent, `tmux`): it says so only
/// when the last of that has ended. The files say when to ask; what is in them is logind's own.
struct SessionFolder {
    /// Can be read when something has changed; negative where the kernel gives no notices.
    let changes: Int32
    private let path: String

    private let notices: OwnedDescriptor?

    init(_ path: String) {
        self.path = path
        changes = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        notices = changes < 0 ? nil : OwnedDescriptor(owning: changes)
    }

    /// Watches the folder that is there now; one that is missing is logind's to make, at its start.
    func watch() {
        guard changes >= 0 else { return }
        _ = unsafe inotify_add_watch(changes, path, UInt32(IN_MOVED_TO) | UInt32(IN_DELETE))
    }

    func forgetChanges() {
        unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
            while unsafe read(changes, bytes.baseAddress, bytes.count) > 0 {}
        }
    }
}
