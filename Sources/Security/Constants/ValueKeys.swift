// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The item's data, which is secret for keys and passwords.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
/// A reference to the item.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"
/// A persistent reference to the item.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"
