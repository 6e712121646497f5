// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainModel
package import KeychainRequest
internal import KeychainWire

/// The calls; the daemon knows who makes them.
extension SocketSession: KeychainSession {
    package func add(_ request: AddRequest) throws(KeychainError) -> FoundItem? {
        var request = request
        if request.token == nil { request.token = .fresh() }
        guard case .item(let item) = try answer(to: .add(request)) else { throw SocketSession.otherReply }
        return item
    }

    package func add(_ request: AddAllRequest) throws(KeychainError) -> [Found] {
        try found(.addAll(request))
    }

    package func match(_ request: MatchRequest) throws(KeychainError) -> [Found] {
        try found(.match(request))
    }

    package func match(_ request: MatchPageRequest) throws(KeychainError) -> MatchPage {
        guard case .page(let page) = try answer(to: .matchPage(request)) else { throw SocketSession.otherReply }
        return page
    }

    package func update(_ request: UpdateRequest) throws(KeychainError) {
        try nothing(.update(request))
    }

    package func update(_ request: UpdateAllRequest) throws(KeychainError) {
        try nothing(.updateAll(request))
    }

    package func delete(_ request: DeleteRequest) throws(KeychainError) {
        try nothing(.delete(request))
    }

    package func generateKey(_ request: GenerateKeyRequest) throws(KeychainError) -> GeneratedKey {
        guard case .generatedKey(let key) = try answer(to: .generateKey(request)) else {
            throw SocketSession.otherReply
        }
        return key
    }

    package func useKey(_ request: UseKeyRequest) throws(KeychainError) -> SecretValue {
        guard case .secret(let secret) = try answer(to: .useKey(request)) else { throw SocketSession.otherReply }
        return secret
    }

    private func found(_ call: WireCall) throws(KeychainError) -> [Found] {
        guard case .found(let found) = try answer(to: call) else { throw SocketSession.otherReply }
        return found
    }

    /// Has the daemon remove the keychain, if it is at this path, or wherever the daemon has it.
    package func remove(at path: String?) throws(KeychainError) { try nothing(.remove(path)) }

    /// Has the daemon make the keychain, which must not be there yet.
    package func make(_ passcode: Passcode?) throws(KeychainError) { try nothing(.make(passcode)) }

    private func nothing(_ call: WireCall) throws(KeychainError) {
        guard case .nothing = try answer(to: call) else { throw SocketSession.otherReply }
    }

    private func answer(to call: WireCall) throws(KeychainError) -> WireReply {
        let reply = try exchange(call)
        if case .failure(let error) = reply { throw error }
        return reply
    }

    private static let otherReply = KeychainError(
        .internalError, "the keychain daemon sent an answer of another kind than requested")

    // MARK: What people show

    package func means() throws(KeychainError) -> AuthenticationMeans {
        guard case .means(let means) = try answer(to: .means) else { throw SocketSession.otherReply }
        return means
    }

    package func authenticate(_ request: AuthenticateRequest) throws(KeychainError) {
        try nothing(.authenticate(request))
    }

    package func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try nothing(.set(credential, kind, context))
    }

    package func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        guard case .boolean(let has)? = try? exchange(.hasCredential(kind, context)) else { return false }
        return has
    }

    // What cannot be said to a daemon that is gone needs not be said: it has forgotten everything.
    package func begin(_ context: AuthenticationContextID) { _ = try? exchange(.begin(context)) }
    package func expect(_ request: AuthenticationRequestID) { _ = try? exchange(.expect(request)) }
    package func takeBack(_ request: AuthenticationRequestID) { _ = try? exchange(.takeBack(request)) }
    package func forget(_ request: AuthenticationRequestID) { _ = try? exchange(.forget(request)) }
    package func invalidate(_ context: AuthenticationContextID) { _ = try? exchange(.invalidate(context)) }

    // MARK: The keychain as a whole

    package func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        guard case .keybag(let reply) = try answer(to: .keybag(request)) else { throw SocketSession.otherReply }
        return reply
    }

    /// What the owner of the keychain finds wrong with a part of it.
    package func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart {
        guard case .checked(let part) = try answer(to: .check(from: start)) else { throw SocketSession.otherReply }
        return part
    }

    /// How well the daemon knows this program, and why.
    package func introduction() throws(KeychainError) -> [String] {
        guard case .texts(let texts) = try answer(to: .introduce) else { throw SocketSession.otherReply }
        return texts
    }

    /// The names of the keychains that the daemon has for this user.
    package func names() throws(KeychainError) -> [String] {
        guard case .texts(let names) = try answer(to: .names) else { throw SocketSession.otherReply }
        return names
    }

    /// A part of the log of the keychain's owner.
    package func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer {
        guard case .audit(let reply) = try answer(to: .audit(query)) else { throw SocketSession.otherReply }
        return reply
    }
}
