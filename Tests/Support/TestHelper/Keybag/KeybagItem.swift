// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// One item, named by its item class, its protection class, and a word: `genp.aku.first`.
struct KeybagItem {
    let name: String

    private var words: [String] { name.split(separator: ".").map(String.init) }
    private var protection: String { words.count > 1 ? words[1] : "" }

    func add(_ value: String) -> OSStatus {
        var item = key
        item[kSecAttrAccessible as String] = protection
        item[kSecValueData as String] = Data(value.utf8)
        return SecItemAdd(item as CFDictionary, nil)
    }

    func update(_ value: String) -> OSStatus {
        SecItemUpdate(key as CFDictionary, [kSecValueData as String: Data(value.utf8)] as CFDictionary)
    }

    func delete() -> OSStatus { SecItemDelete(key as CFDictionary) }

    func find() -> (status: OSStatus, value: String?) {
        var query = key
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Reads the secret and looks at nothing of it, so that no copy of it is made outside of the engine: the object is the
    /// engine's own, and wipes itself when it goes.
    func read() -> (status: OSStatus, object: CFTypeRef?) {
        var query = key
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result)
    }

    private var key: [String: Any] {
        switch words.first {
        case "inet":
            [
                kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: "keybag",
                kSecAttrAccount as String: name,
            ]
        case "keys": [kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: Data(name.utf8)]
        case "cert":
            [
                kSecClass as String: kSecClassCertificate, kSecAttrIssuer as String: Data("keybag".utf8),
                kSecAttrSerialNumber as String: Data(name.utf8),
            ]
        default:
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "keybag",
                kSecAttrAccount as String: name,
            ]
        }
    }
}
