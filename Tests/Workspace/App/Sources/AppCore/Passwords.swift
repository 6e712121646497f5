// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security

/// What a program does with the keychain, as on Apple's platforms.
public enum Passwords {
    /// Stores a password that demands a finger or the passcode.
    public static func store(_ password: String, for account: String, in context: LAContext) -> OSStatus {
        guard
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        else { return errSecParam }
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "App", kSecAttrAccount: account,
            kSecValueData: Data(password.utf8), kSecAttrAccessControl: control,
            kSecUseAuthenticationContext: context,
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }

    /// The password, once somebody has shown a finger or the passcode.
    public static func read(_ account: String, in context: LAContext) -> String? {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "App", kSecAttrAccount: account,
            kSecReturnData: true, kSecUseAuthenticationContext: context,
        ]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
        return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What a switch over an enumeration of the library needs: every case, and no more.
    public static func name(of state: IsolatedKeychain.LockState) -> String {
        switch state {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .beforeFirstUnlock: "before the first unlock"
        }
    }
}
