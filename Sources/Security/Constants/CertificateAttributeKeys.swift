// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The subject's name, as normalized DER.
@safe nonisolated(unsafe) public let kSecAttrSubject: CFString = "subj"
/// The issuer's name, as normalized DER.
@safe nonisolated(unsafe) public let kSecAttrIssuer: CFString = "issr"
/// The serial number of the certificate.
@safe nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = "slnr"
/// The subject key identifier of the certificate.
@safe nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = "skid"
/// The hash of the certificate's public key.
@safe nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = "pkhh"
/// The type of the certificate, such as ``CSSM_CERT_X_509v3``.
@safe nonisolated(unsafe) public let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of the certificate, such as ``CSSM_CERT_ENCODING_DER``.
@safe nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = "cenc"
