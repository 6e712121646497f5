// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainAuthorization
internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTransport
internal import KeychainWire

/// One client's connection, from the greeting to the end.
final class ClientSession {
    let socket: OwnedDescriptor
    let peer: Peer
    private let pipe: MessagePipe
    let rules: DaemonRules
    private(set) var program: AdmittedProgram
    /// The keychain of the program's user, or why there is none.
    var keychain: Result<UserKeychain, KeychainError>?
    var choice = KeychainChoice.usual
    let keychains: UserKeychains
    var audit: SessionAudit
    private let contexts: ClientContexts
    private let budget: MessageBudget.Share
    /// Where the program's person is, once it has said so; the system's daemon knows who it is, and is told nothing.
    private var terminal: ClientTerminal?
    /// Bytes of the call that is being answered.
    private var size = 0

    /// Greets a new client; nil when it is not who it has to be, or is not served.
    init?(
        _ socket: OwnedDescriptor, _ keychains: UserKeychains, _ contexts: ClientContexts, _ rules: DaemonRules,
        _ budget: MessageBudget.Share
    ) {
        do throws(PeerError) {
            peer = try Handshake.accept(
                socket, largestPacket: WireFrame.largestPacket, mayHide: rules.mayHide,
                milliseconds: rules.limits.greeting)
        } catch {
            let hasLeft =
                switch error {
                case .hungUp: true
                case .gone, .system: ClientSession.hasLeftUnasked(socket)
                // Whoever sent what no client of ours sends is recorded, gone or not.
                default: false
                }
            if !hasLeft { SessionAudit.refuse(socket, keychains) }
            return nil
        }
        guard let program = rules.admit(peer) else {
            if !ClientSession.hasLeftUnasked(socket) { SessionAudit.refuse(peer, keychains) }
            return nil
        }
        self.keychains = keychains
        audit = SessionAudit(nil, peer, program)
        self.program = program
        if rules.agents != nil { terminal = ClientTerminal(of: ClientSession.asker(peer, program)) }
        self.socket = socket
        self.rules = rules
        self.contexts = contexts
        self.budget = budget
        pipe = MessagePipe(
            socket, receiving: .call,
            largest: program.refusal == nil ? WireLimits.message : WireFrame.largestContent, in: budget)
    }

    /// Whether who connected hung up and has asked nothing: it wanted to know whether somebody listens, as `status` does, and may
    /// have ended before anybody could tell which program it was.
    private static func hasLeftUnasked(_ socket: OwnedDescriptor) -> Bool {
        var (byte, packet): (UInt8, llv_peer_packet) = (0, llv_peer_packet())
        let count = unsafe llv_peer_receive(socket.number, &byte, 1, false, &packet)
        // An empty packet has a sender.
        return count == -Int64(ECONNRESET) || count == 0 && !packet.has_sender
    }

    /// Answers calls until the client hangs up, or sends packets that no client of ours sends.
    ///
    /// `onCall` hears of each when it is done.
    func run(_ onCall: () -> Void) {
        contexts.enter(peer.process.name, of: peer.process.user)
        defer { forgetContexts() }
        do throws(TransportError) {
            while let arrival = unsafe try pipe.receive(
                rules.limits.message,
                { (buffer, waits) throws(PeerError) in try unsafe self.peer.receive(into: buffer, waits: waits) })
            {
                guard isStillAdmitted() else { return }
                defer { onCall() }
                if let refusal = program.refusal {
                    try send(.failure(refusal), to: arrival.number)
                    continue
                }
                switch arrival.message {
                case .success(let message):
                    guard case .call(let call) = message.content else { return }
                    size = arrival.size
                    try answer(call, arrival.number)
                    if call.isLast { return }
                case .failure(let error): try send(.failure(KeychainError(error)), to: arrival.number)
                }
            }
        } catch {}
    }

