// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
public import LlaveroFoundation

/// A line that tells people whose certificate it is; nil when it names nobody.
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
