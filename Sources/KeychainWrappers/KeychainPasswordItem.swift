// SPDX-License-Identifier: Apache-2.0

public import Security

/// The password of one account of a service.
public struct KeychainPasswordItem: Sendable, Hashable {
    /// The service the password is for.
    public let service: String

    /// The account's name.
    public private(set) var account: String

    /// The access group of the item; nil stands for the program's own.
    public let accessGroup: String?

    /// Names an item, which need not exist.
    public init(service: String, account: String, accessGroup: String? = nil) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }

    /// The stored password; without an item it throws `noPassword`.
    public func readPassword() throws(KeychainError) -> String {
        let asked = query.merging([kSecReturnData: true]) { _, new in new }
        let found = try KeychainError.translating { () throws(StatusFailure) in try ItemCalls.copyMatching(asked) }
        guard case .item(let value) = found else { throw .noPassword }
        guard let data = value as? Data, let password = String(validating: data, as: UTF8.self) else {
            throw .unexpectedPasswordData
        }
        return password
    }

    /// Stores a password in place of the one that is there, if any.
    public func savePassword(_ password: String) throws(KeychainError) {
        try KeychainError.translating { () throws(StatusFailure) in
            try ItemCalls.replaceOrAdd(query, with: [kSecValueData: Data(password.utf8)])
        }
    }

    /// Gives the account another name, also in the keychain if the item is there.
    ///
    /// When an item has the new name already, both stay as they are and the call throws.
    public mutating func renameAccount(_ newAccountName: String) throws(KeychainError) {
        let query = query
        _ = try KeychainError.translating { () throws(StatusFailure) in
            try ItemCalls.isFound { () throws(StatusFailure) in
                try ItemCalls.update(query, with: [kSecAttrAccount: newAccountName])
            }
        }
        account = newAccountName
    }

    /// Removes the item; there may be none.
    public func deleteItem() throws(KeychainError) {
        _ = try KeychainError.translating { () throws(StatusFailure) in
            try ItemCalls.isFound { () throws(StatusFailure) in try ItemCalls.delete(query) }
        }
    }

    /// All items of a service, in the order they were added.
    public static func passwordItems(
        forService service: String, accessGroup: String? = nil
    ) throws(KeychainError) -> [KeychainPasswordItem] {
        var asked = ItemCalls.query(service: service, group: accessGroup)
        asked[kSecMatchLimit] = kSecMatchLimitAll
        asked[kSecReturnAttributes] = true
        let query = asked
        let found = try KeychainError.translating { () throws(StatusFailure) in try ItemCalls.copyMatching(query) }
        guard case .item(let value) = found else { return [] }
        guard let items = value as? [[CFString: Any]] else { throw .unexpectedItemData }
        var result: [KeychainPasswordItem] = []
        for item in items {
            guard let account = item[kSecAttrAccount] as? String else { throw .unexpectedItemData }
            result.append(KeychainPasswordItem(service: service, account: account, accessGroup: accessGroup))
        }
        return result
    }

    private var query: ItemCalls.Attributes {
        ItemCalls.query(service: service, account: account, group: accessGroup)
    }
}

extension KeychainPasswordItem {
    /// Why an item could not be read or changed.
    public enum KeychainError: Error, Sendable, Equatable {
        /// There is no item.
        case noPassword

        /// The item holds no password, or one that is not UTF-8 text.
        case unexpectedPasswordData

        /// An item of the service has an account that is not text.
        case unexpectedItemData

        /// The keychain refused the call with this status.
        case unhandledError(status: OSStatus)
    }
}

extension KeychainPasswordItem.KeychainError {
    /// Does the work and throws its failure as an error of this type.
    static func translating<Result>(_ work: () throws(StatusFailure) -> Result) throws(Self) -> Result {
        do throws(StatusFailure) {
            return try work()
        } catch {
            throw .unhandledError(status: error.status)
        }
    }
}