    /// Whether it is the program that was admitted, and by rules that hold; it may have executed another one since, and the
    /// administrator may have written others.
    func isStillAdmitted() -> Bool {
        do throws(PeerError) { try peer.recheck() } catch { return false }
        if rules.edition() == program.edition, rules.isStillKnown(peer, program) { return true }
        guard let program = rules.admit(peer) else { return false }
        self.program = program
        audit = SessionAudit(opened?.audit, peer, program)
        return true
    }

    private func answer(_ call: WireCall, _ number: UInt64) throws(TransportError) {
        if case .attend = call { return try askPerson(as: number) }
        if call.needsNoKeychain { return try send(settle(call), to: number) }
        switch enter(for: call) {
        case .success(let keychain):
            if case .subscribe = call {
                defer { leave(keychain) }
                return try tellChanges(of: keychain, as: number)
            }
            var place = budget.place()
            let reply = audit.recording(call) { self.reply(to: call, of: keychain, waitingFor: &place, $0) }
            leave(keychain)
            try send(reply, to: number, in: place)
        case .failure(let error): try send(.failure(error), to: number)
        }
    }

    /// Costly work is the user's, and done only while the program is there.
    var work: WorkOrder { WorkOrder(user: peer.process.user, over: socket.number) { [peer] in !peer.hasHungUp } }

    /// An answer that was counted while it was made has a place already.
    func send(
        _ reply: WireReply, to number: UInt64, in place: MessageBudget.Reservation? = nil
    ) throws(TransportError) {
        do throws(TransportError) {
            try pipe.send(WireMessage(number: number, .reply(reply)), rules.limits.reply, in: place)
        } catch {
            guard case .message(let cause) = error else { throw error }
            let failure = WireReply.failure(KeychainError(cause))
            try pipe.send(WireMessage(number: number, .reply(failure)), rules.limits.reply)
        }
    }

    /// What a program's people showed ends with the last of its connections, whichever keychain it was shown to.
    private func forgetContexts() {
        let left = contexts.leave(peer.process.name)
        if left.contexts.isEmpty, left.requests.isEmpty { return }
        for (owner, keychain) in keychains.opened where owner == peer.process.user { keychain.forget(left) }
        keychains.timer?.lookAgain()
    }

    /// What is about the connection, or about a keychain that is not there yet or no more.
    private func settle(_ call: WireCall) -> WireReply {
        do throws(KeychainError) {
            switch call {
            case .choose(let choice):
                // Opened by the first call that is about it.
                (self.choice, keychain) = (choice, nil)
            // What a program says of its display and language reaches nothing in the system's daemon.
            case .sit where rules.agents != nil: break
            case .sit(var terminal):
                terminal.asker = ClientSession.asker(peer, program)
                self.terminal = terminal
            case .answer: throw KeychainError(.parameter, "no question was sent over this connection")
            case .introduce: return .texts([program.level.description, program.explanation])
            case .names: return .texts(try names())
            case .make(let passcode): try make(passcode)
            case .remove(let path): try remove(at: path)
            default: break
            }
            return .nothing
        } catch { return .failure(error) }
    }

    static func asker(_ peer: Peer, _ program: AdmittedProgram) -> ClientTerminal.Asker {
        ClientTerminal.Asker(process: peer.process.pid, user: peer.process.user, program: program.image)
    }

    /// The reply to a call; a large answer that found no room waits a while for others to go, one of a user's at a time.
    ///
    /// What it had while it was made is given back first: many that each keep a part would be in each other's way for ever.
    private func reply(
        to call: WireCall, of keychain: UserKeychain, waitingFor place: inout MessageBudget.Reservation,
        _ watched: CallEvents?
    ) -> WireReply {
        // Where a person was asked meanwhile, they are not asked twice.
        let soon = Instant.now.adding(milliseconds: 1000)
        var reply = reply(to: call, of: keychain, in: place, watched)
        guard call.onlyLooks, soon.remaining > 0 else { return reply }
        let end = Instant.now.adding(milliseconds: ClientSession.patience)
        var turn: MessageBudget.Turn?
        var isRefused = place.wasRefused
        while isRefused, end.remaining > 0, !peer.hasHungUp {
            place = budget.place()
            usleep(10_000)
            turn = turn ?? budget.turn()
            if turn == nil { continue }
            reply = self.reply(to: call, of: keychain, in: place, watched)
            isRefused = place.wasRefused
        }
        return reply
    }

