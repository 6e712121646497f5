// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// A password for AppleShare, which no keychain of today stores.
@safe nonisolated(unsafe) public let kSecClassAppleSharePassword: CFString = "apls"
