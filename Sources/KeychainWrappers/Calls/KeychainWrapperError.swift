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

    /// The key is none that a caller sets: it tells which item this is, or is no attribute of an item.
    case keyCannotBeSet(key: String)
}
