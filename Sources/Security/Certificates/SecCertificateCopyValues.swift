// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainCoding
internal import KeychainModel
public import LlaveroFoundation

/// What stands in a certificate, for people: a dictionary of dictionaries with the `kSecPropertyKey…` keys.
///
/// - Parameters:
///   - certificate: The certificate.
///   - keys: The identifiers of the parts that are asked for, such as ``kSecOIDX509V1SubjectName`` and
///     ``kSecOIDSubjectAltName``, or that of any extension in dots; nil for all. What the certificate does not have is not in
///     the result.
///   - error: Set when nil is returned, which is for keys that are not strings; the caller releases it.
public func SecCertificateCopyValues(
    _ certificate: SecCertificate, _ keys: CFArray?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    unsafe KeyCall.result("SecCertificateCopyValues", error) { () throws(KeychainError) in
        var wanted: Set<String>?
        if let keys {
            let texts = keys.compactMap { $0 as? String }
            guard texts.count == keys.count else {
                throw KeychainError(.parameter, "the keys must be strings with object identifiers", subject: "keys")
            }
            wanted = Set(texts)
        }
        let result = NSMutableDictionary()
        for (key, value) in CertificateValues(certificate.certificate).all where wanted?.contains(key) ?? true {
            result[key as NSString] = value.dictionary
        }
        return result
    }
}

/// A part of a certificate: what it is called, and what stands there.
struct CertificateValue {
    indirect enum Content {
        case text(String)
        case data([UInt8])
        case number(Int64)
        /// Seconds since 2001.
        case moment(Double)
        case address(String)
        case section([CertificateValue])
    }

    let label: String
    let content: Content

    init(_ label: String, _ content: Content) {
        self.label = label
        self.content = content
    }

    var dictionary: NSDictionary {
        let result: NSMutableDictionary = [
            kSecPropertyKeyLabel: label as NSString, kSecPropertyKeyLocalizedLabel: label as NSString,
        ]
        switch content {
        case .text(let text):
            (result[kSecPropertyKeyType], result[kSecPropertyKeyValue]) = (kSecPropertyTypeString, text as NSString)
        case .data(let bytes):
            (result[kSecPropertyKeyType], result[kSecPropertyKeyValue]) = (kSecPropertyTypeData, NSData(der: bytes))
        case .number(let number):
            (result[kSecPropertyKeyType], result[kSecPropertyKeyValue]) = (
                kSecPropertyTypeNumber, NSNumber(value: number)
            )
        // Apple gives the moments of a validity as numbers of seconds since 2001.
        case .moment(let date):
            (result[kSecPropertyKeyType], result[kSecPropertyKeyValue]) = (
                kSecPropertyTypeNumber, NSNumber(value: date)
            )
        case .address(let text):
            result[kSecPropertyKeyType] = kSecPropertyTypeURL
            result[kSecPropertyKeyValue] = NSURL(string: text) ?? text as NSString
        case .section(let parts):
            result[kSecPropertyKeyType] = kSecPropertyTypeSection
            result[kSecPropertyKeyValue] = parts.map(\.dictionary) as NSArray
        }
        return result
    }
}

/// The parts of a certificate, by their identifiers, in the order in which they stand there.
struct CertificateValues {
    private let certificate: Certificate

    init(_ certificate: Certificate) { self.certificate = certificate }

