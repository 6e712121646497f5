// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Deletes every item that matches a query, all or none.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Call.status("SecItemDelete") { () throws(KeychainError) in try DeleteCall(query).answer() }
}
