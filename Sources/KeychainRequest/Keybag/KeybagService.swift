// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Whoever has the keys of a keychain: the engine in this process, or a daemon at the end of a socket.
package protocol KeybagService: Sendable {
    /// Does what is asked; the reply is of the kind that the request has.
    func perform(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) -> KeybagReply
}
