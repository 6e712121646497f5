// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// Who has the bytes of a key that may not leave: a keychain, which does with it what is asked.
struct KeyKeeper: Sendable {
    let host: EmbeddedHost
    let key: UseKeyRequest.Key

    func perform(_ task: UseKeyRequest.Task) throws(KeychainError) -> SecretValue {
        let connection = try host.connection()
        return try connection.service.useKey(UseKeyRequest(key: key, task: task), from: connection.caller)
    }
}
