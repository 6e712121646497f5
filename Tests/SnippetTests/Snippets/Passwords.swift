// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Generic passwords, as applications for Apple's systems write them.
import Foundation
import Security

private enum PasswordStoreError: Error {
    case unexpectedData
    case unhandled(OSStatus)
}

private struct Account {
    static let service = "org.example.mail"
    static var base: [String: Any] {
        [
            String(kSecClass): kSecClassGenericPassword as String, kSecAttrService as String: service,
        ]
    }
}

private func save(_ password: String, for account: String) throws {
    var query = Account.base
    query[kSecAttrAccount as String] = account
    query[kSecValueData as String] = password.data(using: .utf8)!
    query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    let status = SecItemAdd(query as CFDictionary, nil)
    switch status {
    case errSecSuccess: return
    case errSecDuplicateItem:
        let change = [kSecValueData as String: Data(password.utf8)]
        guard SecItemUpdate(Account.base as CFDictionary, change as CFDictionary) == errSecSuccess else {
            throw PasswordStoreError.unhandled(status)
        }
    default: throw PasswordStoreError.unhandled(status)
    }
}

private func read(_ account: String) throws -> String? {
    var query = Account.base
    query[kSecAttrAccount as String] = account
    query[kSecReturnData as String] = kCFBooleanTrue
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    guard status != errSecItemNotFound else { return nil }
    guard status == noErr else { throw PasswordStoreError.unhandled(status) }
    guard let data = item as? Data else { throw PasswordStoreError.unexpectedData }
    return String(data: data, encoding: .utf8)
}

private func accounts() -> [String] {
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
    ]
    var result: AnyObject?
    guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return [] }
    return (result as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String } ?? []
}

private func persistentReference(_ account: String) -> Data? {
    let query =
        [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account as CFString,
            kSecReturnPersistentRef: kCFBooleanTrue as Any,
        ] as [CFString: Any] as CFDictionary
    var reference: CFTypeRef?
    return SecItemCopyMatching(query, &reference) == errSecSuccess ? reference as? Data : nil
}

private func clear() {
    for itemClass in [
        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey, kSecClassIdentity,
    ] {
        let status = SecItemDelete([kSecClass: itemClass] as CFDictionary)
        if status != errSecSuccess && status != errSecItemNotFound {
            print(SecCopyErrorMessageString(status, nil) as String? ?? "unknown")
        }
    }
}

private func withMutableDictionary() -> OSStatus {
    let query = NSMutableDictionary()
    query.setValue(kSecClassInternetPassword, forKey: kSecClass as String)
    query[kSecAttrServer] = "example.org"
    query[kSecAttrProtocol] = kSecAttrProtocolHTTPS
    query[kSecAttrAuthenticationType] = kSecAttrAuthenticationTypeHTTPBasic
    query[kSecAttrPort] = 443
    return SecItemAdd(query, nil)
}

private func withPointer(_ query: [String: AnyObject]) -> AnyObject? {
    var found: AnyObject?
    let status = withUnsafeMutablePointer(to: &found) {
        SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
    }
    return status == errSecSuccess ? found : nil
}

private func asError(_ status: OSStatus) -> NSError {
    NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [NSLocalizedDescriptionKey: SecCopyErrorMessageString(status, nil).map { $0 as String } ?? ""])
}

private func copied(_ dictionary: NSDictionary) -> NSMutableDictionary { NSMutableDictionary(dictionary: dictionary) }

private func limited(_ control: SecAccessControl, _ data: Data) -> OSStatus {
    let item: NSDictionary = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccessControl: control, kSecValueData: data,
        kSecUseDataProtectionKeychain: true, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
    ]
    return SecItemAdd(item, nil)
}
