// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// A keychain with the one that has it now, and with the other one when that turns out to have it meanwhile: this process, or
/// a daemon.
///
/// What was refused because the keychain has another owner by now was not done, so it is done there.
struct HandoverService: Sendable {
    private let first: KeychainConnection
    private let next: @Sendable (KeychainError) throws(KeychainError) -> KeychainConnection?

    /// `next` is asked who has the keychain after a call failed; nil when the failure has another cause.
    init(
        _ first: KeychainConnection,
        _ next: @escaping @Sendable (KeychainError) throws(KeychainError) -> KeychainConnection?
    ) {
        self.first = first
        self.next = next
    }

    private func following<Result>(
        _ caller: Caller, _ context: AuthenticationContextID? = nil,
        _ body: (KeychainConnection, Caller) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) { return try body(first, caller) } catch {
            guard let keychain = try next(error) else { throw error }
            // What was shown before was shown to the first; it is asked for again.
            if let context { keychain.authentication.begin(context) }
            return try body(keychain, keychain.caller)
        }
    }
}

extension HandoverService: KeychainService {
    func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem? {
        try following(caller, request.authentication.context) { (keychain, caller) throws(KeychainError) in
            try keychain.service.add(request, from: caller)
        }
    }

    func add(_ request: AddAllRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        try following(caller, request.authentication.context) { (keychain, caller) throws(KeychainError) in
            try keychain.service.add(request, from: caller)
        }
    }

    func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        try following(caller, request.authentication.context) { (keychain, caller) throws(KeychainError) in
            try keychain.service.match(request, from: caller)
        }
    }

    func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError) {
        try following(caller, request.authentication.context) { (keychain, caller) throws(KeychainError) in
            try keychain.service.update(request, from: caller)
        }
    }

    func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError) {
        try following(caller, request.authentication.context) { (keychain, caller) throws(KeychainError) in
            try keychain.service.delete(request, from: caller)
        }
    }

    func generateKey(_ request: GenerateKeyRequest, from caller: Caller) throws(KeychainError) -> GeneratedKey {
        try following(caller, request.authentication.context) { (keychain, caller) throws(KeychainError) in
            try keychain.service.generateKey(request, from: caller)
        }
    }

    func useKey(_ request: UseKeyRequest, from caller: Caller) throws(KeychainError) -> SecretValue {
        try following(caller, request.authentication.context) { (keychain, caller) throws(KeychainError) in
            try keychain.service.useKey(request, from: caller)
        }
    }
}

extension HandoverService: KeybagService {
    func perform(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) -> KeybagReply {
        try following(caller) { (keychain, caller) throws(KeychainError) in
            try keychain.keybag.perform(request, from: caller)
        }
    }
}

extension HandoverService: AuthenticationService {
    func means() throws(KeychainError) -> AuthenticationMeans {
        try following(first.caller) { (keychain, _) throws(KeychainError) in try keychain.authentication.means() }
    }

    func authenticate(_ request: AuthenticateRequest, from caller: Caller) throws(KeychainError) {
        try following(caller, request.terms.context) { (keychain, caller) throws(KeychainError) in
            try keychain.authentication.authenticate(request, from: caller)
        }
    }

    func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try following(first.caller, context) { (keychain, _) throws(KeychainError) in
            try keychain.authentication.set(credential, of: kind, for: context)
        }
    }

    func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        first.authentication.hasCredential(kind, context)
    }

    func begin(_ context: AuthenticationContextID) { first.authentication.begin(context) }
    func expect(_ request: AuthenticationRequestID) { first.authentication.expect(request) }
    func takeBack(_ request: AuthenticationRequestID) { first.authentication.takeBack(request) }
    func forget(_ request: AuthenticationRequestID) { first.authentication.forget(request) }
    func invalidate(_ context: AuthenticationContextID) { first.authentication.invalidate(context) }
}
