// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// The class of an item.

/// The key that says which kind of item a dictionary is about.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"
/// A password of any sort.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
/// A password for a server on the network.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"
/// A certificate together with its private key.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"

// Apple has this in a private header.

/// A password for AppleShare, which no keychain of today stores.
@safe nonisolated(unsafe) public let kSecClassAppleSharePassword: CFString = "apls"

// What an item holds, and what refers to it.

/// The item's data, which is secret for keys and passwords.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"
/// A reference to the item.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"
/// A persistent reference to the item.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"

// What is returned.

/// Whether the items' data is returned.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"
/// Whether a dictionary of the items' attributes is returned.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether references are returned.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"
/// Whether persistent references are returned.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

// What is searched for.

/// The policy that a certificate must satisfy.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"
/// The items that alone are searched.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"
/// The keychains that are searched, as an array of `SecKeychain`.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList"
/// The issuers, as DER names, that the certificate's chain must contain one of.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers"
/// The e-mail address that a certificate must have if it has any.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// A string that the subject must contain.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// A string that the subject must start with.
@safe nonisolated(unsafe) public let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// A string that the subject must end with.
@safe nonisolated(unsafe) public let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// A string that the subject must be equal to.
@safe nonisolated(unsafe) public let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// A host that the server must be, or be a subdomain of.
@safe nonisolated(unsafe) public let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Whether strings match regardless of case.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Whether strings match regardless of accents.
@safe nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Whether strings match regardless of the width of characters.
@safe nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Whether only certificates with a trusted anchor match.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// The date on which the item must be valid; `kCFNull` means now.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many items are found at most: a number, or one of the two values below.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit"

// The values of kSecMatchLimit.

/// The first item alone.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Every item.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll"

// How the call is done.

/// The items that the operation is about.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList"
/// The keychain that the operation is about, as a `SecKeychain`.
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

// Apple has these in a private header.

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

// Other dictionaries: shared web credentials, and passwords to generate.

/// The password in a dictionary of shared web credentials.
@safe nonisolated(unsafe) public let kSecSharedPassword: CFString = "spwd"

// Both have one value, as on iOS: they cannot stand in one dictionary there either.

/// The shortest password to generate.
@safe nonisolated(unsafe) public let kSecPasswordMinLength: CFString = "PasswordMaxLength"
/// The longest password to generate.
@safe nonisolated(unsafe) public let kSecPasswordMaxLength: CFString = "PasswordMaxLength"
