// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a request for a certificate (PKCS#10) in DER; nil when it cannot, and ``Llavero/lastFailure`` says why.
///
/// ``Llavero/CertificateRequest`` says the same in Swift's own types. Every hash, purpose and name that a request cannot
/// have is refused, and so is every parameter that is not among those below.
///
/// - Parameters:
///   - subject: From the least specific part to the most specific one, an array of arrays of one pair each: a `kSecOid…`
///     constant or an object identifier in dots, and a string.
///   - parameters: `kSecSubjectAltName`, `kSecCertificateKeyUsage`, `kSecCSRBasicConstraintsPathLen` and
///     `kSecCMSSignHashAlgorithm`; nil for none.
///   - publicKey: The public half of the private key; nil for just that.
///   - privateKey: The key that the certificate is for, wherever it is kept; it signs.
public func SecGenerateCertificateRequest(
    _ subject: CFArray, _ parameters: CFDictionary?, _ publicKey: SecKey?, _ privateKey: SecKey
) -> CFData? {
    unsafe KeyCall.result("SecGenerateCertificateRequest", nil) { () throws(KeychainError) in
        guard publicKey == nil || publicKey?.key.publicRepresentation == privateKey.key.publicRepresentation else {
            throw KeychainError(.parameter, "the public key does not match the private key")
        }
        let parameters = try RequestParameters(parameters ?? [:])
        var request = Llavero.CertificateRequest(subject: try RequestSubject.parts(subject))
        request.alternativeNames = parameters.names
        request.keyUsage = parameters.usage
        request.authority = parameters.authority
        return NSData(copying: try request.signed(by: privateKey, hash: parameters.hash))
    }
}

/// The subject of a request out of the arrays a caller gives.
private enum RequestSubject {
    static func parts(_ subject: CFArray) throws(KeychainError) -> [Llavero.CertificateRequest.SubjectPart] {
        var parts: [Llavero.CertificateRequest.SubjectPart] = []
        for element in subject {
            guard let pairs = element as? NSArray else { throw malformed }
            guard pairs.count == 1, let pair = pairs.firstObject as? NSArray else {
                throw KeychainError(
                    .parameter, "a part of the subject must be an array of one pair; several are not supported")
            }
            guard pair.count == 2, let name = ValueReading.string(pair[0] as AnyObject),
                let text = ValueReading.string(pair[1] as AnyObject)
            else { throw malformed }
            parts.append(part(name, text))
        }
        return parts
    }

    private static func part(_ name: String, _ text: String) -> Llavero.CertificateRequest.SubjectPart {
        switch name {
        case "CN": .commonName(text)
        case "C": .country(text)
        case "ST": .stateOrProvince(text)
        case "L": .locality(text)
        case "O": .organization(text)
        case "OU": .organizationalUnit(text)
        default: .other(objectIdentifier: name, text)
        }
    }

    private static var malformed: KeychainError {
        KeychainError(.parameter, "the subject must be an array of arrays of pairs of an identifier and a string")
    }
}

/// The parameters of a request, with everything in them understood or refused.
private struct RequestParameters {
    private(set) var names: [Llavero.CertificateRequest.AlternativeName] = []
    private(set) var usage: SecKeyUsage = []
    private(set) var authority: Llavero.CertificateRequest.Authority?
    /// In bits; nil for the usual one of the key.
    private(set) var hash: Int?

    init(_ dictionary: CFDictionary) throws(KeychainError) {
        for key in dictionary.allKeys {
            let value = dictionary.object(forKey: key) as AnyObject
            switch key as? NSString {
            case kSecSubjectAltName: try takeNames(value)
            case kSecCertificateKeyUsage:
                guard let number = value as? NSNumber, let bits = UInt32(exactly: number) else {
                    throw KeychainError(.parameter, "the value must be a number", subject: "keyUsage")
                }
                usage = SecKeyUsage(rawValue: bits)
            case kSecCMSSignHashAlgorithm:
                guard let bits = ValueReading.string(value).flatMap({ Self.hashes[$0] }) else {
                    throw KeychainError(
                        .parameter, "a certificate request can be signed with SHA-256, SHA-384 or SHA-512 only")
                }
                hash = bits
            case kSecCSRChallengePassword:
                throw KeychainError(
                    .unimplemented,
                    "challenge passwords are not supported: everyone could read the password in the request",
                    subject: "csrChallengePassword")
            case kSecCSRBasicConstraintsPathLen:
                guard let number = value as? NSNumber, let length = UInt8(exactly: number) else {
                    throw KeychainError(.parameter, "the value must be a number below 256", subject: "basicConstraints")
                }
                authority = Llavero.CertificateRequest.Authority(pathLength: length)
            case let name:
                throw KeychainError(
                    .unimplemented, "unknown parameter of certificate requests", subject: name as String?)
            }
        }
    }

