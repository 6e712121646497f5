// SPDX-License-Identifier: Apache-2.0

internal import Security

/// User names and their passwords, by service, in the way of SFHFKeychainUtils.
///
/// Each is a generic password whose account is the user name and whose service and label are the service's name.
public struct AccountStore: Sendable, Equatable {
    /// The access group of all accounts; nil stands for the program's own.
    public let accessGroup: String?

    /// The accounts in a group of the program's.
    public init(accessGroup: String? = nil) {
        self.accessGroup = accessGroup
    }

    /// The password of a user, or nil when none is stored.
    public func getPassword(
        forUsername username: String, andServiceName serviceName: String
    ) throws(KeychainWrapperError) -> String? {
        switch try state(try query(username, serviceName)) {
        case .password(let password): password
        case .notText: throw .passwordIsNotText
        case .withoutPassword, .absent: nil
        }
    }

    /// Stores the password of a user.
    ///
    /// - Parameter updateExisting: Whether a different password that is there is replaced. If not, it is kept.
    /// - Returns: Whether the given password is the stored one now; false means that another one was kept.
    @discardableResult
    public func storeUsername(
        _ username: String, andPassword password: String, forServiceName serviceName: String, updateExisting: Bool
    ) throws(KeychainWrapperError) -> Bool {
        let query = try query(username, serviceName)
        let content: ItemCalls.Attributes = [kSecAttrLabel: serviceName, kSecValueData: Data(password.utf8)]
        switch try state(query) {
        case .password(password):
            return true
        case .password, .notText:
            guard updateExisting else { return false }
        case .withoutPassword:
            break
        case .absent:
            if updateExisting { break }
            // Not replaceOrAdd: what another program stored since we looked is kept.
            return try addIfAbsent(query.merging(content) { _, new in new })
        }
        try KeychainWrapperError.translating { () throws(StatusFailure) in
            try ItemCalls.replaceOrAdd(query, with: content)
        }
        return true
    }

    /// Removes a user and the password; without one it throws `errSecItemNotFound`.
    public func deleteItem(
        forUsername username: String, andServiceName serviceName: String
    ) throws(KeychainWrapperError) {
        let query = try query(username, serviceName)
        try KeychainWrapperError.translating { () throws(StatusFailure) in try ItemCalls.delete(query) }
    }
}

extension AccountStore {
    /// What is stored for a user.
    private enum State {
        case absent
        case withoutPassword
        case notText
        case password(String)
    }

    private func state(_ query: ItemCalls.Attributes) throws(KeychainWrapperError) -> State {
        try KeychainWrapperError.translating { () throws(StatusFailure) -> State in
            let asked = query.merging([kSecReturnData: true]) { _, new in new }
            guard case .item(let value) = try ItemCalls.copyMatching(asked) else { return .absent }
            guard let data = value as? Data else { return .withoutPassword }
            return String(validating: data, as: UTF8.self).map(State.password) ?? .notText
        }
    }

    /// Whether the item was added; it is not when there is one with the same key.
    private func addIfAbsent(_ item: ItemCalls.Attributes) throws(KeychainWrapperError) -> Bool {
        do throws(StatusFailure) {
            try ItemCalls.add(item)
            return true
        } catch {
            guard error.status == errSecDuplicateItem else { throw .status(error.status) }
            return false
        }
    }

    private func query(
        _ username: String, _ serviceName: String
    ) throws(KeychainWrapperError) -> ItemCalls.Attributes {
        guard !username.isEmpty, !serviceName.isEmpty else { throw .emptyName }
        return ItemCalls.query(service: serviceName, account: username, group: accessGroup)
    }
}
