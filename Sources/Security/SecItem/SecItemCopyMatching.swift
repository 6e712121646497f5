// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Finds the items that match a query and returns what the query asks for of them.
///
/// - Parameters:
///   - query: The class, attributes, search keys, and what is to be returned.
///   - result: Set to one object, or to an array when more than one was allowed.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Call.status("SecItemCopyMatching") { () throws(KeychainError) in
        switch try QueriedKeychains(searchedBy: query) {
        case .one(let host): try unsafe MatchCall(query, in: host).run(result)
        case .several(let hosts): try unsafe SearchedMatch(query, in: hosts).run(result)
        }
    }
}