    private func reply(
        to call: WireCall, of keychain: UserKeychain, in place: MessageBudget.Reservation, _ watched: CallEvents?
    ) -> WireReply {
        do throws(KeychainError) {
            keychain.lockWhereOverdue()
            keychain.unlockWhereDelayed()
            if call.usesKeychain { keychain.use.note() }
            if call.growsKeychain { try keychains.makeRoom(for: size, of: peer.process.user, in: keychain) }
            switch call {
            case .begin(let context) where !contexts.begin(context, in: keychain.place, of: peer.process.name):
                throw KeychainError(
                    .notAvailable, "the user's programs have too many authentication contexts; invalidate some")
            case .invalidate(let context): contexts.end(context, in: keychain.place, of: peer.process.name)
            case .expect(let request) where !contexts.expect(request, in: keychain.place, of: peer.process.name):
                throw KeychainError(.notAvailable, "the user's programs have too many open requests; try again later")
            case .forget(let request): contexts.forget(request, in: keychain.place, of: peer.process.name)
            default: break
            }
            var caller = program.caller(claimingPasswords: choice.claimsPasswords)
            caller.terminal = terminal
            let events = watched ?? (keychain.hub.isHeard ? CallEvents() : nil)
            caller.observer = events
            caller.work = work
            caller.budget = { bytes in
                if bytes > WireLimits.message { .tooLarge } else if place.grow(to: bytes) { .enough } else { .taken }
            }
            let reply = try ForkGate.operation { () throws(KeychainError) in
                try keychain.host.answer(to: call, from: caller)
            }
            if let events { keychain.hub.tell(events.all) }
            if case .keybag(let request) = call { look(at: request, of: keychain) }
            if case .keybag(.state(var state)) = reply {
                state.lackOfRoom = keychains.lackOfRoom(of: peer.process.user, in: keychain)
                return .keybag(.state(state))
            }
            return reply
        } catch { return .failure(error) }
    }
}

/// Which keychain a connection is about: said by its program before the first call, or the usual one.
extension ClientSession {
    /// The keychain that a call is about, opened where it is not; it stays open until `leave`.
    ///
    /// One that was not there may be by now, and one that was may be gone, or closed meanwhile. One that was chosen
    /// just now was looked at just now.
    func enter(for call: WireCall) -> Result<UserKeychain, KeychainError> {
        for attempt in 0..<ClientSession.mostTries {
            if let keychain = opened, attempt > 0 || !keychain.isAstray, keychain.presence.enter() {
                return .success(keychain)
            }
            choose(for: call)
            if case .failure(let error)? = keychain { return .failure(error) }
        }
        return .failure(KeychainError(.notAvailable, "the keychain was closed each time it was opened; try again"))
    }

    /// The call is over.
    func leave(_ keychain: UserKeychain) {
        if keychain.presence.leave() { keychains.timer?.lookAgain() }
    }

    /// The keychain as it was at the last call.
    var opened: UserKeychain? { try? keychain?.get() }

    private func choose(for call: WireCall) {
        // Who has no group at all has nothing to put into one that is not there yet, and who only looks makes none.
        var mayMake = choice.makesIt && (choice.keychain == .usual || call.putsSomething) && hasGroups
        // Nor does one begin with what is refused; of what is about all of it who asks learns that before making one.
        var isAboutKeys = false
        if case .keybag = call { isAboutKeys = true }
        let refusal = mayMake || isAboutKeys ? refusal(of: call) : nil
        if refusal != nil { mayMake = false }
        do throws(KeychainError) {
            take(try keychains.keychain(choice.keychain, of: peer.process.user, makesIt: mayMake))
        } catch {
            // Nor is it told that there is none: what it may is the same before and after somebody makes one.
            let isStranger = error.reason == .noSuchKeychain && !hasGroups && !program.caller().administersKeys
            let isNone = error.reason == .noSuchKeychain || error.reason == .vanishedKeychain
            let cause = isNone ? refusal ?? error : error
            keychain = .failure(isStranger ? program.caller().refusal(ClientSession.noGroup) : cause)
            audit = SessionAudit(nil, peer, program)
        }
    }