    var all: [(key: String, value: CertificateValue)] {
        var parts: [(key: String, value: CertificateValue)] = []
        func add(_ key: CFString, _ label: String, _ content: CertificateValue.Content) {
            parts.append((key as String, CertificateValue(label, content)))
        }
        add(kSecOIDX509V1Version, "Version", .text(String(certificate.version)))
        add(kSecOIDX509V1SerialNumber, "Serial Number", .text(Self.hexadecimal(certificate.serialNumber)))
        if let algorithm = certificate.signatureAlgorithm {
            add(kSecOIDX509V1SignatureAlgorithm, "Signature Algorithm", Self.algorithm(algorithm))
            if let bytes = algorithm.parameters {
                add(kSecOIDX509V1SignatureAlgorithmParameters, "Parameters", .data(bytes))
            }
        }
        add(kSecOIDX509V1IssuerName, "Issuer Name", Self.name(certificate.issuer))
        add(kSecOIDX509V1ValidityNotBefore, "Not Valid Before", .moment(certificate.notBefore))
        add(kSecOIDX509V1ValidityNotAfter, "Not Valid After", .moment(certificate.notAfter))
        add(kSecOIDX509V1SubjectName, "Subject Name", Self.name(certificate.subject))
        if let algorithm = certificate.publicKeyAlgorithm {
            add(kSecOIDX509V1SubjectPublicKeyAlgorithm, "Public Key Algorithm", Self.algorithm(algorithm))
            if let bytes = algorithm.parameters {
                add(kSecOIDX509V1SubjectPublicKeyAlgorithmParameters, "Parameters", .data(bytes))
            }
        }
        add(kSecOIDX509V1SubjectPublicKey, "Public Key Data", .data(certificate.publicKey.externalBytes))
        add(kSecOIDX509V1Signature, "Signature", .data(certificate.signature))
        for one in certificate.extensionList {
            let value = CertificateValue(CertificateWords.word(one.type), .section(extensionParts(one)))
            parts.append((one.type.description, value))
        }
        return parts
    }

    private func extensionParts(_ one: CertificateExtension) -> [CertificateValue] {
        [CertificateValue("Critical", .text(one.isCritical ? "Yes" : "No"))] + content(one)
    }

    private func content(_ one: CertificateExtension) -> [CertificateValue] {
        let extensions = certificate.extensions
        switch one.type.description as NSString {
        case kSecOIDSubjectAltName: return Self.names(extensions.alternativeNames)
        case kSecOIDKeyUsage:
            let uses = CertificateWords.uses(extensions.keyUsage ?? [])
            return [CertificateValue("Usage", .text(uses.joined(separator: ", ")))]
        case kSecOIDExtendedKeyUsage:
            return (extensions.extendedKeyUsage ?? []).map {
                CertificateValue("Purpose", .text(CertificateWords.word($0)))
            }
        case kSecOIDBasicConstraints:
            let isAuthority = CertificateValue(
                "Certificate Authority", .text(extensions.isCertificateAuthority ? "Yes" : "No"))
            let length = extensions.pathLength.map { CertificateValue("Path Length Constraint", .number(Int64($0))) }
            return [isAuthority] + (length.map { [$0] } ?? [])
        case kSecOIDSubjectKeyIdentifier:
            return [CertificateValue("Key Identifier", .data(extensions.subjectKeyIdentifier ?? []))]
        case kSecOIDAuthorityKeyIdentifier:
            guard let parts = DERValue(one.value[...])?.elements,
                let identifier = parts.first(where: { $0.tag == 0x80 })
            else { break }
            return [CertificateValue("Key Identifier", .data(Array(identifier.content)))]
        case kSecOIDAuthorityInfoAccess:
            return certificate.responderAddresses.map {
                CertificateValue("Online Certificate Status Protocol", .address($0))
            }
                + certificate.issuerAddresses.map { CertificateValue("CA Issuers", .address($0)) }
        case kSecOIDCrlDistributionPoints:
            return certificate.revocationListAddresses.map { CertificateValue("URI", .address($0)) }
        case kSecOIDCertificatePolicies:
            let policies = DERValue(one.value[...])?.elements ?? []
            return policies.compactMap { policy in
                policy.elements?.first.flatMap { ObjectIdentifier($0) }.map {
                    CertificateValue("Policy Identifier", .text(CertificateWords.word($0)))
                }
            }
        default: break
        }
        return [CertificateValue("Unparsed Data", .data(one.value))]
    }

    private static func names(_ names: AlternativeNames) -> [CertificateValue] {
        names.dnsNames.map { CertificateValue("DNS Name", .text($0)) }
            + names.emailAddresses.map { CertificateValue("Email Address", .text($0)) }
            + names.uris.map { CertificateValue("URI", .address($0)) }
            + names.addresses.map { CertificateValue("IP Address", .text(CertificateWords.address($0))) }
    }

