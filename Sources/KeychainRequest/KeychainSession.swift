// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// One program's use of one keychain: who serves the keychain, and for whom, bound together.
///
/// There are three kinds: `EngineSession` calls the engine of this process, `SocketSession` a daemon, and `HandoverSession`
/// whichever of the two has the keychain now. A session is made once and kept; any number of threads may call it.
///
/// The protocol stands beside the requests because its kinds live in targets that know nothing else in common.
package protocol KeychainSession: AnyObject, Sendable {
    // MARK: Items and keys

    /// Stores an item and returns it when the request asks for anything.
    func add(_ request: AddRequest) throws(KeychainError) -> FoundItem?
    /// Stores several items, all or none, and returns them when the request asks for anything.
    func add(_ request: AddAllRequest) throws(KeychainError) -> [Found]
    /// Finds items, in the order in which they were stored; never returns an empty array.
    func match(_ request: MatchRequest) throws(KeychainError) -> [Found]
    /// Finds one part of a list; the part may be empty.
    func match(_ request: MatchPageRequest) throws(KeychainError) -> MatchPage
    func update(_ request: UpdateRequest) throws(KeychainError)
    /// Makes several updates, all or none.
    func update(_ request: UpdateAllRequest) throws(KeychainError)
    func delete(_ request: DeleteRequest) throws(KeychainError)
    /// Makes a key and stores it.
    func generateKey(_ request: GenerateKeyRequest) throws(KeychainError) -> GeneratedKey
    /// Does with a key what only the keychain can do with it.
    func useKey(_ request: UseKeyRequest) throws(KeychainError) -> SecretValue

    // MARK: The keys of the keychain

    /// Answers a question about the keybag, or changes it; the reply is of the kind that the request has.
    func perform(_ request: KeybagRequest) throws(KeychainError) -> KeybagReply
    /// Whether the keychain is open, which is told without looking at anything else of its state where that is possible.
    func lockState() throws(KeychainError) -> LockState

    // MARK: What people show

    /// Knows a context until `invalidate`; requests under a context that is not known are refused.
    func begin(_ context: AuthenticationContextID)
    func means() throws(KeychainError) -> AuthenticationMeans
    func authenticate(_ request: AuthenticateRequest) throws(KeychainError)
    /// Gives a credential to a context, or takes it back with nil.
    func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID) throws(KeychainError)
    func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool
    /// Announces a request that may be taken back, even before it arrives.
    func expect(_ request: AuthenticationRequestID)
    /// Takes back what is asked for a request, and for no other.
    func takeBack(_ request: AuthenticationRequestID)
    /// Ends a request that was announced.
    func forget(_ request: AuthenticationRequestID)
    /// Forgets everything a context was shown, and takes back what is asked for it now.
    func invalidate(_ context: AuthenticationContextID)
}

extension KeychainSession {
    package func lockState() throws(KeychainError) -> LockState {
        guard case .state(let state) = try perform(.state) else {
            throw KeychainError(.internalError, "the keychain answered something else than was asked")
        }
        return state.lockState
    }
}
