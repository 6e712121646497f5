// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Adds an item to the keychain.
///
/// - Parameters:
///   - attributes: The item's class, attributes and data, and what is to be returned.
///   - result: Set to what was asked for; left alone when nothing was.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Call.status("SecItemAdd") { () throws(KeychainError) in try unsafe AddCall(attributes).run(result) }
}
