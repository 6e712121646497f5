// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel

/// The keychains that a dictionary names; without a name, the program's own.
enum QueriedKeychains {
    case one(any KeychainHost)
    /// In the order in which they are searched.
    case several([any KeychainHost])

    /// Those to search: `kSecMatchSearchList`, else `kSecUseKeychain`; an empty list is none.
    init(searchedBy query: CFDictionary) throws(KeychainError) {
        guard let list = query.object(forKey: QueriedKeychains.searchList) else {
            self = .one(try QueriedKeychains.host(usedBy: query))
            return
        }
        guard let keychains = list as? [SecKeychain] else {
            // An empty list of anything counts as none.
            guard (list as? NSArray)?.count == 0 else {
                throw KeychainError(.parameter, "a search list is an array of SecKeychain", subject: "m_SearchList")
            }
            self = .one(try QueriedKeychains.host(usedBy: query))
            return
        }
        var hosts: [any KeychainHost] = []
        for keychain in keychains { hosts.append(try keychain.host()) }
        switch hosts.count {
        case 0: self = .one(try QueriedKeychains.host(usedBy: query))
        case 1: self = .one(hosts[0])
        default: self = .several(hosts)
        }
    }

    /// The one that a new item goes to, or a change is made in: `kSecUseKeychain`.
    static func host(usedBy query: CFDictionary) throws(KeychainError) -> any KeychainHost {
        guard let object = query.object(forKey: keychain) else { return try KeychainConnection.host() }
        guard let keychain = object as? SecKeychain else {
            throw KeychainError(.parameter, "the value is no SecKeychain", subject: "u_Keychain")
        }
        return try keychain.host()
    }

    // NSString is immutable and these are never changed; Foundation only declines to say so.
    @safe nonisolated(unsafe) private static let searchList: NSString = "m_SearchList"
    @safe nonisolated(unsafe) private static let keychain: NSString = "u_Keychain"
}
