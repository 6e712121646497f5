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
    private var folder: SessionFolder
    /// The users who have a login session.
    private var present: Set<UInt32> = []
    /// Of the sessions that there are: whose each is, and whether somebody has logged in with it; nil until logind said so.
    ///
    /// Neither changes.
    private var sessions: [String: (owner: UInt32, isLogin: Bool?)] = [:]
    /// When logind was last asked who is there, and when it is to be asked again.
    private var (lastLook, nextLook) = (Instant.now, Instant.never)
    /// How often in a row it has not said everything then.
    private var refusals = 0
    /// Milliseconds until it is asked again where nothing tells us when to.
    private let interval: Int32
    private var delaysSleep = false

    init(
        _ bus: Bus, _ user: UInt32?, sessions: String, interval: Int32, _ cancellation: Cancellation,
        report: @escaping (SessionWatch) -> Void, handle: @escaping (SessionEvent) -> Void
    ) throws(BusFailure) {
        self.bus = bus
        self.user = user
        self.interval = interval
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
            if let signal = try bus.signal(deadline, or: folder.changes, until: nextLook) { try take(signal) }
            // Looked at after each signal: any user can have logind send more of them than we can handle.
            if folder.takeChanges() { nextLook = min(nextLook, lastLook.adding(milliseconds: LogindWatch.pace)) }
            if nextLook.remaining == 0 { try lookForEnds() }
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
        try learnWhoIsPresent()
        for gone in before.subtracting(present).sorted() { handle(SessionEvent(.end, of: gone)) }
        reportWatch()
    }

    /// Asks logind who is there.
    ///
    /// Where it does not say everything it is asked once more before anybody counts as gone; then whom it says nothing of does, so
    /// that no keychain stays unlocked for want of an answer.
    private func learnWhoIsPresent() throws(BusFailure) {
        // Before the question: a change after the answer is a notice again.
        folder.watch()
        let (users, isComplete) = try usersPresent()
        refusals = isComplete ? 0 : refusals + 1
        present = refusals == 1 ? present.union(users) : users
        lastLook = .now
        if refusals == 1 {
            nextLook = lastLook.adding(milliseconds: LogindWatch.pace)
        } else {
            let isTold = isComplete && folder.isWatched || owner == nil
            nextLook = isTold ? .never : lastLook.adding(milliseconds: interval)
        }
    }

    /// The users who have a login session, and whether logind said enough of every session.
    private func usersPresent() throws(BusFailure) -> (users: Set<UInt32>, isComplete: Bool) {
        let before = sessions
        sessions = [:]
        guard owner != nil else { return ([], true) }
        let answer = try unlessRefused { () throws(BusFailure) in
            try ask(LogindWatch.path, LogindWatch.manager, "ListSessions", [])
        }
        guard case .list(_, let listed)? = try answer?.values().first else { return ([], false) }
        var (users, isComplete) = (Set<UInt32>(), true)
        for session in listed {
            guard let fields = session.asFields, fields.count == 5, let owner = fields[1].asNumber,
                let path = fields[4].asPath
            else { continue }
            var isLogin = before[path]?.isLogin
            if user == nil || user == owner {
                if isLogin == nil { isLogin = try text("Class", of: path).map(LogindWatch.isLogin) }
                if isLogin == nil { isComplete = false }
                if isLogin == true, !users.contains(owner) {
                    let state = try text("State", of: path)
                    if state == nil { isComplete = false }
                    // What somebody left running keeps a session that was logged out in this state, for as long as it runs.
                    if let state, state != "closing" { users.insert(owner) }
                }
            }
            sessions[path] = (owner, isLogin)
        }
        return (users, isComplete)
    }

    /// Not those of the user's manager, of cron (background), of the screen that asks who it is (greeter, lock-screen).
    private static func isLogin(_ kind: String) -> Bool { kind == "user" || kind.begins(with: "user-") }

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
        delaysSleep = false
        sessions = [:]
        refusals = 0
        if owner != nil { handle(SessionEvent(.absence, of: user)) }
        try greet()
    }

    private func greet() throws(BusFailure) {
        // What there is from now on; what ended before was an event of its own.
        present = []
        try learnWhoIsPresent()
        if owner == nil { report(.noLogind) } else { try delaySleep() }
    }

    private func delaySleep() throws(BusFailure) {
        guard delay == nil else { return }
        let arguments = ["sleep", "Llavero", "keys are wiped before the machine sleeps", "delay"]
        let answer = try unlessRefused { () throws(BusFailure) in
            try ask(LogindWatch.path, LogindWatch.manager, "Inhibit", arguments)
        }
        if let answer { delay = OwnedDescriptor(owning: try answer.file()) }
        delaysSleep = delay != nil
        reportWatch()
    }

    private func reportWatch() {
        if owner != nil { report(.watching(delaysSleep: delaysSleep, seesEnds: folder.isWatched)) }
    }

    /// Desktops that lock their screen themselves ask logind for nothing, but tell it.
    private func lookAtHint(of session: String) throws(BusFailure) {
        if let user, let known = sessions[session], known.owner != user { return }
        let hint = try property("LockedHint", of: session, .variantOfTruth)
        guard let hint, try hint.truth() else {
            locked.remove(session)
            return
        }
        if locked.insert(session).inserted { try tell(.lock, session) }
    }

    private func tell(_ kind: SessionEvent.Kind, _ session: String) throws(BusFailure) {
        // A session that is gone already may have belonged to the watched user.
        guard let owner = try owner(of: session) else {
            if kind == .lock { handle(SessionEvent(.lock, of: user)) }
            return
        }
        if user == nil || user == owner { handle(SessionEvent(kind, of: owner)) }
    }

    /// Of a session that was listed nobody is asked: signals that any user can have sent are to cost us little.
    private func owner(of session: String) throws(BusFailure) -> UInt32? {
        if let known = sessions[session] { return known.owner }
        let value = try property("User", of: session, .variantOfUser)
        try value?.enter(.user)
        return try value?.number()
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

    /// Milliseconds between two questions who is there, where files or refusals are why.
    private static let pace: Int32 = 200
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
    private let path: String
    private var notices: OwnedDescriptor?
    /// Whether changes of the folder that is there now become notices.
    private(set) var isWatched = false
    /// Can be read when something has changed; negative where the kernel gives no notices.
    var changes: Int32 { notices?.number ?? -1 }

    init(_ path: String) { self.path = path }

    /// Watches the folder that is there now.
    ///
    /// It may be missing until logind makes it, and a user may have as many watches as there may be: so this is tried again.
    mutating func watch() {
        if notices == nil {
            let file = inotify_init1(O_CLOEXEC | O_NONBLOCK)
            if file >= 0 { notices = OwnedDescriptor(owning: file) }
        }
        let events = UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_ONLYDIR)
        isWatched = unsafe inotify_add_watch(changes, path, events) >= 0
    }

    /// Forgets the notices that there are, without waiting; whether there was one.
    func takeChanges() -> Bool {
        guard let notices else { return false }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
            var any = false
            while unsafe read(notices.number, bytes.baseAddress, bytes.count) > 0 { any = true }
            return any
        }
    }
}
