// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// The encoding of a certificate in DER, as a number object.
public let kSecAttrCertificateEncodingDER: CFNumber = 3

// The values of kSecAttrCertificateType.

/// An X.509 certificate of version 1.
public let CSSM_CERT_X_509v1 = 1
/// An X.509 certificate of version 2.
public let CSSM_CERT_X_509v2 = 2
/// An X.509 certificate of version 3.
public let CSSM_CERT_X_509v3 = 3

// The values of kSecAttrCertificateEncoding.

/// The basic encoding rules.
public let CSSM_CERT_ENCODING_BER = 2
/// The distinguished encoding rules.
public let CSSM_CERT_ENCODING_DER = 3
/// The network data representation.
public let CSSM_CERT_ENCODING_NDR = 4
