// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes attributes or data of every item that matches a query, all or none.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Call.status("SecItemUpdate") { () throws(KeychainError) in
        let request = try UpdateRequest.parse(query: query, attributesToUpdate: attributesToUpdate)
        try KeychainConnection.call { (keychain) throws(KeychainError) in
            try keychain.service.update(request, from: keychain.caller)
        }
    }
}
