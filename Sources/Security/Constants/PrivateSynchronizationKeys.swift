// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The service of a protected cloud storage key, in the clear.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextServiceIdentifier: CFString = "pcss"
/// The public key of a protected cloud storage key, in the clear.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicKey: CFString = "pcsk"
/// The public identity of a protected cloud storage key, in the clear.
@safe nonisolated(unsafe) public let kSecAttrPCSPlaintextPublicIdentity: CFString = "pcsi"
/// Whether the item's identity in synchronization follows from its primary key.
@safe nonisolated(unsafe) public let kSecAttrDeriveSyncIDFromItemAttributes: CFString = "dspk"
/// The group of people that the item is shared with.
@safe nonisolated(unsafe) public let kSecAttrSharingGroup: CFString = "ggrp"
/// The value of ``kSecAttrSharingGroup`` for an item that is not shared.
@safe nonisolated(unsafe) public let kSecAttrSharingGroupNone: CFString = ""
