// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTransport
internal import KeychainWire

/// One client's connection, from the greeting to the end.
final class Session {
    let socket: OwnedDescriptor
    let peer: Peer
    private let pipe: MessagePipe
    private let keychain: any KeychainHost
    let program: AdmittedProgram
    private let audit: SessionAudit
    private let limits: DaemonLimits
    private let contexts: ClientContexts
    let hub: ChangeHub
    /// Where the program's person is, once it has said so.
    private var seat: Seat?

    /// Greets whoever connected; nil when it is not who it has to be, or is not served.
    init?(
        _ socket: OwnedDescriptor, _ keychain: any KeychainHost, _ contexts: ClientContexts, _ hub: ChangeHub,
        _ rules: DaemonRules, _ room: MessageRoom
    ) {
        self.socket = socket
        self.hub = hub
        do throws(PeerError) {
            peer = try Handshake.accept(
                socket, largestPacket: WireFrame.largestPacket, milliseconds: rules.limits.greeting)
        } catch {
            SessionAudit.refuse(socket, rules.audit)
            return nil
        }
        guard let program = rules.admit(peer) else {
            SessionAudit.refuse(peer, rules.audit)
            return nil
        }
        self.program = program
        audit = SessionAudit(rules.audit, peer, program)
        self.keychain = keychain
        self.contexts = contexts
        limits = rules.limits
        pipe = MessagePipe(socket, receiving: .call, in: room)
    }

    /// Answers calls until the client hangs up, or sends packets that no client of ours sends.
    func run() {
        contexts.enter(peer.process.pid)
        defer { forgetContexts() }
        do throws(TransportError) {
            while let arrival = unsafe try pipe.receive(
                idle: -1, rest: limits.message,
                { (buffer, waits) throws(PeerError) in try unsafe self.peer.receive(into: buffer, waits: waits) })
            {
                // A program may have executed another one since, which is then in its place.
                do throws(PeerError) { try peer.recheck() } catch { return }
                switch arrival.message {
                case .success(let message):
                    guard case .call(let call) = message.content else { return }
                    if case .subscribe = call { return try tellChanges(as: arrival.number) }
                    try send(audit.recording(call) { reply(to: call, $0) }, to: arrival.number)
                case .failure(let error): try send(.failure(KeychainError(error)), to: arrival.number)
                }
            }
        } catch {}
    }

    func send(_ reply: WireReply, to number: UInt64) throws(TransportError) {
        do throws(TransportError) {
            try pipe.send(WireMessage(number: number, .reply(reply)), milliseconds: limits.reply)
        } catch {
            guard case .message(let cause) = error else { throw error }
            let failure = WireReply.failure(KeychainError(cause))
            try pipe.send(WireMessage(number: number, .reply(failure)), milliseconds: limits.reply)
        }
    }

    /// What a program's people showed ends with the last of its connections.
    private func forgetContexts() {
        let left = contexts.leave(peer.process.pid)
        guard !left.contexts.isEmpty || !left.requests.isEmpty,
            let authentication = try? keychain.connection().authentication
        else { return }
        for context in left.contexts { authentication.invalidate(context) }
        for request in left.requests { authentication.forget(request) }
    }

    private func reply(to call: WireCall, _ watched: CallDeeds?) -> WireReply {
        do throws(KeychainError) {
            switch call {
            case .sit(var seat):
                seat.asker = Seat.Asker(process: peer.process.pid, user: peer.process.user)
                self.seat = seat
                return .nothing
            case .begin(let context) where !contexts.begin(context, of: peer.process.pid):
                throw KeychainError(.notAvailable, "the program has more contexts than the daemon keeps")
            case .invalidate(let context): contexts.end(context, of: peer.process.pid)
            case .expect(let request) where !contexts.expect(request, of: peer.process.pid):
                throw KeychainError(.notAvailable, "the program has more requests than the daemon keeps")
            case .forget(let request): contexts.forget(request, of: peer.process.pid)
            default: break
            }
            var caller = program.caller()
            caller.seat = seat
            let deeds = watched ?? (hub.isHeard ? CallDeeds() : nil)
            caller.witness = deeds
            let reply = try KeychainConnection.operation { () throws(KeychainError) in
                try keychain.answer(to: call, from: caller)
            }
            if let deeds { hub.tell(deeds.all) }
            return reply
        } catch { return .failure(error) }
    }
}

@available(*, unavailable)
extension Session: Sendable {}
