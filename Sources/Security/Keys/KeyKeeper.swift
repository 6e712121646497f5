// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// Who has the bytes of a key that may not leave: a keychain, which does with it what is asked.
struct KeyKeeper: Sendable {
    let host: any KeychainHost
    let key: UseKeyRequest.Key
    /// How what the key demands may be met; from the query that found it.
    var authentication = AuthenticationTerms.usual

    func perform(_ task: UseKeyRequest.Task) throws(KeychainError) -> SecretValue {
        let connection = try host.connection()
        var request = UseKeyRequest(key: key, task: task)
        request.authentication = try authentication.later()
        return try connection.service.useKey(request, from: connection.caller)
    }
}
