// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// Whether the items' data is returned.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
/// Whether a dictionary of the items' attributes is returned.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether references are returned.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"
/// Whether persistent references are returned.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
