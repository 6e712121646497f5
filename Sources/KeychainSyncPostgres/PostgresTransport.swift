// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainRequest
package import KeychainSync
package import KeychainSystem

/// The way to a circle's server over PostgreSQL.
///
/// It blocks, with a deadline for everything but the look-up of a host's name, which has the system's. One thread uses it; a second
/// one would get a connection of its own.
package final class PostgresTransport: CircleTransport {
    package struct Settings: Sendable {
        /// Seconds for a connection, with TLS and the log-in.
        package var connecting: UInt32 = 30
        /// Seconds for one request.
        package var request: UInt32 = 120
        /// Seconds after which an unused connection is closed.
        package var idle: UInt32 = 300
        /// Whether NOTIFY is used to wake others' polls, and LISTEN to be woken.
        package var usesHints = false
        /// Seconds that a hint may be under way when it is tried.
        package var trying: UInt32 = 2

        package init() {}
    }

    /// Whether hints wake this device.
    package enum Hints: Sendable, Equatable {
        case off, on
        /// They were asked for, and do not come through: behind a pgbouncer that lends connections for single transactions.
        case unsupported
    }

    private struct State {
        var connection: PostgresConnection?
        var hints = Hints.off
    }

    private let address: ServerAddress
    private let circle: CircleID
    private let password: SecretValue?
    private let settings: Settings
    private let cancellation: Cancellation
    // The lock is held for a moment only, to take the connection out or put it back.
    private let state = ForkSafeMutex(State())

    /// `cancellation` ends every wait, for good.
    package init(
        _ address: ServerAddress, circle: CircleID, password: SecretValue?, settings: Settings = Settings(),
        cancellation: Cancellation = Cancellation()
    ) {
        self.address = address
        self.circle = circle
        self.password = password
        self.settings = settings
        self.cancellation = cancellation
    }

    package var hints: Hints { state.withLock { $0.hints } }

    package func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        let kept = takeConnection()
        let wasKept = kept != nil
        let connection = if let kept { kept } else { try connect() }
        do throws(CircleServerError) {
            return try perform(request, on: connection)
        } catch .unreachable(let why) {
            // One that was kept may have ended meanwhile. A question is asked again; whether an insertion happened is not known.
            if wasKept, !connection.isUsable, !request.isInsertion, !cancellation.isTripped {
                return try perform(request, on: try connect())
            }
            throw .unreachable(why)
        }
    }

    /// Closes the connection; the next request makes a new one.
    package func close() { state.withLock { $0.connection = nil } }

    /// Why a rest ended.
    package enum Rest: Sendable, Equatable { case over, woken, hint, cancelled }

    /// Waits until a moment, a signal or another device's hint, and closes the connection when it is unused for long.
    package func rest(until moment: Instant, _ wakeUp: WakeUp) -> Rest {
        cancellation.attach(wakeUp)
        defer { cancellation.detach(wakeUp) }
        while true {
            if cancellation.isTripped { return .cancelled }
            let connection = takeConnection()
            let listens = connection != nil && hints == .on
            let closing = connection.map { $0.used.adding(seconds: settings.idle) } ?? .never
            // One that listens has to stay open.
            let limit = listens ? moment : min(moment, closing)
            var files = [
                pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0),
                pollfd(fd: connection?.socket ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            // One may have come already, while the connection was used.
            var isHint = connection?.takeHint() ?? false
            let found = unsafe poll(&files, nfds_t(files.count), isHint ? 0 : limit.remaining)
            if files[1].revents != 0 { connection?.takeWhatCame() }
            if connection?.takeHint() ?? false { isHint = true }
            if let connection, connection.isUsable, listens || closing.remaining != 0 { keep(connection) }
            if cancellation.isTripped { return .cancelled }
            if found > 0, files[0].revents != 0 {
                wakeUp.reset()
                return .woken
            }
            if isHint { return .hint }
            if moment.remaining == 0 { return .over }
        }
    }

    // MARK: Connections

    /// The connection that is kept, if it can be used.
    private func takeConnection() -> PostgresConnection? {
        let taken = state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        guard let taken, taken.isAlive else { return nil }
        return taken
    }

    private func keep(_ connection: PostgresConnection) {
        if connection.isUsable { state.withLock { $0.connection = connection } }
    }

    private func connect() throws(CircleServerError) -> PostgresConnection {
        let connection = try open()
        guard settings.usesHints else { return connection }
        let works = try listen(on: connection)
        state.withLock { $0.hints = works ? .on : .unsupported }
        return connection
    }

    private func open() throws(CircleServerError) -> PostgresConnection {
        try PostgresConnection.open(address, password: password, deadline(settings.connecting))
    }

    private func deadline(_ seconds: UInt32) throws(CircleServerError) -> Deadline {
        do throws(WaitFailure) {
            return try Deadline(seconds: seconds, cancellation)
        } catch { throw .unreachable("The system has no descriptors left to wait for the server.") }
    }

    /// Finds out whether hints come, and asks for them.
    ///
    /// A pgbouncer that lends connections for single transactions answers LISTEN with success and delivers nothing. A hint of our
    /// own would come back inside its own transaction even there, so another connection sends the one that is tried, on a channel
    /// that wakes nobody else.
    private func listen(on connection: PostgresConnection) throws(CircleServerError) -> Bool {
        let trial = "llavero_try_" + String(UInt64.random(in: .min ... .max), radix: 16)
        try connection.run("listen \"\(trial)\"", [], try deadline(settings.request))
        try hint(trial, on: try open())
        let end = Instant.now.adding(seconds: settings.trying)
        var came = false
        while !came, connection.isUsable, end.remaining != 0, !cancellation.isTripped {
            var file = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&file, 1, end.remaining) > 0 { connection.takeWhatCame() }
            came = connection.takeHint()
        }
        try connection.run("unlisten \"\(trial)\"", [], try deadline(settings.request))
        if came { try connection.run("listen \"\(channel)\"", [], try deadline(settings.request)) }
        return came
    }

    private func hint(_ channel: String, on connection: PostgresConnection) throws(CircleServerError) {
        try connection.run("select pg_catalog.pg_notify($1, '')", [.text(channel)], try deadline(settings.request))
    }

    /// Hexadecimal digits, which need no quoting.
    private var channel: String { "llavero_" + Hexadecimal.digits(of: circle.bytes) }

    // MARK: Requests

    private func perform(
        _ request: CircleRequest, on connection: PostgresConnection
    ) throws(CircleServerError) -> CircleReply {
        defer { keep(connection) }
        let questions = CircleStatements(circle: circle, connection: connection)
        let deadline = try deadline(settings.request)
        switch request {
        case .newest(let chains): return .newest(try questions.newest(chains, deadline))
        case .chain(let chain, let number, let limit):
            return .bodies(try questions.chain(chain, behind: number, limit, deadline))
        case .bodies(let chain, let numbers): return .bodies(try questions.bodies(chain, numbers, deadline))
        case .records(let view, let places): return .records(try questions.records(view, places, deadline))
        case .headRecords(let view, let heads, let id):
            return .records(try questions.headRecords(view, heads, behind: id, deadline))
        case .shares(let device): return .shares(try questions.shares(device, deadline))
        case .seen(let devices, let limit): return .seen(try questions.seen(of: devices, limit, deadline))
        case .mail(let box, let number, let limit):
            return .mail(try questions.mail(box, behind: number, limit, deadline))
        case .newestMail(let box, let each): return .mail(try questions.newestMail(box, each, deadline))
        case .insert(let insertion):
            try questions.insert(insertion, deadline)
            // It only wakes polls: what became of it changes nothing.
            if hints != .off { try? hint(channel, on: connection) }
            return .done
        }
    }
}

extension CircleRequest {
    fileprivate var isInsertion: Bool {
        if case .insert = self { return true }
        return false
    }
}
