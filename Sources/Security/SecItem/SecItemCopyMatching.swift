// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Finds the items that match a query and returns what the query asks for of them.
///
/// - Parameters:
///   - query: The class, attributes, search keys, and what is to be returned.
///   - result: Set to one object, or to an array when more than one was allowed.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Call.status("SecItemCopyMatching") { () throws(KeychainError) in
        let request = try MatchRequest.parse(query)
        let host = try KeychainConnection.host()
        let keychain = try host.connection()
        let found = try keychain.service.match(request, from: keychain.caller)
        let shape = ResultShape(
            request.returning, isArray: request.limit != .single, host: host, request.authentication)
        if let result = unsafe result, shape.saysAnything { unsafe result.pointee = shape.object(for: found) }
    }
}
