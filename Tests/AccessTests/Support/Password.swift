// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// A generic password that a test stores and asks for, in the keychain that is in use.
struct Password: Sendable {
    typealias Terms = [CFString: Any]

    /// What came of asking for it.
    struct Answer: Equatable {
        let status: OSStatus
        var data: Data?

        static func nothing(_ status: OSStatus) -> Answer { Answer(status: status, data: nil) }
    }

    let account: String
    var secret: Data { Data("what \(account) keeps".utf8) }

    init(_ account: String) { self.account = account }

    var key: Terms { [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] }

    /// What a find gives when all is well.
    var found: Answer { Answer(status: errSecSuccess, data: secret) }

    /// The dictionary of an Add.
    func described(_ control: SecAccessControl?, _ terms: Terms = [:]) -> Terms {
        var item = key
        item[kSecValueData] = secret
        if let control { item[kSecAttrAccessControl] = control }
        return item.merging(terms) { $1 }
    }

    func add(_ control: SecAccessControl?, _ terms: Terms = [:]) -> OSStatus {
        SecItemAdd(described(control, terms) as CFDictionary, nil)
    }

    func add(_ flags: SecAccessControlCreateFlags, _ terms: Terms = [:]) -> OSStatus {
        guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil) else {
            return errSecParam
        }
        return add(control, terms)
    }

    func find(_ terms: Terms = [:]) -> Answer {
        var query = key
        query[kSecReturnData] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query.merging(terms) { $1 } as CFDictionary, &result)
        return Answer(status: status, data: result as? Data)
    }

    func find(_ context: LAContext) -> Answer { find([kSecUseAuthenticationContext: context]) }

    func update(_ changes: Terms, _ terms: Terms = [:]) -> OSStatus {
        SecItemUpdate(key.merging(terms) { $1 } as CFDictionary, changes as CFDictionary)
    }

    func delete(_ terms: Terms = [:]) -> OSStatus { SecItemDelete(key.merging(terms) { $1 } as CFDictionary) }
}

extension SecAccessControl {
    /// One that must be possible.
    static func demanding(
        _ flags: SecAccessControlCreateFlags, _ accessibility: CFString = kSecAttrAccessibleWhenUnlocked
    ) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, accessibility, flags, nil))
    }
}
