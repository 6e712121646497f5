// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Deletes every item that matches a query, all or none.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Call.status("SecItemDelete") { () throws(KeychainError) in try DeleteCall(query).answer() }
}

/// `SecItemDelete`.
struct DeleteCall: ItemCall {
    let host: any KeychainHost
    private var request: DeleteRequest

    /// In the keychain that the query names, or in one that is known.
    init(
        _ query: CFDictionary, in known: (any KeychainHost)? = nil
    ) throws(KeychainError) {
        let parsed = try DeleteRequest.parse(query)
        request = parsed.request
        if let known { host = known } else { host = try parsed.keychains.host() }
    }

    var authentication: AuthenticationTerms {
        get { request.authentication }
        set { request.authentication = newValue }
    }

    func answer() throws(KeychainError) {
        try host.session().delete(request)
    }
}
