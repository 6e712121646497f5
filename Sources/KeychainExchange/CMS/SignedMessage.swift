// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCertificates
internal import KeychainCoding
internal import KeychainCrypto

/// Content with who says they signed it; whether that is so, `isSigned` says.
package struct SignedMessage: Sendable {
    /// Who signed, and what was signed beside the content.
    package struct Signer: Sendable {
        package let reference: CertificateReference
        /// Seconds since 2001, as the signer's own clock had it; nil when nothing is said.
        package let signingTime: Double?
        package let signature: [UInt8]
        /// What a time stamping authority said about the signature (RFC 3161), as a message of its own; nil without.
        package let timestampToken: [UInt8]?
        /// The content's type that was signed; nil when there are no signed attributes.
        let signedType: ObjectIdentifier?
        let hasAttributes: Bool
        let digest: ObjectIdentifier
    }

    package let contentType: ObjectIdentifier
    /// nil when it is kept elsewhere.
    package let content: [UInt8]?
    /// Those that came with it and can be read, in no order that means anything.
    package let certificates: [Certificate]
    package let signers: [Signer]
    /// The message as it came: the order of what was signed is that of its bytes.
    private let source: [UInt8]

    /// What stands in the [0] of a message, read anew from `source`.
    internal init(_ wrapped: DERValue, from source: [UInt8]) throws(ExchangeError) {
        guard let data = DERValue(wrapped.content, tag: DERTag.sequence) else { throw .undecodable }
        var cursor = DERCursor(data.content)
        guard cursor.next(DERTag.integer)?.smallNumber != nil, cursor.next(DERTag.set) != nil,
            let encapsulated = cursor.next(DERTag.sequence)?.elements, (1...2).contains(encapsulated.count),
            let type = ObjectIdentifier(encapsulated[0])
        else { throw .undecodable }
        contentType = type
        if encapsulated.count == 2 {
            guard encapsulated[1].tag == DERTag.context(0, isConstructed: true),
                let text = DERValue(encapsulated[1].content, tag: DERTag.octetString)
            else { throw .undecodable }
            content = Array(text.content)
        } else {
            content = nil
        }
        certificates = try Self.certificates(cursor.next(DERTag.context(0, isConstructed: true)))
        // Lists of revoked certificates: they are for who evaluates the trust, and are not believed by being here.
        _ = cursor.next(DERTag.context(1, isConstructed: true))
        guard let infos = cursor.next(DERTag.set)?.elements, cursor.isAtEnd, infos.count <= Self.mostSigners else {
            throw .undecodable
        }
        var signers: [Signer] = []
        for info in infos {
            guard let signer = Signer(info) else { throw .undecodable }
            signers.append(signer)
        }
        self.signers = try Self.ordered(signers, as: source)
        self.source = source
    }

    private static func certificates(_ set: DERValue?) throws(ExchangeError) -> [Certificate] {
        guard let set else { return [] }
        guard let elements = set.elements, elements.count <= mostCertificates else { throw .undecodable }
        // Other kinds of certificates, and those that we refuse, are as if they were not there: then nobody is proved by them.
        return elements.compactMap { $0.tag == DERTag.sequence ? Certificate(der: Array($0.encoding)) : nil }
    }

    // A set is sorted when it is written with definite lengths; people number signers as they came.
    private static func ordered(_ signers: [Signer], as source: [UInt8]) throws(ExchangeError) -> [Signer] {
        guard signers.count > 1 else { return signers }
        defer { ERR_clear_error() }
        guard let message = unsafe llv_cms_parse(CertificateLibrary.context, source, source.count) else {
            throw .undecodable
        }
        defer { unsafe CMS_ContentInfo_free(message) }
        let places = signers.map { signer in
            unsafe llv_cms_signer_index(message, signer.signature, signer.signature.count)
        }
        return zip(places, signers).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Whether the signer signed the content with the key of `certificate`; the certificate itself is not examined.
    ///
    /// `detached` is the content when it is kept elsewhere. MD5 and older hashes are refused.
    package func isSigned(by signer: Signer, _ certificate: Certificate, detached: [UInt8]? = nil) -> Bool {
        guard content != nil || detached != nil, !Self.broken.contains(signer.digest),
            // Attributes must say what they are about (RFC 5652 §5.3), and what is not plain data must have some.
            signer.hasAttributes ? signer.signedType == contentType : contentType == .cmsData,
            let parsed = LibraryCertificate(der: certificate.der)
        else { return false }
        defer { ERR_clear_error() }
        let given = content == nil ? detached : nil
        return unsafe parsed.withUnsafePointer { certificate in
            if let given {
                return unsafe llv_cms_is_signed(
                    CertificateLibrary.context, source, source.count, given, given.count, signer.signature,
                    signer.signature.count, certificate) == 1
            }
            return unsafe llv_cms_is_signed(
                CertificateLibrary.context, source, source.count, nil, 0, signer.signature, signer.signature.count,
                certificate) == 1
        }
    }

    /// The certificate of the signer among those that came with the message, or among `others`.
    package func certificate(of signer: Signer, among others: [Certificate] = []) -> Certificate? {
        (certificates + others).first { signer.reference.isMeant($0) }
    }

    private static let mostSigners = 100
    private static let mostCertificates = 1000
    // MD2, MD4, MD5.
    private static let broken: Set<ObjectIdentifier> = Set(
        [0x02, 0x04, 0x05].map { ObjectIdentifier(content: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, $0]) })
}

extension SignedMessage.Signer {
    fileprivate init?(_ info: DERValue) {
        guard info.tag == DERTag.sequence else { return nil }
        var cursor = DERCursor(info.content)
        guard cursor.next(DERTag.integer)?.smallNumber != nil,
            let reference = CertificateReference(cursor.next()),
            let digest = cursor.next(DERTag.sequence).flatMap({ AlgorithmIdentifier($0) })
        else { return nil }
        let signed = cursor.next(DERTag.context(0, isConstructed: true))
        guard cursor.next(DERTag.sequence) != nil, let signature = cursor.next(DERTag.octetString) else { return nil }
        let unsigned = cursor.next(DERTag.context(1, isConstructed: true))
        guard cursor.isAtEnd, let attributes = Self.attributes(signed), let others = Self.attributes(unsigned) else {
            return nil
        }
        self.reference = reference
        self.digest = digest.identifier
        self.signature = Array(signature.content)
        hasAttributes = signed != nil
        signedType = ObjectIdentifier(attributes[.contentType])
        signingTime = attributes[.signingTime]?.time
        timestampToken = others[.timestampToken].map { Array($0.encoding) }
    }

    /// The first value of each attribute; nil when one is malformed or there twice.
    private static func attributes(_ set: DERValue?) -> [ObjectIdentifier: DERValue]? {
        guard let set else { return [:] }
        guard let elements = set.elements, elements.count <= mostAttributes else { return nil }
        var attributes: [ObjectIdentifier: DERValue] = [:]
        for element in elements {
            guard element.tag == DERTag.sequence, let parts = element.elements, parts.count == 2,
                let type = ObjectIdentifier(parts[0]), parts[1].tag == DERTag.set, let values = parts[1].elements,
                let first = values.first, attributes.updateValue(first, forKey: type) == nil
            else { return nil }
        }
        return attributes
    }

    private static let mostAttributes = 100
}
