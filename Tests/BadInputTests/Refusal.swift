// SPDX-License-Identifier: Apache-2.0

import Security

/// A way in which an Add or an Update is refused; the keychain is `SmallKeychain`.
struct Refusal: Sendable, CustomStringConvertible {
    let description: String
    let status: OSStatus
    let call: @Sendable () -> OSStatus

    static let all = adds + updates

    /// An Add of a good item with more said of it.
    private static func add(
        _ description: String, _ status: OSStatus, _ more: @escaping @Sendable () -> [CFString: Any]
    ) -> Refusal {
        Refusal(description: description, status: status) {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "new", kSecAttrService: "s",
                kSecValueData: Data("new".utf8),
            ]
            return SecItemAdd(item.merging(more()) { $1 } as CFDictionary, nil)
        }
    }

    /// An Update of the three items of the service that changes their data and label, with more said of it.
    private static func update(
        _ description: String, _ status: OSStatus,
        of query: @autoclosure @escaping @Sendable () -> [CFString: Any] = [:],
        _ more: @escaping @Sendable () -> [CFString: Any]
    ) -> Refusal {
        Refusal(description: description, status: status) {
            let all: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "s"]
            let changes: [CFString: Any] = [kSecValueData: Data("new".utf8), kSecAttrLabel: "new"]
            return SecItemUpdate(
                all.merging(query()) { $1 } as CFDictionary, changes.merging(more()) { $1 } as CFDictionary)
        }
    }

    private static let adds: [Refusal] = [
        add("Add of what is there", errSecDuplicateItem) { [kSecAttrAccount: "a"] },
        add("Add with data that is text", errSecParam) { [kSecValueData: "new"] },
        add("Add with a null", errSecParam) { [kSecAttrLabel: NSNull()] },
        add("Add of no class", errSecNoSuchClass) { [kSecClass: "none"] },
        add("Add of an identity with an account", errSecNoSuchAttr) { [kSecClass: kSecClassIdentity] },
        add("Add with an unknown attribute", errSecNoSuchAttr) { ["abcd" as CFString: "x"] },
        add("Add with another class's attribute", errSecNoSuchAttr) { [kSecAttrServer: "x"] },
        add("Add with an unknown key", errSecParam) { ["unknown" as CFString: "x"] },
        add("Add with a search key", errSecParam) { [kSecMatchTrustedOnly: true] },
        add("Add to a foreign group", errSecMissingEntitlement) { [kSecAttrAccessGroup: "another.group"] },
        add("Add with no such protection", errSecParam) { [kSecAttrAccessible: "never"] },
        add("Add of any synchronizability", errSecParam) { [kSecAttrSynchronizable: kSecAttrSynchronizableAny] },
        add("Add with a date beyond all years", errSecParam) {
            [kSecAttrCreationDate: NSDate(timeIntervalSinceReferenceDate: .infinity)]
        },
        add("Add with a return key that is no boolean", errSecParam) { [kSecReturnData: "yes"] },
        add("Add to a token", errSecParam) { [kSecAttrTokenID: "card"] },
    ]

    private static let updates: [Refusal] = [
        update("Update to one account for all", errSecDuplicateItem) { [kSecAttrAccount: "one"] },
        update("Update of one to another", errSecDuplicateItem, of: [kSecAttrAccount: "a"]) {
            [kSecAttrAccount: "b"]
        },
        update("Update with data that is text", errSecParam) { [kSecValueData: "new"] },
        update("Update with a null", errSecParam) { [kSecAttrComment: NSNull()] },
        update("Update of the class", errSecNoSuchAttr) { [kSecClass: kSecClassInternetPassword] },
        update("Update with an unknown attribute", errSecNoSuchAttr) { ["abcd" as CFString: "x"] },
        update("Update with another class's attribute", errSecNoSuchAttr) { [kSecAttrServer: "x"] },
        update("Update with a return key among the changes", errSecNoSuchAttr) { [kSecReturnData: true] },
        update("Update into a foreign group", errSecMissingEntitlement) { [kSecAttrAccessGroup: "another.group"] },
        update("Update with no such protection", errSecParam) { [kSecAttrAccessible: "never"] },
        update("Update to a tombstone", errSecParam) { [kSecAttrTombstone: true] },
        update("Update to a token", errSecParam) { [kSecAttrTokenID: "card"] },
        update("Update with a limit", errSecParam, of: [kSecMatchLimit: kSecMatchLimitOne]) { [:] },
        update("Update of nothing", errSecItemNotFound, of: [kSecAttrAccount: "z"]) { [:] },
    ]
}
