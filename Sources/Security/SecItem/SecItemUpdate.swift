// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes attributes or data of every item that matches a query, all or none.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Call.status("SecItemUpdate") { () throws(KeychainError) in try UpdateCall(query, attributesToUpdate).answer() }
}
