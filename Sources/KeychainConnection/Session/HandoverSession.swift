// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTransport
internal import Synchronization

/// A session that goes on when a daemon takes the keychain over or gives it back.
///
/// Each call goes to the owner that is known. What was refused because the keychain has another owner by now was not done,
/// so it is done once more with that one.
final class HandoverSession: KeychainSession {
    /// Who this program is to its own engine, where that differs from what it declares.
    typealias CallerChange = @Sendable (Caller) -> Caller

    private let owner: KeychainOwner
    private let change: CallerChange?

    init(_ owner: KeychainOwner, as change: CallerChange? = nil) {
        self.owner = owner
        self.change = change
    }

    /// The session with the owner that is known.
    private func current() throws(KeychainError) -> any KeychainSession {
        if owner.isDaemon { return owner.daemon }
        guard let change else { return try owner.embedded.ownSession() }
        return try owner.embedded.session(for: change(owner.embedded.caller))
    }

    /// Does it with the owner that is known, and with the other one when that turns out to have the keychain.
    private func following<Result>(
        _ terms: AuthenticationTerms? = nil,
        _ body: (any KeychainSession) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) { return try body(try current()) } catch {
            guard try owner.hasChanged(after: error) else { throw error }
            let session = try current()
            // What was shown before was shown to the first; it is asked for again, and can be taken back there.
            if let context = terms?.context { session.begin(context) }
            if let request = terms?.request { session.expect(request) }
            return try body(session)
        }
    }

    // MARK: Items and keys

    func add(_ request: AddRequest) throws(KeychainError) -> FoundItem? {
        // One token for every try: an owner that stored the item before its answer was lost knows it again.
        var request = request
        if request.token == nil { request.token = .fresh() }
        return try following(request.authentication) { (session) throws(KeychainError) in try session.add(request) }
    }

    func add(_ request: AddAllRequest) throws(KeychainError) -> [Found] {
        try following(request.authentication) { (session) throws(KeychainError) in try session.add(request) }
    }

    func match(_ request: MatchRequest) throws(KeychainError) -> [Found] {
        try following(request.authentication) { (session) throws(KeychainError) in
            try session.match(request)
        }
    }

    /// The owner may be another one for each part: rows keep their numbers when a daemon takes the keychain over.
    func match(_ request: MatchPageRequest) throws(KeychainError) -> MatchPage {
        try following(request.match.authentication) { (session) throws(KeychainError) in
            try session.match(request)
        }
    }

    func update(_ request: UpdateRequest) throws(KeychainError) {
        try following(request.authentication) { (session) throws(KeychainError) in
            try session.update(request)
        }
    }

    func update(_ request: UpdateAllRequest) throws(KeychainError) {
        try following(request.authentication) { (session) throws(KeychainError) in
            try session.update(request)
        }
    }

    func delete(_ request: DeleteRequest) throws(KeychainError) {
        try following(request.authentication) { (session) throws(KeychainError) in
            try session.delete(request)
        }
    }

    func generateKey(_ request: GenerateKeyRequest) throws(KeychainError) -> GeneratedKey {
        try following(request.authentication) { (session) throws(KeychainError) in
            try session.generateKey(request)
        }
    }

    func useKey(_ request: UseKeyRequest) throws(KeychainError) -> SecretValue {
        try following(request.authentication) { (session) throws(KeychainError) in
            try session.useKey(request)
        }
    }

    // MARK: The keys of the keychain

    func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        try following { (session) throws(KeychainError) in try session.perform(request) }
    }

    // MARK: What people show

    func means() throws(KeychainError) -> AuthenticationMeans {
        try following { (session) throws(KeychainError) in try session.means() }
    }

    func authenticate(_ request: AuthenticateRequest) throws(KeychainError) {
        try following(request.terms) { (session) throws(KeychainError) in try session.authenticate(request) }
    }

    func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        var terms = AuthenticationTerms.usual
        terms.context = context
        return try following(terms) { (session) throws(KeychainError) in
            try session.set(credential, of: kind, for: context)
        }
    }

    // These say nothing of a failure: a keychain that cannot be opened knows of no context, and the call that needs one
    // then says why.
    func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        (try? current())?.hasCredential(kind, context) ?? false
    }

    func begin(_ context: AuthenticationContextID) { (try? current())?.begin(context) }
    func expect(_ request: AuthenticationRequestID) { (try? current())?.expect(request) }

    // Those that end something are for each owner that may know of it: the keychain may have changed hands meanwhile.
    func takeBack(_ request: AuthenticationRequestID) { everywhere { $0.takeBack(request) } }
    func forget(_ request: AuthenticationRequestID) { everywhere { $0.forget(request) } }
    func invalidate(_ context: AuthenticationContextID) { everywhere { $0.invalidate(context) } }

    private func everywhere(_ body: (any KeychainSession) -> Void) {
        if let session = owner.embedded.existingSession { body(session) }
        if owner.isDaemon { body(owner.daemon) }
    }
}

/// Who has a keychain now: this process, or the daemon that may take it over.
///
/// One for a keychain and process: all its sessions learn together what a failed call of one of them shows.
package final class KeychainOwner: Sendable {
    package let embedded: EmbeddedHost
    /// The daemon, whether it runs or not.
    let daemon: SocketSession
    /// Whether the keychain is with the daemon or nowhere: then this process makes none of its own.
    let isOnlyPlace: Bool
    private let served: Atomic<Bool>
    private let restart: Restart?

    /// Goes to the daemon at once if it `isServed`.
    init(
        _ embedded: EmbeddedHost, _ daemon: SocketSession, isServed: Bool, isOnlyPlace: Bool, restart: Restart?
    ) {
        self.embedded = embedded
        self.daemon = daemon
        self.isOnlyPlace = isOnlyPlace
        self.restart = restart
        served = Atomic(isServed)
    }

    /// Whether the daemon has the keychain, as far as it is known by now.
    var isDaemon: Bool { served.load(ordering: .relaxed) }

    /// Where the daemon listens.
    package var socket: String { daemon.path }

    /// Goes to the daemon from now on, if it answers by now.
    package func meetDaemon() -> Bool {
        guard daemon.isReachable else { return false }
        served.store(true, ordering: .relaxed)
        return true
    }

    /// Whether a call failed because the keychain has another owner by now, to whom calls go from then on.
    func hasChanged(after error: KeychainError) throws(KeychainError) -> Bool {
        switch error.reason {
        case .handedOver:
            // Nothing was asked of a daemon that does not answer yet. Who may not ask any is told that by the next call.
            if let restart, !daemon.isReachable, !daemon.isForbidden {
                // Another program is started and waited for; no lock is held meanwhile.
                try ForkGate.suspended { () throws(KeychainError) in try restart(self) }
            }
            served.store(true, ordering: .relaxed)
            // What locks the keychain from now on does not reach this process.
            embedded.forgetKeys()
        case .noDaemon where !isOnlyPlace && isGivenBack: served.store(false, ordering: .relaxed)
        default: return false
        }
        return true
    }

    /// Whether a keychain lies there that is no daemon's, as one that has ended leaves it.
    private var isGivenBack: Bool {
        guard let holdsDatabase = try? embedded.holdsDatabase, holdsDatabase else { return false }
        return embedded.isFreeOfDaemons && !embedded.isHandedOver
    }

    /// Whether a daemon has the keychain that is gone: killed, or ended with the machine.
    ///
    /// No process answers at its socket, and no process holds its lock, as every running daemon does.
    var isAbandoned: Bool {
        if daemon.isReachable || daemon.isForbidden { return false }
        return embedded.isHandedOver && embedded.isFreeOfDaemons
    }
}
