// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Whoever carries requests out: the engine in this process, or a daemon at the end of a socket.
package protocol KeychainService: Sendable {
    /// Stores an item and returns it when the request asks for anything.
    func add(_ request: AddRequest, from caller: Caller) throws(KeychainError) -> FoundItem?
    /// Finds items, in the order in which they were stored; never returns an empty array.
    func match(_ request: MatchRequest, from caller: Caller) throws(KeychainError) -> [FoundItem]
    func update(_ request: UpdateRequest, from caller: Caller) throws(KeychainError)
    func delete(_ request: DeleteRequest, from caller: Caller) throws(KeychainError)
}
