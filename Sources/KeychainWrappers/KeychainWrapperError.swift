// SPDX-License-Identifier: Apache-2.0

public import Security

/// Why a wrapper could not do what it was asked; it never holds a secret or the value of an attribute.
public enum KeychainWrapperError: Error, Sendable, Equatable {
    /// The keychain refused the call with this status.
    case status(OSStatus)

    /// The stored password is not UTF-8 text.
    case passwordIsNotText

    /// A name that has to say something, such as an account's or a service's, is empty.
    case emptyName

    /// The value is of a type that this key does not take.
    case unsuitableValue(key: String)

    /// The key cannot be set: it identifies the item, or is not an attribute of an item.
    case keyCannotBeSet(key: String)
}

extension KeychainWrapperError: LocalizedError, CustomStringConvertible {
    /// A sentence for a developer or a log.
    public var description: String {
        switch self {
        case .status(let status): Self.text(of: status)
        case .passwordIsNotText: "The stored password is not UTF-8 text."
        case .emptyName: "A name is empty."
        case .unsuitableValue(let key): "The key \(key) does not accept a value of this type."
        case .keyCannotBeSet(let key): "The key \(key) cannot be set."
        }
    }

    /// The same sentence, for `localizedDescription`.
    public var errorDescription: String? { description }

    private static func text(of status: OSStatus) -> String {
        guard let message = SecCopyErrorMessageString(status, nil) else { return "OSStatus \(status)" }
        return "\(message) (\(status))"
    }
}

extension KeychainWrapperError {
    /// Does the work and throws its failure as an error of this type.
    static func translating<Result>(
        _ work: () throws(StatusFailure) -> Result
    ) throws(KeychainWrapperError) -> Result {
        do throws(StatusFailure) {
            return try work()
        } catch {
            throw .status(error.status)
        }
    }
}
