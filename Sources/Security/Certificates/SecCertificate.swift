// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainConnection
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

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The certificate that is all of the data; nil for anything that is not one, in DER to the letter.
///
/// - Parameters:
///   - allocator: Not used; pass nil.
///   - data: One certificate in DER; for PEM decode the text first.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    guard data.length <= Certificate.largest else { return nil }
    // One operation, for OpenSSL has locks of its own, which a fork must not find taken.
    let certificate = try? KeychainConnection.operation { Certificate(der: data.der) }
    return certificate.map { SecCertificate($0) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type number of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeID }

extension SecCertificate: CFTypeIdentified {
    static var typeID: CFTypeID { 102 }
}
