// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCertificates
internal import KeychainCoding

/// What a time stamping authority says (RFC 3161): that there were these bytes at that time.
package struct TimestampToken: Sendable {
    /// Seconds since 2001.
    package let time: Double
    /// Those that came with it.
    package var certificates: [Certificate] { message.certificates }
    private let message: SignedMessage

    /// The token in `bytes`, about `stamped`; `undecodable` when it is malformed or about something else.
    package init(_ bytes: [UInt8], about stamped: [UInt8]) throws(ExchangeError) {
        guard case .signed(let message) = try CMSMessage(reading: bytes), message.contentType == .timestampInfo,
            message.signers.count == 1, let content = message.content,
            let info = DERValue(content[...], tag: DERTag.sequence), info.isStrict
        else { throw .undecodable }
        var cursor = DERCursor(info.content)
        guard cursor.next(DERTag.integer)?.smallNumber == 1, cursor.next(DERTag.objectIdentifier) != nil,
            let imprint = cursor.next(DERTag.sequence)?.elements, imprint.count == 2,
            let algorithm = AlgorithmIdentifier(imprint[0]), imprint[1].tag == DERTag.octetString,
            cursor.next(DERTag.integer) != nil, let generated = cursor.next(DERTag.generalizedTime),
            let time = try? GeneralizedTime.decode(Array(generated.content)),
            Self.digest(of: stamped, algorithm.identifier) == Array(imprint[1].content)
        else { throw .undecodable }
        self.message = message
        self.time = time
    }

    /// The certificate of the authority that signed it; nil when it did not come with it, or did not sign it.
    ///
    /// Whether that authority is trusted is another question.
    package var signer: Certificate? {
        guard let signer = message.signers.first, let certificate = message.certificate(of: signer),
            message.isSigned(by: signer, certificate)
        else { return nil }
        return certificate
    }

    /// nil for a hash that proves nothing today.
    private static func digest(of bytes: [UInt8], _ algorithm: ObjectIdentifier) -> [UInt8]? {
        guard let name = names[algorithm] else { return nil }
        defer { ERR_clear_error() }
        var output = [UInt8](repeating: 0, count: 64)
        let count = unsafe llv_cms_digest(CertificateLibrary.context, name, bytes, bytes.count, &output)
        return count > 0 ? Array(output.prefix(Int(count))) : nil
    }

    private static let names: [ObjectIdentifier: String] = [
        hash(0x01): "SHA256", hash(0x02): "SHA384", hash(0x03): "SHA512",
    ]

    private static func hash(_ last: UInt8) -> ObjectIdentifier {
        ObjectIdentifier(content: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last])
    }
}
