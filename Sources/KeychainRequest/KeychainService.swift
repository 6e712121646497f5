// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Whoever carries requests out: the engine in this process, or a daemon at the end of a socket.
package protocol KeychainService: Sendable {
    /// Stores an item and returns it when the request asks for anything.
    func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem?
    /// Stores several items, all or none, and returns them when the request asks for anything.
    func add(_ request: AddAllRequest, from caller: Caller) throws(KeychainError) -> [Found]
    /// Finds items, in the order in which they were stored; never returns an empty array.
    func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [Found]
    func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError)
    func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError)
    /// Makes a key and stores it.
    func generateKey(_ request: GenerateKeyRequest, from caller: Caller) throws(KeychainError) -> GeneratedKey
    /// Does with a key what only the keychain can do with it.
    func useKey(_ request: UseKeyRequest, from caller: Caller) throws(KeychainError) -> SecretValue
}
