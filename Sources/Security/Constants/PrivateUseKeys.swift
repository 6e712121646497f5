// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// Whether deleting leaves a tombstone.
@safe nonisolated(unsafe) public let kSecUseTombstones: CFString = "u_Tomb"
/// The authentication to use, as data.
@safe nonisolated(unsafe) public let kSecUseCredentialReference: CFString = "u_CredRef"
/// The name of the program that asks, for the user to see.
@safe nonisolated(unsafe) public let kSecUseCallerName: CFString = "u_CallerName"
/// Whether the items of tokens are returned unresolved.
@safe nonisolated(unsafe) public let kSecUseTokenRawItems: CFString = "u_TokenRawItems"
/// Whether a Mac matches issuers for certificates too.
@safe nonisolated(unsafe) public let kSecUseCertificatesWithMatchIssuers: CFString = "u_CertWithIssuers"
/// Whether the machine's keychain is used where users share a machine.
@safe nonisolated(unsafe) public let kSecUseSystemKeychain: CFString = "u_SystemKeychain"
/// Whether the machine's keychain is used in any case.
@safe nonisolated(unsafe) public let kSecUseSystemKeychainAlways: CFString = "u_SystemKeychainAlways"
/// The number of the user whose keychain is used in that user's absence.
@safe nonisolated(unsafe) public let kSecUseSyncBubbleKeychain: CFString = "u_SyncBubbleKeychain"
