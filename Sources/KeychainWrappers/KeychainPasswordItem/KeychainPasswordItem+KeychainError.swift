// SPDX-License-Identifier: Apache-2.0

public import Security

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
