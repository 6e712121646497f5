// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainKeys
package import KeychainModel
package import KeychainParsing
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into an array.
// Sendable: it never changes.
/// An X.509 certificate.
public final class SecCertificate: NSObject, @unchecked Sendable {
    let certificate: Certificate

    init(_ certificate: Certificate) {
        self.certificate = certificate
        super.init()
    }

    /// Two certificates are equal when they are the same to the last byte.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecCertificate)?.certificate == certificate }

    /// A hash of the whole content.
    public override var hash: Int { certificate.hashValue }

    /// What a log or a debugger shows: whose certificate it is.
    public override var description: String { "<SecCertificate: \(certificate.subjectSummary ?? "no name")>" }
}

/// The certificate that is all of the data; nil for anything that is not one, in DER to the letter.
///
/// - Parameters:
///   - allocator: Not used; pass nil.
///   - data: One certificate in DER; for PEM decode the text first.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    guard data.length <= Certificate.largest else { return nil }
    // One operation, for OpenSSL has locks of its own, which a fork must not find taken.
    let certificate = ForkGate.operation { Certificate(der: data.der) }
    return certificate.map { SecCertificate($0) }
}

/// The type number of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeID }

extension SecCertificate: CFTypeIdentified {
    static var typeID: CFTypeID { 102 }
}

/// The certificate in DER, byte for byte what it was made from.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    NSData(der: certificate.certificate.der)
}

/// The SHA-256 of all of the certificate, as pinning compares it; Apple has it too, though not in a public header.
public func SecCertificateCopySHA256Digest(_ certificate: SecCertificate) -> CFData {
    NSData(der: certificate.certificate.fingerprint)
}

/// The serial number: the content of the INTEGER, with the zero that keeps it from being negative.
///
/// - Parameters:
///   - certificate: The certificate.
///   - error: Never set, because every certificate has one.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    NSData(der: certificate.certificate.serialNumber)
}

/// The first second at which the certificate is valid.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: certificate.certificate.notBefore)
}

/// The last second at which the certificate is valid.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSinceReferenceDate: certificate.certificate.notAfter)
}

/// A line that tells people whose certificate it is; nil when it has no name.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.subjectSummary.map { $0 as NSString }
}

/// Gives the common name of the subject, the last one where there are several.
///
/// - Returns: ``errSecSuccess``, or ``errSecInternal`` when the subject has no common name, as on Apple platforms; then
///   `commonName` is nil.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    let name = certificate.certificate.commonName
    unsafe commonName.pointee = name.map { $0 as NSString }
    return name == nil ? errSecInternal : errSecSuccess
}

/// Gives the e-mail addresses, those of the alternative names first; an empty array when there is none.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe emailAddresses.pointee = certificate.certificate.emailAddresses as NSArray
    return errSecSuccess
}

/// The issuer in the form that `kSecMatchIssuers` compares: a name in DER, in capitals and without needless spaces.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    sequence(certificate.certificate.issuer)
}

/// The subject in the form that `kSecMatchIssuers` compares: a name in DER, in capitals and without needless spaces.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    sequence(certificate.certificate.subject)
}

private func sequence(_ name: DistinguishedName) -> CFData? {
    DistinguishedName(content: name.normalizedContent).map { NSData(der: $0.der) }
}

/// The public key of a certificate; nil when it is of a kind that no ``SecKey`` is.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    unsafe KeyCall.result("SecCertificateCopyKey", nil) { () throws(KeychainError) in
        try KeyCall.using { () throws(KeyError) in try SecKey(CryptoKey(of: certificate.certificate.publicKey)) }
    }
}

/// The older name of ``SecCertificateCopyKey(_:)``.
@available(*, deprecated, renamed: "SecCertificateCopyKey")
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// The form of a Mac: sets `key` to the public key of a certificate.
///
/// - Returns: ``errSecSuccess``; ``errSecUnsupportedKeyFormat`` when the key is of a kind that no ``SecKey`` is.
@available(*, deprecated, renamed: "SecCertificateCopyKey")
@discardableResult
public func SecCertificateCopyPublicKey(
    _ certificate: SecCertificate, _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    unsafe key.pointee = SecCertificateCopyKey(certificate)
    return unsafe key.pointee == nil ? errSecUnsupportedKeyFormat : errSecSuccess
}

extension CryptoKey {
    /// The key in a certificate; throws `unsupportedKey` for a kind that is not among ours.
    fileprivate convenience init(of info: PublicKeyInfo) throws(KeyError) {
        guard let type = info.keyType else { throw .unsupportedKey }
        try self.init(type, .public, representation: info.externalBytes)
    }
}

extension PublicKeyInfo {
    /// What the module of keys calls the kind of key; nil when it has none such.
    var keyType: KeyType? {
        switch kind {
        case .rsa: .rsa
        case .ellipticCurve: .ec
        case .other(.ed25519): .ed25519
        case .other(.x25519): .x25519
        case .other(.ed448): .ed448
        case .other(.x448): .x448
        case .other: nil
        }
    }
}

extension SecCertificate: ItemReferring {
    package func referral(for purpose: ReferralPurpose) throws(KeychainError) -> ItemReferral {
        .item(content(for: purpose))
    }

    /// The attributes of semantics §11.2; who adds it without a label gets the subject's summary as one.
    func content(for purpose: ReferralPurpose) -> ItemContent {
        var attributes = certificate.itemAttributes
        guard purpose == .adding else {
            return ItemContent(itemClass: .certificate, attributes: attributes, secret: nil)
        }
        if let summary = certificate.subjectSummary { attributes.append(unchecked: .label, .string(summary)) }
        return ItemContent(
            itemClass: .certificate, attributes: attributes, secret: SecretValue(copying: certificate.der))
    }
}

extension SecCertificate {
    /// The certificate in an item; nil when its bytes are not a certificate.
    convenience init?(_ found: FoundItem) {
        guard let secret = found.secret,
            let certificate = unsafe secret.withUnsafeBytes({ bytes in unsafe Certificate(uncheckedRow: Array(bytes)) })
        else { return nil }
        self.init(certificate)
    }
}
