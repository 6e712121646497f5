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
            throw KeychainError(.parameter, "the public key is not that of the private one")
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
                    .parameter, "a part of the subject is an array of one pair; several are not supported")
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
        KeychainError(.parameter, "the subject is an array of arrays of pairs: an identifier and a string")
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
                    throw KeychainError(.parameter, "this is to be a number", subject: "keyUsage")
                }
                usage = SecKeyUsage(rawValue: bits)
            case kSecCMSSignHashAlgorithm:
                guard let bits = ValueReading.string(value).flatMap({ Self.hashes[$0] }) else {
                    throw KeychainError(.parameter, "requests are signed with SHA-256, SHA-384 or SHA-512")
                }
                hash = bits
            case kSecCSRChallengePassword:
                throw KeychainError(
                    .unimplemented, "a challenge password would stand in the request for all to read",
                    subject: "csrChallengePassword")
            case kSecCSRBasicConstraintsPathLen:
                guard let number = value as? NSNumber, let length = UInt8(exactly: number) else {
                    throw KeychainError(.parameter, "this is to be a number below 256", subject: "basicConstraints")
                }
                authority = Llavero.CertificateRequest.Authority(pathLength: length)
            case let name:
                throw KeychainError(.unimplemented, "there is no such parameter of requests", subject: name as String?)
            }
        }
    }

    private mutating func takeNames(_ value: AnyObject) throws(KeychainError) {
        guard let dictionary = value as? NSDictionary else {
            throw KeychainError(.parameter, "this is to be a dictionary", subject: "subjectAltName")
        }
        for key in dictionary.allKeys {
            let given = dictionary.object(forKey: key) as AnyObject
            for element in (given as? NSArray)?.map({ $0 as AnyObject }) ?? [given] {
                guard let text = ValueReading.string(element) else {
                    throw KeychainError(.parameter, "a name is to be a string", subject: "subjectAltName")
                }
                switch key as? NSString {
                case kSecSubjectAltNameDNSName: names.append(.dns(text))
                case kSecSubjectAltNameEmailAddress: names.append(.email(text))
                case kSecSubjectAltNameURI: names.append(.uri(text))
                default:
                    throw KeychainError(.unimplemented, "there are no names of this kind", subject: "subjectAltName")
                }
            }
        }
    }

    private static let hashes = [
        kSecCMSHashingAlgorithmSHA256 as String: 256, kSecCMSHashingAlgorithmSHA384 as String: 384,
        kSecCMSHashingAlgorithmSHA512 as String: 512,
    ]
}
