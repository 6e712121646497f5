// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// Both have one value, as on iOS: they cannot stand in one dictionary there either.

/// The shortest password to generate.
@safe nonisolated(unsafe) public let kSecPasswordMinLength: CFString = "PasswordMaxLength"
/// The longest password to generate.
@safe nonisolated(unsafe) public let kSecPasswordMaxLength: CFString = "PasswordMaxLength"
