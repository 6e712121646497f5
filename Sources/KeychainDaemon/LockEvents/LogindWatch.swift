// SPDX-License-Identifier: Apache-2.0

internal import KeychainBus
internal import KeychainIdentity
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

    init(
        _ bus: Bus, _ user: UInt32?, _ cancellation: Cancellation, report: @escaping (SessionWatch) -> Void,
        handle: @escaping (SessionEvent) -> Void
    ) throws(BusFailure) {
        self.bus = bus
        self.user = user
        self.cancellation = cancellation
        self.report = report
        self.handle = handle
        for rule in LogindWatch.rules { try call(.ofBus("AddMatch"), [.text(rule)]) }
        do throws(BusFailure) { owner = try call(.ofBus("GetNameOwner"), [.text(LogindWatch.name)]).text() } catch {
            guard case .refused(.noOwner) = error else { throw error }
        }
        try greet()
    }

    /// Handles what comes; ends with the bus, or when it is told to stop.
    func run(_ deadline: borrowing Deadline) throws(BusFailure) {
        while true { try take(try bus.signal(deadline)) }
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
        }
    }

    /// A logind that ends, or another that begins, may have had something to say in between.
    private func changeOwner(_ signal: BusMessage) throws(BusFailure) {
        guard try signal.text() == LogindWatch.name else { return }
        _ = try signal.text()
        let new = try signal.text()
        owner = new.isEmpty ? nil : new
        locked = []
        delay = nil
        if owner != nil { handle(SessionEvent(.lock, of: user)) }
        try greet()
    }

    private func greet() throws(BusFailure) {
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

    /// What the bus is to pass on to us.
    ///
    /// Senders are compared again: a signal to one connection alone passes every rule.
    private static let rules = [
        "type='signal',sender='\(broker)',member='NameOwnerChanged',arg0='\(name)'",
        "type='signal',sender='\(name)',interface='\(session)',member='Lock',path_namespace='\(path)/session'",
        "type='signal',sender='\(name)',interface='\(session)',member='Unlock',path_namespace='\(path)/session'",
        "type='signal',sender='\(name)',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',"
            + "path_namespace='\(path)/session',arg0='\(session)'",
        "type='signal',sender='\(name)',interface='\(manager)',member='PrepareForSleep',path='\(path)'",
    ]
}
