// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// `SecItemDelete`.
struct DeleteCall: ItemCall {
    let host: any KeychainHost
    private var request: DeleteRequest

    init(_ query: CFDictionary) throws(KeychainError) {
        request = try DeleteRequest.parse(query)
        host = try QueriedKeychains.host(usedBy: query)
    }

    var authentication: AuthenticationTerms {
        get { request.authentication }
        set { request.authentication = newValue }
    }

    func answer() throws(KeychainError) {
        let keychain = try host.connection()
        try keychain.service.delete(request, from: keychain.caller)
    }
}
