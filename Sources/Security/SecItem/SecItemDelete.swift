// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Deletes every item that matches a query, all or none.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Call.status("SecItemDelete") { () throws(KeychainError) in
        let request = try DeleteRequest.parse(query)
        try KeychainConnection.call { (keychain) throws(KeychainError) in
            try keychain.service.delete(request, from: keychain.caller)
        }
    }
}
