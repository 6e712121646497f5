// SPDX-License-Identifier: Apache-2.0

public import Security

extension KeychainWrapperError: LocalizedError, CustomStringConvertible {
    /// A sentence for a developer or a log.
    public var description: String {
        switch self {
        case .status(let status): Self.text(of: status)
        case .passwordIsNotText: "The stored password is not UTF-8 text."
        case .emptyName: "A name is empty."
        case .unsuitableValue(let key): "The value is of a type that the key \(key) does not take."
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
