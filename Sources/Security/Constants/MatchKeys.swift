// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The policy that a certificate must satisfy.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy"
/// The items that alone are searched.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList"
/// The keychain files that a Mac searches.
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