    /// The attributes of a name, each labelled by its identifier, as on Apple platforms.
    private static func name(_ name: DistinguishedName) -> CertificateValue.Content {
        .section(
            name.attributes.map { CertificateValue($0.type.description, .text($0.text ?? "")) })
    }

    private static func algorithm(
        _ algorithm: (type: ObjectIdentifier, parameters: [UInt8]?)
    ) -> CertificateValue.Content {
        let name = CertificateValue("Algorithm", .text(CertificateWords.word(algorithm.type)))
        let parameters = algorithm.parameters.map { CertificateValue("Parameters", .data($0)) }
        return .section([name] + (parameters.map { [$0] } ?? []))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        return bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: " ")
    }
}

/// A line that tells people whose certificate it is.
public func SecCertificateCopyShortDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    (certificate.certificate.subjectSummary ?? "") as NSString
}

/// Whose certificate it is, by all attributes of the subject's name, the most specific first.
public func SecCertificateCopyLongDescription(
    _ alloc: CFAllocator?, _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    let texts = certificate.certificate.subject.attributes.reversed().compactMap(\.text)
    return texts.joined(separator: ", ") as NSString
}

/// The older name of ``SecCertificateCopySerialNumberData(_:_:)``.
@available(*, deprecated, renamed: "SecCertificateCopySerialNumberData")
public func SecCertificateCopySerialNumber(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe SecCertificateCopySerialNumberData(certificate, error)
}

/// The issuer's normalized name, as ``kSecAttrIssuer`` has it: without the tag and length of the whole.
@available(*, deprecated, renamed: "SecCertificateCopyNormalizedIssuerSequence")
public func SecCertificateCopyNormalizedIssuerContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    NSData(der: certificate.certificate.issuer.normalizedContent)
}

/// The subject's normalized name, as ``kSecAttrSubject`` has it: without the tag and length of the whole.
@available(*, deprecated, renamed: "SecCertificateCopyNormalizedSubjectSequence")
public func SecCertificateCopyNormalizedSubjectContent(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    NSData(der: certificate.certificate.subject.normalizedContent)
}

/// Stores a certificate; ``errSecDuplicateItem`` when it is there already.
///
/// - Parameters:
///   - certificate: The certificate.
///   - keychain: Where; nil for the program's own keychain.
@discardableResult
public func SecCertificateAddToKeychain(_ certificate: SecCertificate, _ keychain: SecKeychain?) -> OSStatus {
    var item: [CFString: Any] = [kSecValueRef: certificate]
    if let keychain { item[kSecUseKeychain] = keychain }
    return SecItemAdd(item as CFDictionary, nil)
}

// The keys of a value. `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// One of the `kSecPropertyType…` values.
@safe nonisolated(unsafe) public let kSecPropertyKeyType: CFString = "type"
/// What the part is called.
@safe nonisolated(unsafe) public let kSecPropertyKeyLabel: CFString = "label"
/// What the part is called in the reader's language; here as ``kSecPropertyKeyLabel``.
@safe nonisolated(unsafe) public let kSecPropertyKeyLocalizedLabel: CFString = "localized label"
/// What stands there.
@safe nonisolated(unsafe) public let kSecPropertyKeyValue: CFString = "value"

// The kinds of value.

/// A warning.
@safe nonisolated(unsafe) public let kSecPropertyTypeWarning: CFString = "warning"
/// That all is well.
@safe nonisolated(unsafe) public let kSecPropertyTypeSuccess: CFString = "success"
/// An array of further parts.
@safe nonisolated(unsafe) public let kSecPropertyTypeSection: CFString = "section"
/// Bytes.
@safe nonisolated(unsafe) public let kSecPropertyTypeData: CFString = "data"
/// Text.
@safe nonisolated(unsafe) public let kSecPropertyTypeString: CFString = "string"
/// An address.
@safe nonisolated(unsafe) public let kSecPropertyTypeURL: CFString = "url"
/// A date.
@safe nonisolated(unsafe) public let kSecPropertyTypeDate: CFString = "date"
/// An array.
@safe nonisolated(unsafe) public let kSecPropertyTypeArray: CFString = "array"
/// A number; the moments of a validity are seconds since 2001.
@safe nonisolated(unsafe) public let kSecPropertyTypeNumber: CFString = "number"
