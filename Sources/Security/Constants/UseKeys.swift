// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The items that the operation is about.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"
/// The keychain file that a Mac adds to.
@safe nonisolated(unsafe) public let kSecUseKeychain: CFString = "u_Keychain"
/// What the user is told when asked to authenticate.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether the user must not be asked; ``kSecUseAuthenticationUI`` replaced it.
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// Whether the user may be asked: one of the three values below.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The `LAContext` to authenticate with.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Whether a Mac uses the data protection keychain; on Linux there is no other.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg"
/// Whether an Apple TV uses the keychain that its users share.
@safe nonisolated(unsafe) public let kSecUseUserIndependentKeychain: CFString = "u_UserIndependentKeychain"

// The values of kSecUseAuthenticationUI.

/// The user may be asked.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// An item that needs the user fails with ``errSecInteractionNotAllowed``.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Items that need the user are left out.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
