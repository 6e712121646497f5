// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The password in a dictionary of shared web credentials.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"
