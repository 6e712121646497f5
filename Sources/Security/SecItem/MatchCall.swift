// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// `SecItemCopyMatching`.
struct MatchCall: ItemCall {
    let host: any KeychainHost
    private var request: MatchRequest
    private let shape: ResultShape

    init(_ query: CFDictionary, in host: any KeychainHost) throws(KeychainError) {
        request = try MatchRequest.parse(query)
        self.host = host
        shape = ResultShape(
            request.returning, isArray: request.limit != .single, host: host, request.authentication)
    }

    var limit: MatchLimit { request.limit }

    var authentication: AuthenticationTerms {
        get { request.authentication }
        set { request.authentication = newValue }
    }

    func answer() throws(KeychainError) -> [Found] {
        let keychain = try host.connection()
        return try keychain.service.match(request, from: keychain.caller)
    }

    func give(_ answer: [Found], to result: UnsafeMutablePointer<CFTypeRef?>?) {
        if let result = unsafe result, shape.saysAnything { unsafe result.pointee = shape.object(for: answer) }
    }
}
