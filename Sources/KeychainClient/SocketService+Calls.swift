// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainModel
package import KeychainRequest
internal import KeychainWire

/// The calls; the daemon knows who makes them.
extension SocketService: KeychainService {
    package func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem? {
        var request = request
        request.token = .fresh()
        guard case .item(let item) = try answer(to: .add(request)) else { throw SocketService.otherReply }
        return item
    }

    package func add(_ request: AddAllRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        try found(.addAll(request))
    }

    package func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        try found(.match(request))
    }

    package func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError) {
        try nothing(.update(request))
    }

    package func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError) {
        try nothing(.delete(request))
    }

    package func generateKey(
        _ request: GenerateKeyRequest, from caller: Caller
    ) throws(KeychainError) -> GeneratedKey {
        guard case .generatedKey(let key) = try answer(to: .generateKey(request)) else {
            throw SocketService.otherReply
        }
        return key
    }

    package func useKey(_ request: UseKeyRequest, from caller: Caller) throws(KeychainError) -> SecretValue {
        guard case .secret(let secret) = try answer(to: .useKey(request)) else { throw SocketService.otherReply }
        return secret
    }

    private func found(_ call: WireCall) throws(KeychainError) -> [Found] {
        guard case .found(let found) = try answer(to: call) else { throw SocketService.otherReply }
        return found
    }

    /// Has the daemon remove the keychain, if it is at this path, or wherever the daemon has it.
    package func remove(at path: String?) throws(KeychainError) { try nothing(.remove(path)) }

    /// Has the daemon make the keychain, which must not be there yet.
    package func make(_ passcode: Passcode?) throws(KeychainError) { try nothing(.make(passcode)) }

    private func nothing(_ call: WireCall) throws(KeychainError) {
        guard case .nothing = try answer(to: call) else { throw SocketService.otherReply }
    }

    private func answer(to call: WireCall) throws(KeychainError) -> WireReply {
        let reply = try perform(call)
        if case .failure(let error) = reply { throw error }
        return reply
    }

    private static let otherReply = KeychainError(
        .internalError, "the keychain daemon answered something else than was asked")
}

extension SocketService: AuthenticationService {
    package func means() throws(KeychainError) -> AuthenticationMeans {
        guard case .means(let means) = try answer(to: .means) else { throw SocketService.otherReply }
        return means
    }

    package func authenticate(_ request: AuthenticateRequest, from caller: Caller) throws(KeychainError) {
        try nothing(.authenticate(request))
    }

    package func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try nothing(.set(credential, kind, context))
    }

    package func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        guard case .boolean(let has)? = try? perform(.hasCredential(kind, context)) else { return false }
        return has
    }

    // What cannot be said to a daemon that is gone needs not be said: it has forgotten everything.
    package func begin(_ context: AuthenticationContextID) { _ = try? perform(.begin(context)) }
    package func expect(_ request: AuthenticationRequestID) { _ = try? perform(.expect(request)) }
    package func takeBack(_ request: AuthenticationRequestID) { _ = try? perform(.takeBack(request)) }
    package func forget(_ request: AuthenticationRequestID) { _ = try? perform(.forget(request)) }
    package func invalidate(_ context: AuthenticationContextID) { _ = try? perform(.invalidate(context)) }
}

extension SocketService: KeybagService {
    package func perform(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) -> KeybagReply {
        guard case .keybag(let reply) = try answer(to: .keybag(request)) else { throw SocketService.otherReply }
        return reply
    }

    /// What whoever has the keychain finds wrong with a part of it.
    package func check(from start: CheckPosition?) throws(KeychainError) -> CheckedPart {
        guard case .checked(let part) = try answer(to: .check(from: start)) else { throw SocketService.otherReply }
        return part
    }

    /// How well the daemon knows this program, and why.
    package func introduction() throws(KeychainError) -> [String] {
        guard case .texts(let texts) = try answer(to: .introduce) else { throw SocketService.otherReply }
        return texts
    }

    /// What the log says of whoever has the keychain.
    package func audit(_ query: AuditQuery) throws(KeychainError) -> AuditAnswer {
        guard case .audit(let reply) = try answer(to: .audit(query)) else { throw SocketService.otherReply }
        return reply
    }
}
