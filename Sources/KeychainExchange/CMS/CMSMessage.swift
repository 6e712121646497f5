// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCertificates
internal import KeychainCoding

/// A message in the Cryptographic Message Syntax (RFC 5652), as far as it can be read without a key.
package enum CMSMessage: Sendable {
    case signed(SignedMessage)
    case enveloped(EnvelopedMessage)
    /// Content that nothing protects.
    case plain([UInt8])

    /// The message that is all of `bytes`, in DER or BER; `undecodable` for anything malformed, and
    /// `unsupportedAlgorithm` for a kind of message that is not read here.
    package init(reading bytes: [UInt8]) throws(ExchangeError) {
        guard bytes.count <= Self.largest, let parts = Self.parts(of: try Self.restated(bytes)) else {
            throw .undecodable
        }
        switch parts.type {
        case .cmsSignedData: self = .signed(try SignedMessage(parts.content, from: bytes))
        case .cmsEnvelopedData: self = .enveloped(try EnvelopedMessage(parts.content))
        case .cmsAuthEnvelopedData: self = .enveloped(try EnvelopedMessage(authenticated: parts.content))
        case .cmsData:
            guard let text = DERValue(parts.content.content, tag: DERTag.octetString) else { throw .undecodable }
            self = .plain(Array(text.content))
        default: throw .unsupportedAlgorithm
        }
    }

    /// What was encrypted when the content's type is signed data: other programs write the signed data alone, or a whole
    /// message.
    package init(readingNested bytes: [UInt8]) throws(ExchangeError) {
        // A message begins with the identifier of its type, signed data with the number of its version.
        var cursor = DERCursor(bytes[...])
        if let outer = cursor.next(),
            outer.content.first == DERTag.objectIdentifier || bytes.starts(with: [0x30, 0x80, 6])
        {
            try self.init(reading: bytes)
        } else {
            try self.init(
                reading: DERWriter.sequence(
                    DERWriter.objectIdentifier(.cmsSignedData),
                    DERWriter.element(DERTag.context(0, isConstructed: true), bytes)))
        }
        guard case .signed = self else { throw .undecodable }
    }

    /// The message with definite lengths, as our own reader takes it.
    private static func restated(_ bytes: [UInt8]) throws(ExchangeError) -> [UInt8] {
        defer { ERR_clear_error() }
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe llv_cms_restate(CertificateLibrary.context, bytes, bytes.count, &output)
        defer { unsafe llv_openssl_free(output) }
        guard count > 0, let start = unsafe output else { throw .undecodable }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private static func parts(of bytes: [UInt8]) -> (type: ObjectIdentifier, content: DERValue)? {
        guard let elements = DERValue(bytes[...], tag: DERTag.sequence)?.elements, elements.count == 2,
            let type = ObjectIdentifier(elements[0]), elements[1].tag == DERTag.context(0, isConstructed: true)
        else { return nil }
        return (type, elements[1])
    }

    /// What stands inside a message that we wrote, without the identifier of its kind; nil when it is none.
    package static func content(of message: [UInt8]) -> [UInt8]? {
        parts(of: message).flatMap { DERValue($0.content.content) }.map { Array($0.encoding) }
    }

    /// With room for a message of a few attachments; what is larger is no mail.
    package static let largest = 256 << 20
}

/// Whose certificate is meant, of a signer or a recipient.
package enum CertificateReference: Hashable, Sendable {
    case issuer(DistinguishedName, serialNumber: [UInt8])
    case subjectKeyIdentifier([UInt8])

    /// From an element of a message; `tag` is that of a key identifier there.
    internal init?(_ value: DERValue?) {
        guard let value else { return nil }
        switch value.tag {
        case DERTag.sequence:
            guard let parts = value.elements, parts.count == 2,
                let name = DistinguishedName(der: Array(parts[0].encoding)), parts[1].tag == DERTag.integer,
                !parts[1].content.isEmpty
            else { return nil }
            self = .issuer(name, serialNumber: Array(parts[1].content))
        case DERTag.context(0, isConstructed: false): self = .subjectKeyIdentifier(Array(value.content))
        // A recipient of an agreement has more beside the identifier: a date, and what others like to say.
        case DERTag.context(0, isConstructed: true):
            guard let first = value.elements?.first, first.tag == DERTag.octetString else { return nil }
            self = .subjectKeyIdentifier(Array(first.content))
        default: return nil
        }
    }

    package func isMeant(_ certificate: Certificate) -> Bool {
        switch self {
        case .issuer(let name, let serialNumber):
            certificate.serialNumber == serialNumber && certificate.issuer.normalizedContent == name.normalizedContent
        case .subjectKeyIdentifier(let identifier): certificate.subjectKeyIdentifier == identifier
        }
    }

    /// The name and number of a certificate, as a message has them.
    internal static func encoded(_ certificate: Certificate) -> [UInt8] {
        DERWriter.sequence(
            certificate.issuer.der, DERWriter.element(DERTag.integer, certificate.serialNumber))
    }
}

extension ObjectIdentifier {
    // Kinds of content.
    package static let cmsData = ObjectIdentifier(content: pkcs7 + [0x01])
    package static let cmsSignedData = ObjectIdentifier(content: pkcs7 + [0x02])
    package static let cmsEnvelopedData = ObjectIdentifier(content: pkcs7 + [0x03])
    package static let cmsAuthEnvelopedData = ObjectIdentifier(content: smime + [0x01, 0x17])
    internal static let timestampInfo = ObjectIdentifier(content: smime + [0x01, 0x04])

    // Attributes of signers.
    internal static let contentType = ObjectIdentifier(content: attributes + [0x03])
    internal static let messageDigest = ObjectIdentifier(content: attributes + [0x04])
    internal static let signingTime = ObjectIdentifier(content: attributes + [0x05])
    internal static let smimeCapabilities = ObjectIdentifier(content: attributes + [0x0F])
    internal static let encryptionKeyPreference = ObjectIdentifier(content: smime + [0x02, 0x0B])
    internal static let timestampToken = ObjectIdentifier(content: smime + [0x02, 0x0E])
    internal static let microsoftKeyPreference = ObjectIdentifier(
        content: [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x10, 0x04])

    // Ciphers.
    internal static let aes128CBC = ObjectIdentifier(content: aes + [0x02])
    internal static let aes192CBC = ObjectIdentifier(content: aes + [0x16])
    internal static let aes256CBC = ObjectIdentifier(content: aes + [0x2A])
    internal static let aes128GCM = ObjectIdentifier(content: aes + [0x06])
    internal static let aes192GCM = ObjectIdentifier(content: aes + [0x1A])
    internal static let aes256GCM = ObjectIdentifier(content: aes + [0x2E])
    internal static let tripleDES = ObjectIdentifier(content: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x03, 0x07])

    internal static let aes: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01]
    private static let pkcs7: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
    private static let attributes: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09]
    private static let smime: [UInt8] = attributes + [0x10]
}