    private mutating func takeNames(_ value: AnyObject) throws(KeychainError) {
        guard let dictionary = value as? NSDictionary else {
            throw KeychainError(.parameter, "the value must be a dictionary", subject: "subjectAltName")
        }
        for key in dictionary.allKeys {
            let given = dictionary.object(forKey: key) as AnyObject
            for element in (given as? NSArray)?.map({ $0 as AnyObject }) ?? [given] {
                guard let text = ValueReading.string(element) else {
                    throw KeychainError(.parameter, "a name must be a string", subject: "subjectAltName")
                }
                switch key as? NSString {
                case kSecSubjectAltNameDNSName: names.append(.dns(text))
                case kSecSubjectAltNameEmailAddress: names.append(.email(text))
                case kSecSubjectAltNameURI: names.append(.uri(text))
                default:
                    throw KeychainError(.unimplemented, "unknown kind of name", subject: "subjectAltName")
                }
            }
        }
    }

    private static let hashes = [
        kSecCMSHashingAlgorithmSHA256 as String: 256, kSecCMSHashingAlgorithmSHA384 as String: 384,
        kSecCMSHashingAlgorithmSHA512 as String: 512,
    ]
}

/// What a key may be used for, as a certificate says it (RFC 5280 §4.2.1.3).
public struct SecKeyUsage: OptionSet, Hashable, Sendable {
    /// The uses as bits.
    public let rawValue: UInt32

    /// The uses that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Signatures that are neither of certificates nor of revocation lists.
    public static let digitalSignature = SecKeyUsage(rawValue: 1 << 0)
    /// Signatures that the signer cannot deny.
    public static let nonRepudiation = SecKeyUsage(rawValue: 1 << 1)
    /// Encryption of keys.
    public static let keyEncipherment = SecKeyUsage(rawValue: 1 << 2)
    /// Encryption of data.
    public static let dataEncipherment = SecKeyUsage(rawValue: 1 << 3)
    /// Agreement on keys.
    public static let keyAgreement = SecKeyUsage(rawValue: 1 << 4)
    /// Signatures of certificates.
    public static let keyCertSign = SecKeyUsage(rawValue: 1 << 5)
    /// Signatures of revocation lists.
    public static let crlSign = SecKeyUsage(rawValue: 1 << 6)
    /// Of an agreement, encryption alone.
    public static let encipherOnly = SecKeyUsage(rawValue: 1 << 7)
    /// Of an agreement, decryption alone.
    public static let decipherOnly = SecKeyUsage(rawValue: 1 << 8)
    /// A reader that does not understand it must refuse the certificate; a request always says so.
    public static let critical = SecKeyUsage(rawValue: 1 << 31)

    /// Nothing is said.
    public static let unspecified: SecKeyUsage = []
    /// The newer name of ``nonRepudiation``.
    public static let contentCommitment = nonRepudiation
    /// All of them.
    public static let all = SecKeyUsage(rawValue: 0x7FFF_FFFF)

    static let known = SecKeyUsage(rawValue: 1 << 9 - 1)
}

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

/// SHA-1, which is no longer accepted anywhere; refused.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA1: CFString = "kSecCMSHashingAlgorithmSHA1"
/// SHA-256.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA256: CFString = "kSecCMSHashingAlgorithmSHA256"
/// SHA-384.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA384: CFString = "kSecCMSHashingAlgorithmSHA384"
/// SHA-512.
@safe nonisolated(unsafe) public let kSecCMSHashingAlgorithmSHA512: CFString = "kSecCMSHashingAlgorithmSHA512"
