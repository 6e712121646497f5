// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// The keychain in this process, and the daemon's when that has taken it over meanwhile.
///
/// What was refused because the keychain has another owner by now was not done, so it is done there.
struct FollowingService: Sendable {
    private let own: KeychainConnection
    private let daemon: KeychainConnection
    private let follows: @Sendable () throws(KeychainError) -> Void

    /// `follows` is called when the daemon turns out to have the keychain.
    init(
        _ own: KeychainConnection, _ daemon: KeychainConnection,
        _ follows: @escaping @Sendable () throws(KeychainError) -> Void
    ) {
        self.own = own
        self.daemon = daemon
        self.follows = follows
    }

    private func following<Result>(
        _ context: AuthenticationContextID? = nil, _ body: (KeychainConnection) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) { return try body(own) } catch {
            guard error.reason == .handedOver else { throw error }
            try follows()
            // What was shown before was shown here; there it is asked for again.
            if let context { daemon.authentication.begin(context) }
            return try body(daemon)
        }
    }
}

extension FollowingService: KeychainService {
    func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem? {
        try following(request.authentication.context) { (keychain) throws(KeychainError) in
            try keychain.service.add(request, from: caller)
        }
    }

    func add(_ request: AddAllRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        try following(request.authentication.context) { (keychain) throws(KeychainError) in
            try keychain.service.add(request, from: caller)
        }
    }

    func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [Found] {
        try following(request.authentication.context) { (keychain) throws(KeychainError) in
            try keychain.service.match(request, from: caller)
        }
    }

    func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError) {
        try following(request.authentication.context) { (keychain) throws(KeychainError) in
            try keychain.service.update(request, from: caller)
        }
    }

    func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError) {
        try following(request.authentication.context) { (keychain) throws(KeychainError) in
            try keychain.service.delete(request, from: caller)
        }
    }

    func generateKey(_ request: GenerateKeyRequest, from caller: Caller) throws(KeychainError) -> GeneratedKey {
        try following(request.authentication.context) { (keychain) throws(KeychainError) in
            try keychain.service.generateKey(request, from: caller)
        }
    }

    func useKey(_ request: UseKeyRequest, from caller: Caller) throws(KeychainError) -> SecretValue {
        try following(request.authentication.context) { (keychain) throws(KeychainError) in
            try keychain.service.useKey(request, from: caller)
        }
    }
}

extension FollowingService: KeybagService {
    func perform(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) -> KeybagReply {
        try following { (keychain) throws(KeychainError) in try keychain.keybag.perform(request, from: caller) }
    }
}

extension FollowingService: AuthenticationService {
    func means() throws(KeychainError) -> AuthenticationMeans {
        try following { (keychain) throws(KeychainError) in try keychain.authentication.means() }
    }

    func authenticate(_ request: AuthenticateRequest, from caller: Caller) throws(KeychainError) {
        try following(request.terms.context) { (keychain) throws(KeychainError) in
            try keychain.authentication.authenticate(request, from: caller)
        }
    }

    func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try own.authentication.set(credential, of: kind, for: context)
    }

    func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        own.authentication.hasCredential(kind, context)
    }

    func begin(_ context: AuthenticationContextID) { own.authentication.begin(context) }
    func expect(_ request: AuthenticationRequestID) { own.authentication.expect(request) }
    func takeBack(_ request: AuthenticationRequestID) { own.authentication.takeBack(request) }
    func forget(_ request: AuthenticationRequestID) { own.authentication.forget(request) }
    func invalidate(_ context: AuthenticationContextID) { own.authentication.invalidate(context) }
}
