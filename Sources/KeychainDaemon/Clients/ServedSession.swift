// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
internal import KeychainConnection
package import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// The daemon's own session with one of its user's keychains, for what it serves in another way than over its socket.
///
/// The keychain is opened when it is first used and may be closed between two calls, as between two calls of a client.
/// What is changed is told to everybody who listens.
package final class ServedSession: KeychainSession {
    /// Which keychain it is with.
    private enum Subject: Sendable {
        case named(KeychainAddress, user: UInt32, makesIt: Bool)
        /// One that is open; the session ends with it, and keeps it neither open nor unlocked.
        case opened(UserKeychain)
    }

    private let keychains: UserKeychains
    private let subject: Subject
    private let caller: Caller
    private let onNews: @Sendable (KeychainNews) -> Void
    /// The keychain as it is open now, and what it calls this session.
    private let heard = ForkSafeMutex<(keychain: UserKeychain, listener: UInt64)?>(nil)

    /// With `makesIt` a keychain that is not there yet is made by the first call.
    ///
    /// `onNews` hears what others do, from the first call on; it runs on the thread of whoever did it, and waits for nothing.
    package init(
        _ keychains: UserKeychains, _ address: KeychainAddress, of user: UInt32, for caller: Caller, makesIt: Bool,
        onNews: @escaping @Sendable (KeychainNews) -> Void
    ) {
        self.onNews = onNews
        self.keychains = keychains
        subject = .named(address, user: user, makesIt: makesIt)
        self.caller = caller
    }

    /// With a keychain that is open, for what the daemon does by itself: that counts as no use of it.
    package init(
        with keychain: UserKeychain, of keychains: UserKeychains, for caller: Caller,
        onNews: @escaping @Sendable (KeychainNews) -> Void
    ) {
        self.onNews = onNews
        self.keychains = keychains
        subject = .opened(keychain)
        self.caller = caller
    }

    /// Does something with the keychain, which stays open meanwhile.
    ///
    /// A question that `isNoUse` puts off no lock. What `noted` makes of it when it is done goes into the audit log.
    private func use<Result>(
        isNoUse: Bool = false, recording noted: (([ItemEvent]) -> [AuditEntry])? = nil,
        _ body: (EngineSession) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        switch subject {
        case .named(let address, let user, let makesIt):
            let keychain = try entered(address, user, makesIt)
            defer { if keychain.presence.leave() { keychains.timer?.lookAgain() } }
            keychain.lockWhereOverdue()
            if !isNoUse { keychain.use.note() }
            return try run(body, with: keychain, noted)
        case .opened(let keychain):
            let result = try keychain.presence.look { () throws(KeychainError) in
                try run(body, with: keychain, noted)
            }
            guard let result else { throw KeychainError(.notAvailable, "the daemon closed the keychain meanwhile") }
            return result
        }
    }

    private func run<Result>(
        _ body: (EngineSession) throws(KeychainError) -> Result, with keychain: UserKeychain,
        _ noted: (([ItemEvent]) -> [AuditEntry])?
    ) throws(KeychainError) -> Result {
        let listener = listener(to: keychain)
        let events = CallEvents()
        var caller = caller
        caller.observer = events
        let result = try ForkGate.operation { () throws(KeychainError) in
            try body(try keychain.host.session(for: caller))
        }
        keychain.hub.tell(events.all, by: listener)
        if let noted {
            for entry in noted(events.all) { try? keychain.audit?.record(entry) }
        }
        return result
    }

    /// What a keychain calls this session; one that was closed and opened again knows it no more.
    private func listener(to keychain: UserKeychain) -> UInt64 {
        heard.withLock { heard in
            if let heard, heard.keychain === keychain { return heard.listener }
            let listener = keychain.hub.listen(onNews)
            heard = (keychain, listener)
            return listener
        }
    }

    private func entered(
        _ address: KeychainAddress, _ user: UInt32, _ makesIt: Bool
    ) throws(KeychainError) -> UserKeychain {
        for _ in 0..<ServedSession.mostTries {
            let keychain = try keychains.keychain(address, of: user, makesIt: makesIt)
            if keychain.presence.enter() { return keychain }
        }
        throw KeychainError(.notAvailable, "the keychain was closed each time it was opened; try again")
    }

    /// What the daemon does by itself is recorded here; what it serves in another way, where that is known.
    private func records(_ body: @escaping ([ItemEvent]) -> [AuditEntry]) -> (([ItemEvent]) -> [AuditEntry])? {
        if case .opened = subject { body } else { nil }
    }

    private static let mostTries = 10

    // MARK: Items and keys

    package func add(_ request: AddRequest) throws(KeychainError) -> FoundItem? {
        try use { (session) throws(KeychainError) in try session.add(request) }
    }

    package func add(_ request: AddAllRequest) throws(KeychainError) -> [Found] {
        try use { (session) throws(KeychainError) in try session.add(request) }
    }

    package func match(_ request: MatchRequest) throws(KeychainError) -> [Found] {
        try use { (session) throws(KeychainError) in try session.match(request) }
    }

    package func match(_ request: MatchPageRequest) throws(KeychainError) -> MatchPage {
        try use { (session) throws(KeychainError) in try session.match(request) }
    }

    package func update(_ request: UpdateRequest) throws(KeychainError) {
        try use { (session) throws(KeychainError) in try session.update(request) }
    }

    package func update(_ request: UpdateAllRequest) throws(KeychainError) {
        try use { (session) throws(KeychainError) in try session.update(request) }
    }

    package func delete(_ request: DeleteRequest) throws(KeychainError) {
        try use(recording: records { (events) in AuditEntry.ofDaemon(deleting: request, events) }) {
            (session) throws(KeychainError) in try session.delete(request)
        }
    }

    package func generateKey(_ request: GenerateKeyRequest) throws(KeychainError) -> GeneratedKey {
        try use { (session) throws(KeychainError) in try session.generateKey(request) }
    }

    package func useKey(_ request: UseKeyRequest) throws(KeychainError) -> SecretValue {
        try use { (session) throws(KeychainError) in try session.useKey(request) }
    }

    // MARK: The keys of the keychain

    package func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        let noted = records { (events) in
            guard case .sync(let request) = request else { return [] }
            return AuditEntry.ofDaemon(request, events)
        }
        let reply = try use(recording: noted) { (session) throws(KeychainError) in try session.perform(request) }
        switch request {
        case .lock, .unlock, .setPasscode, .changePasscode:
            heard.withLock { $0?.keychain }?.hub.tellLock()
            keychains.timer?.lookAgain()
        default: break
        }
        return reply
    }

    package func lockState() throws(KeychainError) -> LockState {
        try use(isNoUse: true) { (session) throws(KeychainError) in try session.lockState() }
    }

    // MARK: What people show

    package func means() throws(KeychainError) -> AuthenticationMeans {
        try use { (session) throws(KeychainError) in try session.means() }
    }

    package func authenticate(_ request: AuthenticateRequest) throws(KeychainError) {
        try use { (session) throws(KeychainError) in try session.authenticate(request) }
    }

    package func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try use { (session) throws(KeychainError) in try session.set(credential, of: kind, for: context) }
    }

    package func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        (try? use { (session) throws(KeychainError) in session.hasCredential(kind, context) }) ?? false
    }

    package func begin(_ context: AuthenticationContextID) {
        try? use { (session) throws(KeychainError) in session.begin(context) }
    }

    package func expect(_ request: AuthenticationRequestID) {
        try? use { (session) throws(KeychainError) in session.expect(request) }
    }

    package func takeBack(_ request: AuthenticationRequestID) {
        try? use { (session) throws(KeychainError) in session.takeBack(request) }
    }

    package func forget(_ request: AuthenticationRequestID) {
        try? use { (session) throws(KeychainError) in session.forget(request) }
    }

    package func invalidate(_ context: AuthenticationContextID) {
        try? use { (session) throws(KeychainError) in session.invalidate(context) }
    }
}

extension UserKeychains {
    /// Records in a keychain's log what was done with it in another way than over the daemon's socket.
    package func record(_ entry: AuditEntry, in address: KeychainAddress, of user: UInt32) {
        try? keychain(address, of: user, makesIt: false).audit?.record(entry)
    }
}
