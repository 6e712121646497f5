// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes. Apple has these names in a private header.

// Parts of a subject.

/// The name itself.
@safe nonisolated(unsafe) public let kSecOidCommonName: CFString = "CN"
/// The country, two letters.
@safe nonisolated(unsafe) public let kSecOidCountryName: CFString = "C"
/// A state or a province.
@safe nonisolated(unsafe) public let kSecOidStateProvinceName: CFString = "ST"
/// A town.
@safe nonisolated(unsafe) public let kSecOidLocalityName: CFString = "L"
/// A company or another body.
@safe nonisolated(unsafe) public let kSecOidOrganization: CFString = "O"
/// A part of it.
@safe nonisolated(unsafe) public let kSecOidOrganizationalUnit: CFString = "OU"

// Parameters of a request.

/// A password for revoking the certificate; it would stand in the request for all to read, and is refused.
@safe nonisolated(unsafe) public let kSecCSRChallengePassword: CFString = "csrChallengePassword"
/// A dictionary of names beside the subject: of `kSecSubjectAltName…` keys, each with a string or an array of strings.
@safe nonisolated(unsafe) public let kSecSubjectAltName: CFString = "subjectAltName"
/// A ``SecKeyUsage`` as a number.
@safe nonisolated(unsafe) public let kSecCertificateKeyUsage: CFString = "keyUsage"
/// How many authorities may stand under the one that the certificate is for, below 256.
@safe nonisolated(unsafe) public let kSecCSRBasicConstraintsPathLen: CFString = "basicConstraints"
/// How many authorities may stand under the one that the certificate is for, as Apple spells it.
@safe nonisolated(unsafe) public let kSecCSRBasicContraintsPathLen: CFString = "basicConstraints"
/// Extensions by their identifiers; not supported.
@safe nonisolated(unsafe) public let kSecCertificateExtensions: CFString = "certificateExtensions"
/// Extensions by their identifiers, in DER; not supported.
@safe nonisolated(unsafe) public let kSecCertificateExtensionsEncoded: CFString = "certificateExtensionsEncoded"
/// The hash of the signature: one of the `kSecCMSHashingAlgorithm…` values.
@safe nonisolated(unsafe) public let kSecCMSSignHashAlgorithm: CFString = "kSecCMSSignHashAlgorithm"

// Names beside the subject.

/// A host's name.
@safe nonisolated(unsafe) public let kSecSubjectAltNameDNSName: CFString = "dNSName"
/// An e-mail address.
@safe nonisolated(unsafe) public let kSecSubjectAltNameEmailAddress: CFString = "rfc822Name"
/// A URI.
@safe nonisolated(unsafe) public let kSecSubjectAltNameURI: CFString = "uniformResourceIdentifier"
/// The name of a person in Windows; not supported.
@safe nonisolated(unsafe) public let kSecSubjectAltNameNTPrincipalName: CFString = "ntPrincipalName"

// Hashes.

/// SHA-1, which nobody takes any more; refused.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA1: CFString = "kSecCMSHashingAlgorithmSHA1"
/// SHA-256.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA256: CFString = "kSecCMSHashingAlgorithmSHA256"
/// SHA-384.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA384: CFString = "kSecCMSHashingAlgorithmSHA384"
/// SHA-512.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA512: CFString = "kSecCMSHashingAlgorithmSHA512"
