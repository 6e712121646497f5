// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CPeer
internal import Glibc
package import KeychainModel
package import KeychainRequest
internal import KeychainSystem
internal import KeychainWire

/// A session with a daemon, over its socket; the daemon finds out itself which program this is.
///
/// Every thread that calls has a connection of its own for as long as its call takes.
package final class SocketSession: Sendable {
    package let path: String
    private let otherPath: String?
    private let daemonUser: UInt32?
    private let terminal: @Sendable () -> ClientTerminal?
    private let choice: KeychainChoice
    private let isOfSystem: Bool
    private let idle = ForkSafeMutex(Idle())

    /// Idle connections.
    // Sendable: each is taken out before it is used.
    private struct Idle: @unchecked Sendable {
        var connections: [ClientConnection] = []
        var process = getpid()
    }

    /// `otherPath` is where a daemon is looked for that does not listen at `path`, as one that was started after this process.
    ///
    /// `daemonUser` is whom a daemon of the system runs under, beside root; `isOfSystem` is for what is said where none answers.
    /// `terminal` says where the person is who uses this program; that and `choice` are told once over each connection.
    package init(
        path: String, otherPath: String? = nil, daemonUser: UInt32?, choice: KeychainChoice = .usual,
        isOfSystem: Bool = false,
        terminal: @escaping @Sendable () -> ClientTerminal? = { nil }
    ) {
        self.path = path
        self.otherPath = otherPath
        self.daemonUser = daemonUser
        self.choice = choice
        self.isOfSystem = isOfSystem
        self.terminal = terminal
    }

    /// Whether a daemon answers there now.
    package var isReachable: Bool { obstacle == nil }

    /// Whether this process may use no Unix sockets, so that it reaches no daemon, wherever one is.
    package var isForbidden: Bool { obstacle == .unreachable(EAFNOSUPPORT) }

    /// Why no daemon answers there now.
    private var obstacle: ClientFailure? {
        do throws(ClientFailure) {
            put(back: try connection())
            return nil
        } catch { return error }
    }

    /// Whether the daemon has such a keychain, or would open it; asked so that it is not made by the question.
    package var isThere: Bool { get throws(KeychainError) { try absence == nil } }

    /// Why the daemon has no such keychain, asked in the same way; nil where it has one.
    package var absence: KeychainError? {
        get throws(KeychainError) {
            guard let error = try refusalOfLook else { return nil }
            return [.noSuchKeychain, .vanishedKeychain].contains(error.reason) ? error : nil
        }
    }

    /// Whether the daemon has such a keychain and says so: whom its rules refuse is told nothing of it.
    package var isSaidToBeThere: Bool {
        get throws(KeychainError) {
            guard let error = try refusalOfLook else { return true }
            return ![.noSuchKeychain, .vanishedKeychain, .missingEntitlement].contains(error.reason)
        }
    }

    /// What a look at the keychain fails with, which does not make it.
    private var refusalOfLook: KeychainError? {
        get throws(KeychainError) {
            let choice = KeychainChoice(
                choice.keychain, claimsPasswords: choice.claimsPasswords, makesIt: false)
            let looking = SocketSession(
                path: path, otherPath: otherPath, daemonUser: daemonUser, choice: choice, isOfSystem: isOfSystem)
            guard case .failure(let error) = try looking.exchange(.keybag(.state)) else { return nil }
            return error
        }
    }

    /// Makes a call.
    ///
    /// A connection may end at any time, as by a restart of the daemon: then the call is made over a new one, unless the
    /// daemon may have done it already and doing it twice would show. A daemon that was there a moment ago is waited for,
    /// unless the call only asks it to forget.
    func exchange(_ call: WireCall) throws(KeychainError) -> WireReply {
        // However long the daemon takes, or the person whom it asks: nothing of ours is held that a fork would wait for.
        let operations = llv_operation_suspend()
        defer { llv_operation_resume(operations) }
        var pauses = 0
        var refusals = 0
        var hasBroken = false
        while true {
            do throws(ClientFailure) {
                let connection = try connection()
                let reply = try connection.exchange(call)
                put(back: connection)
                return reply
            } catch {
                switch error {
                case .broken(let mayHaveArrived) where !mayHaveArrived || call.mayBeRepeated: hasBroken = true
                case .unreachable where hasBroken, .refused where hasBroken: break
                // A daemon that ends closes what waits to be greeted; one that refuses us does so again.
                case .hungUp where hasBroken || refusals < SocketSession.mostRefusals:
                    refusals += 1
                default: throw KeychainError(error, path, isOfSystem)
                }
                let mostPauses = call.onlyForgets ? 1 : SocketSession.mostPauses
                guard pauses < mostPauses, llv_stops_noted() == 0 else { throw KeychainError(error, path, isOfSystem) }
                // The connections that were idle ended with the daemon, most of them: no need to wait for the next.
                if case .broken = error, pauses == 0 { forgetIdle() } else { SocketSession.pause() }
                pauses += 1
            }
        }
    }

    private static let mostRefusals = 5
    /// Two seconds, twenty milliseconds at a time.
    private static let mostPauses = 100

    private static func pause() {
        var time = timespec(tv_sec: 0, tv_nsec: 20_000_000)
        unsafe nanosleep(&time, nil)
    }

    private func connection() throws(ClientFailure) -> ClientConnection {
        if let idle = idleConnection() { return idle }
        return try freshConnection()
    }

    private func idleConnection() -> ClientConnection? {
        idle.withLock { idle in
            // A forked child has its parent's connections, over which it may not speak.
            if idle.process != getpid() { idle = Idle() }
            return idle.connections.popLast()
        }
    }

    func forgetIdle() { idle.withLock { $0 = Idle() } }

    /// A connection that knows which keychain it is about.
    func freshConnection() throws(ClientFailure) -> ClientConnection {
        let connection = try greetedConnection()
        if let terminal = terminal() { _ = try connection.exchange(.sit(terminal)) }
        // One that there is not is told of at the first call that needs it.
        if choice != .usual { _ = try connection.exchange(.choose(choice)) }
        return connection
    }

    private func greetedConnection() throws(ClientFailure) -> ClientConnection {
        do throws(ClientFailure) { return try ClientConnection(path, daemonUser: daemonUser) } catch {
            guard case .unreachable = error, let otherPath else { throw error }
            do throws(ClientFailure) { return try ClientConnection(otherPath, daemonUser: daemonUser) } catch let other
            {
                // Where one is expected is what a person is told.
                if case .unreachable = other { throw error }
                throw other
            }
        }
    }

    private func put(back connection: ClientConnection) {
        idle.withLock { idle in
            guard idle.process == getpid(), idle.connections.count < SocketSession.mostIdle else { return }
            idle.connections.append(connection)
        }
    }

    private static let mostIdle = 8
}

