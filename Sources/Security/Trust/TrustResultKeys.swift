// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The date at which the certificate was examined.
@safe nonisolated(unsafe) public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"
/// The ``SecTrustResultType`` as a number.
@safe nonisolated(unsafe) public let kSecTrustResultValue: CFString = "TrustResultValue"
/// Whether the certificate has extended validation; never given here.
@safe nonisolated(unsafe) public let kSecTrustExtendedValidation: CFString = "TrustExtendedValidation"
/// The organization of a certificate with extended validation; never given here.
@safe nonisolated(unsafe) public let kSecTrustOrganizationName: CFString = "Organization"
/// Whether revocation was checked; never given here.
@safe nonisolated(unsafe) public let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"
/// Until when that check holds; never given here.
@safe nonisolated(unsafe) public let kSecTrustRevocationValidUntilDate: CFString = "TrustExpirationDate"
/// Whether the certificate stands in public logs; never given here.
@safe nonisolated(unsafe) public let kSecTrustCertificateTransparency: CFString = "TrustCertificateTransparency"
