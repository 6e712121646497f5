// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainSystem

/// What stands in a certificate, as lines for people.
package enum CertificateDescription {
    /// Names and texts; none when the bytes are no certificate.
    package static func lines(_ der: [UInt8]) -> [(name: String, text: String)] {
        guard let certificate = Certificate(der: der) else { return [] }
        var lines: [(name: String, text: String)] = [
            ("subject name", text(certificate.subject)), ("issuer name", text(certificate.issuer)),
            ("valid from", UTCTime(secondsSince2001: Int64(certificate.notBefore)).text),
            ("valid until", UTCTime(secondsSince2001: Int64(certificate.notAfter)).text),
            ("public key", key(certificate)),
        ]
        if let algorithm = certificate.signatureAlgorithm {
            lines.append(("signature algorithm", CertificateWords.word(algorithm.type)))
        }
        lines.append(("SHA-256", Hexadecimal.digits(of: certificate.fingerprint, uppercase: true)))
        for one in certificate.extensionList {
            let name = CertificateWords.word(one.type).lowercased()
            lines.append((name, text(one, certificate) + (one.isCritical ? " (critical)" : "")))
        }
        return lines
    }

    private static func text(_ name: DistinguishedName) -> String {
        name.attributes.map { "\(CertificateWords.word($0.type)): \($0.text ?? "")" }.joined(separator: ", ")
    }

    private static func key(_ certificate: Certificate) -> String {
        switch certificate.publicKey.kind {
        case .rsa: "RSA, \(certificate.publicKey.modulusBits ?? 0) bits"
        case .ellipticCurve(.p256): "on the curve P-256"
        case .ellipticCurve(.p384): "on the curve P-384"
        case .ellipticCurve(.p521): "on the curve P-521"
        case .ellipticCurve(let curve): "on the curve \(curve)"
        case .other(let identifier): CertificateWords.word(identifier)
        }
    }

    private static func text(_ one: CertificateExtension, _ certificate: Certificate) -> String {
        let extensions = certificate.extensions
        switch one.type {
        case .subjectAlternativeName:
            let names = extensions.alternativeNames
            return
                (names.dnsNames + names.emailAddresses + names.uris
                + names.addresses.map { CertificateWords.address($0) }).joined(separator: ", ")
        case .keyUsage: return CertificateWords.uses(extensions.keyUsage ?? []).joined(separator: ", ")
        case .extendedKeyUsage:
            return (extensions.extendedKeyUsage ?? []).map { CertificateWords.word($0) }.joined(separator: ", ")
        case .basicConstraints:
            let length = extensions.pathLength.map { ", with \($0) below it at most" } ?? ""
            return extensions.isCertificateAuthority ? "a certificate authority\(length)" : "no certificate authority"
        case .subjectKeyIdentifier:
            return Hexadecimal.digits(of: extensions.subjectKeyIdentifier ?? [], uppercase: true)
        default: break
        }
        let addresses: [String] =
            switch one.type.description {
            case "1.3.6.1.5.5.7.1.1": certificate.responderAddresses + certificate.issuerAddresses
            case "2.5.29.31": certificate.revocationListAddresses
            default: []
            }
        return addresses.isEmpty
            ? Hexadecimal.digits(of: one.value, uppercase: true) : addresses.joined(separator: ", ")
    }
}
