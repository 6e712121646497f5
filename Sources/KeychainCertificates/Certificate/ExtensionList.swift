// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// One extension of a certificate, as it stands there.
package struct CertificateExtension: Sendable {
    package let type: ObjectIdentifier
    package let isCritical: Bool
    /// The content of the OCTET STRING.
    package let value: [UInt8]
}

/// What is asked of a certificate now and then, and read from its bytes when it is.
extension Certificate {
    /// The fields of the signed part, from the serial number on.
    private var signedFields: [DERValue] {
        let fields = DERValue(der[...])?.elements?.first?.elements ?? []
        return fields.first?.tag == DERTag.context(0, isConstructed: true) ? Array(fields.dropFirst()) : fields
    }

    /// The algorithm of the signature, with its parameters in DER.
    package var signatureAlgorithm: (type: ObjectIdentifier, parameters: [UInt8]?)? {
        guard let outer = DERValue(der[...])?.elements, outer.count == 3, let read = AlgorithmIdentifier(outer[1])
        else {
            return nil
        }
        return (read.identifier, read.parameters.map { Array($0.encoding) })
    }

    /// The content of the signature's bit string.
    package var signature: [UInt8] {
        guard let outer = DERValue(der[...])?.elements, outer.count == 3 else { return [] }
        return outer[2].wholeBytesOfBitString.map { Array($0) } ?? []
    }

    /// The algorithm of the public key, with its parameters in DER.
    package var publicKeyAlgorithm: (type: ObjectIdentifier, parameters: [UInt8]?)? {
        guard let parts = DERValue(publicKey.der[...])?.elements, let first = parts.first,
            let read = AlgorithmIdentifier(first)
        else { return nil }
        return (read.identifier, read.parameters.map { Array($0.encoding) })
    }

    /// All extensions in their order.
    package var extensionList: [CertificateExtension] {
        let wrapped = signedFields.last { $0.tag == DERTag.context(3, isConstructed: true) }
        let elements = wrapped.flatMap { DERValue($0.content)?.elements } ?? []
        return elements.compactMap { element in
            var cursor = DERCursor(element.content)
            guard let type = ObjectIdentifier(cursor.next()) else { return nil }
            let critical = cursor.next(DERTag.boolean)
            guard let value = cursor.next(DERTag.octetString) else { return nil }
            return CertificateExtension(
                type: type, isCritical: critical?.content.first ?? 0 != 0, value: Array(value.content))
        }
    }

    /// The addresses at which its issuer's certificate is to be had (RFC 5280 §4.2.2.1).
    package var issuerAddresses: [String] { accessAddresses([0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02]) }

    /// The addresses of who answers whether it was revoked.
    package var responderAddresses: [String] { accessAddresses([0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01]) }

    private func accessAddresses(_ method: [UInt8]) -> [String] {
        value(of: [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x01])?.elements?.compactMap { description in
            guard let parts = description.elements, parts.count == 2, Array(parts[0].content) == method else {
                return nil
            }
            return Self.address(parts[1])
        } ?? []
    }

    /// The addresses of lists of what its issuer revoked (RFC 5280 §4.2.1.13).
    package var revocationListAddresses: [String] {
        let points = value(of: [0x55, 0x1D, 0x1F])?.elements ?? []
        return points.flatMap { point -> [String] in
            guard let name = point.elements?.first, name.tag == DERTag.context(0, isConstructed: true),
                let full = DERValue(name.content, tag: DERTag.context(0, isConstructed: true))
            else { return [] }
            return full.elements?.compactMap { Self.address($0) } ?? []
        }
    }

    private func value(of type: [UInt8]) -> DERValue? {
        extensionList.first { $0.type.content == type }.flatMap { DERValue($0.value[...], tag: DERTag.sequence) }
    }

    private static func address(_ name: DERValue) -> String? {
        guard name.tag == DERTag.context(6, isConstructed: false),
            name.content.allSatisfy({ (0x21..<0x7F).contains($0) })
        else { return nil }
        return String(decoding: name.content, as: UTF8.self)
    }
}
