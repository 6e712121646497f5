// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainCoding
internal import KeychainCrypto

/// Certificates in PKCS#7: signed data without data and without signatures (RFC 5652 §5.1).
enum CertificateBundle {
    /// The certificates of a file, at least one; whatever else it has, data, signatures or lists, is not looked at.
    static func certificates(in der: [UInt8]) throws(ExchangeFailure) -> [Certificate] {
        guard let found = unsafe der.lendingBytes({ unsafe encodings(in: $0) }) else {
            throw ExchangeFailure(
                .undecodable, "the PKCS#7 data is malformed, has no certificates, or is encoded in BER instead of DER")
        }
        var certificates: [Certificate] = []
        for encoding in found {
            guard let certificate = Certificate(der: encoding) else {
                throw ExchangeFailure(.undecodable, "a certificate in the PKCS#7 data is malformed")
            }
            certificates.append(certificate)
        }
        return certificates
    }

    private static func encodings(in bytes: UnsafeRawBufferPointer) -> [[UInt8]]? {
        var outer = unsafe DERReader(unsafeBytes: bytes)
        guard var info = outer.enter(DERTag.sequence), outer.isAtEnd, let type = info.next(DERTag.objectIdentifier),
            info.unsecretBytes(type.whole) == signedData,
            var explicit = info.enter(DERTag.context(0, isConstructed: true)), info.isAtEnd,
            var fields = explicit.enter(DERTag.sequence), explicit.isAtEnd, fields.next(DERTag.integer) != nil,
            fields.next(DERTag.set) != nil, fields.next(DERTag.sequence) != nil,
            var list = fields.enter(DERTag.context(0, isConstructed: true)), fields.tags(atMost: most) != nil
        else { return nil }
        var found: [[UInt8]] = []
        while !list.isAtEnd {
            guard found.count < most, let element = list.next(DERTag.sequence) else { return nil }
            found.append(list.unsecretBytes(element.whole))
        }
        return found.isEmpty ? nil : found
    }

    /// A file of these certificates.
    static func file(of certificates: [Certificate]) -> [UInt8] {
        let list = DERWriter.element(DERTag.context(0, isConstructed: true), certificates.flatMap(\.der))
        let none = DERWriter.element(DERTag.set, [])
        let fields = DERWriter.sequence(version, none, DERWriter.sequence(data), list, none)
        return DERWriter.sequence(signedData, DERWriter.element(DERTag.context(0, isConstructed: true), fields))
    }

    private static let most = 10_000
    private static let version = DERWriter.integer(1)
    // 1.2.840.113549.1.7, then 1 and 2.
    private static let data = DERWriter.element(
        DERTag.objectIdentifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
    private static let signedData = DERWriter.element(
        DERTag.objectIdentifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
}