extension WireCall {
    /// Whether it ends what a daemon remembers; one that has restarted remembers nothing.
    fileprivate var onlyForgets: Bool {
        switch self {
        case .takeBack, .forget, .invalidate: true
        default: false
        }
    }

    /// Whether doing it twice is like doing it once.
    fileprivate var mayBeRepeated: Bool {
        switch self {
        case .match, .matchPage, .means, .hasCredential, .set, .begin, .expect, .takeBack, .forget, .invalidate, .check,
            .sit, .subscribe, .introduce, .audit, .choose, .names, .attend:
            true
        case .add(let request): request.token != nil
        case .addAll, .update, .updateAll, .delete, .generateKey, .useKey, .authenticate, .make, .remove, .answer: false
        case .keybag(let request):
            switch request {
            case .state, .lock, .reseal, .enclaveKeys, .lostItems, .settings, .change: true
            // A passcode that was tried twice counts twice.
            case .unlock, .verify, .setPasscode, .changePasscode, .removePasscode, .abandonErasedPasscode: false
            case .makeRecoveryKey, .removeRecoveryKey, .recover, .rotateKeys, .move: false
            case .history, .pastVersion, .forget, .acceptItems, .backupSecrets, .compact, .letGoOfView, .stamps,
                .unreached:
                true
            // Restoring twice is like restoring once; but what was counted the first time is gone.
            case .bringBack, .restore, .retain: false
            case .sync(let request):
                switch request {
                case .state, .end, .leaves, .waiting, .heads, .changes, .live, .voids, .tombstones, .markAll: true
                // A circle is begun once; and what became of each record would not be told a second time.
                case .begin, .apply: false
                }
            // The first may be held already.
            case .holdView: false
            }
        }
    }
}

extension KeychainError {
    init(_ failure: ClientFailure, _ path: String, _ isOfSystem: Bool = false) {
        switch failure {
        case .unreachable(EAFNOSUPPORT):
            self.init(
                .noDaemon,
                "this program may not use Unix sockets, by which it reaches the keychain daemon; a unit's RestrictAddressFamilies= needs AF_UNIX",
                subject: path, code: Int64(EAFNOSUPPORT))
        case .unreachable(let code):
            self.init(
                .noDaemon,
                isOfSystem
                    ? "the system's keychain daemon, which has the keychains of this machine's users, does not answer; an administrator starts it with `sudo systemctl start llaverod.socket` (for a keychain of your own beside it, name a folder by LLAVERO_HOME)"
                    : "no keychain daemon answers at this socket; start llaverod again (`llavero unlock` does), or take the keychain back with llaverod --give-back",
                subject: path,
                code: Int64(code))
        case .untrusted:
            self.init(
                .notAvailable,
                UserNamespace.isOfItsOwn
                    ? "this program runs in a container or in namespaces of its own, where it cannot verify the system's keychain daemon; run it outside"
                    : "the process that listens at this socket runs neither as you nor as the keychain daemon's user; check the socket's path",
                subject: path)
        case .refused:
            self.init(.notAvailable, "the keychain daemon does not serve this program", subject: path)
        case .hungUp:
            self.init(
                .notAvailable,
                isOfSystem
                    ? "the keychain daemon hung up: it cannot start, or does not serve this program; an administrator sees why: systemctl status llaverod"
                    : "the keychain daemon hung up: it cannot start, or does not serve this program", subject: path)
        case .silent:
            self.init(
                .notAvailable,
                isOfSystem
                    ? "the keychain daemon does not answer: it cannot start, or was stopped; an administrator sees why: systemctl status llaverod"
                    : "the keychain daemon does not answer: it cannot start, or was stopped", subject: path)
        case .unsendable(let cause): self.init(cause)
        case .broken:
            self.init(
                .notAvailable,
                """
                the keychain daemon closed the connection before it answered; check whether the operation was performed
                """,
                subject: path)
        }
    }
}
