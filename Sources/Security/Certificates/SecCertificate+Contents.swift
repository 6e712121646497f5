// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
public import LlaveroFoundation

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