    /// Why a call is refused to this program, whatever the keychain; nil where it is not, or the keychain decides.
    private func refusal(of call: WireCall) -> KeychainError? {
        let caller = program.caller(claimingPasswords: choice.claimsPasswords)
        do throws(KeychainError) {
            switch call {
            case .add(let request): _ = try Authorization.authorize(request, from: caller)
            case .match(let request): _ = try Authorization.authorize(request, from: caller)
            case .matchPage(let request): _ = try Authorization.authorize(request, from: caller)
            case .keybag(let request): _ = try Authorization.authorize(request, from: caller)
            default: break
            }
            return nil
        } catch { return error }
    }

    private static let noGroup: StaticString =
        "the program has no access group; declare keychain-access-groups in its entitlement file"

    private func take(_ opened: UserKeychain) {
        keychain = .success(opened)
        audit = SessionAudit(opened.audit, peer, program)
    }

    private var hasGroups: Bool {
        let caller = program.caller()
        return caller.seesEveryGroup || !caller.groups.isEmpty
    }

    /// The names of its user's keychains, for who might use one of them.
    func names() throws(KeychainError) -> [String] {
        guard hasGroups || program.caller().administersKeys else {
            throw program.caller().refusal(
                "the program has no access group, so it is not told which keychains there are; declare keychain-access-groups in its entitlement file"
            )
        }
        return try keychains.names(of: peer.process.user)
    }

    /// Makes the keychain that was chosen.
    ///
    /// Its first passcode needs no right here: there is nothing in it yet that it could lock away.
    func make(_ passcode: Passcode?) throws(KeychainError) {
        guard hasGroups || program.caller().administersKeys else {
            throw program.caller().refusal(
                "the program has no access group, so it may not create a keychain; declare keychain-access-groups in its entitlement file"
            )
        }
        take(try keychains.make(choice.keychain, of: peer.process.user, passcode, work))
        if passcode != nil { audit.recordFirstPasscode() }
    }

    /// Removes the keychain that was chosen, which has a name: what programs use that name none is not to be had that way.
    func remove(at path: String?) throws(KeychainError) {
        guard program.caller().administersKeys else {
            throw KeychainError(
                .missingEntitlement,
                "the program may not remove keychains; set administers-keys in its entitlement file")
        }
        try keychains.remove(choice.keychain, of: peer.process.user, at: path)
    }

    /// What may have changed when it locks by itself.
    func look(at request: KeybagRequest, of keychain: UserKeychain) {
        switch request {
        case .change:
            keychain.follow()
            keychains.timer?.lookAgain()
        case .unlock(_, let seconds):
            keychain.use.end(after: seconds)
            keychains.timer?.lookAgain()
            keychain.hub.tellLock()
        case .lock:
            keychain.use.end(after: 0)
            keychain.forgetMachine()
            keychain.hub.tellLock()
        case .setPasscode, .changePasscode, .recover:
            keychains.timer?.lookAgain()
            keychain.hub.tellLock()
        case .sync(.begin), .sync(.end), .sync(.apply): keychain.hub.tellCircle()
        default: break
        }
    }

    private static let mostTries = 10
    /// Milliseconds that a large answer waits for room.
    private static let patience: Int32 = 3000
}

extension WireCall {
    /// Whether doing it twice is as doing it once.
    fileprivate var onlyLooks: Bool {
        switch self {
        case .match, .matchPage: true
        default: false
        }
    }
}

@available(*, unavailable)
extension ClientSession: Sendable {}
