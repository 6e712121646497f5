// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import KeychainModel
package import KeychainRequest

/// A session that the engine of this process serves: this program's own, or one of a daemon's clients.
///
/// Its calls add nothing but the caller, whom the engine authorizes each request for.
package final class EngineSession: KeychainSession {
    package let engine: KeychainEngine
    package let caller: Caller

    package init(_ engine: KeychainEngine, for caller: Caller) {
        self.engine = engine
        self.caller = caller
    }

    // MARK: Items and keys

    package func add(_ request: AddRequest) throws(KeychainError) -> FoundItem? {
        try engine.add(request, from: caller)
    }

    package func add(_ request: AddAllRequest) throws(KeychainError) -> [Found] {
        try engine.add(request, from: caller)
    }

    package func match(_ request: MatchRequest) throws(KeychainError) -> [Found] {
        try engine.match(request, from: caller)
    }

    package func match(_ request: MatchPageRequest) throws(KeychainError) -> MatchPage {
        try engine.match(request, from: caller)
    }

    package func update(_ request: UpdateRequest) throws(KeychainError) {
        try engine.update(request, from: caller)
    }

    package func update(_ request: UpdateAllRequest) throws(KeychainError) {
        try engine.update(request, from: caller)
    }

    package func delete(_ request: DeleteRequest) throws(KeychainError) {
        try engine.delete(request, from: caller)
    }

    package func generateKey(_ request: GenerateKeyRequest) throws(KeychainError) -> GeneratedKey {
        try engine.generateKey(request, from: caller)
    }

    package func useKey(_ request: UseKeyRequest) throws(KeychainError) -> SecretValue {
        try engine.useKey(request, from: caller)
    }

    // MARK: The keys of the keychain

    package func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply {
        try engine.perform(request, from: caller)
    }

    package func lockState() throws(KeychainError) -> LockState { try engine.lockState() }

    // MARK: What people show

    package func means() throws(KeychainError) -> AuthenticationMeans { try engine.demands.means() }

    package func authenticate(_ request: AuthenticateRequest) throws(KeychainError) {
        try engine.demands.authenticate(request, from: caller)
    }

    package func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try engine.demands.set(credential, of: kind, for: context)
    }

    package func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        engine.demands.hasCredential(kind, context)
    }

    package func begin(_ context: AuthenticationContextID) { engine.demands.begin(context) }
    package func expect(_ request: AuthenticationRequestID) { engine.demands.expect(request) }
    package func takeBack(_ request: AuthenticationRequestID) { engine.demands.takeBack(request) }
    package func forget(_ request: AuthenticationRequestID) { engine.demands.forget(request) }
    package func invalidate(_ context: AuthenticationContextID) { engine.demands.invalidate(context) }
}
