// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A certificate that `openssl` is to issue.
struct CertificateRow: Sendable, Hashable {
    /// A kind of string, and OpenSSL's number for it.
    enum Text: Int, Sendable, CaseIterable {
        case printable = 0x2
        case teletex = 0x4
        case wide = 0x800
        case utf8 = 0x2000

        /// The tag it has in a name.
        var tag: UInt8 {
            switch self {
            case .printable: 0x13
            case .teletex: 0x14
            case .wide: 0x1E
            case .utf8: 0x0C
            }
        }

        /// A name of somebody who needs it.
        var person: String {
            switch self {
            case .printable: "Jurgen Angstrom"
            case .teletex: "Jürgen Ångström"
            case .wide: "Łukasz Ωmega"
            case .utf8: "Zoë 🔑 Żółć"
            }
        }
    }

    let kind: KeyKind
    let version: Int
    let text: Text
    let number: Int

    var commonName: String { "\(text.person) \(number)" }
    var organization: String { "Org \(kind.rawValue)" }
    var email: String { "p\(number)@v\(version).example.com" }
    var serial: Int { 1000 + number }

    /// Every kind of key, version and kind of string.
    static let all: [CertificateRow] = [KeyKind.rsa, .p256, .p384, .p521, .ed25519].flatMap { kind in
        [1, 3].flatMap { version in Text.allCases.map { (kind, version, $0) } }
    }.enumerated().map { number, parts in
        CertificateRow(kind: parts.0, version: parts.1, text: parts.2, number: number + 1)
    }

    /// What `req` is told; without extensions it makes version 1.
    var settings: Data {
        let inName = version == 1 ? "emailAddress=\(email)\n" : ""
        let extensions = version == 3 ? "x509_extensions=e\n" : ""
        return Data(
            """
            [req]
            distinguished_name=d
            prompt=no
            utf8=yes
            string_mask=MASK:0x\(String(text.rawValue, radix: 16))
            \(extensions)[d]
            O=\(organization)
            CN=\(commonName)
            \(inName)[e]
            subjectKeyIdentifier=hash
            subjectAltName=email:\(email)

            """.utf8)
    }
}
