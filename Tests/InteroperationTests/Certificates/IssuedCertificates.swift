// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Certificates of every kind by one authority, issued by `openssl` once for all tests.
struct IssuedCertificates: Sendable {
    let root: SecCertificate
    let leaves: [(row: CertificateRow, certificate: SecCertificate, told: Told)]

    /// What `openssl` says of a certificate.
    struct Told: Sendable {
        let lines: [String: String]

        init(_ output: Data) {
            var lines: [String: String] = [:]
            for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1)
                lines[String(parts[0]).lowercased()] = parts.count > 1 ? String(parts[1]) : ""
            }
            self.lines = lines
        }
    }

    static var shared: IssuedCertificates { get throws { try made.get() } }

    private static let made = Result { try IssuedCertificates() }

    static let rootName = "The Authority"

    private init() throws {
        let command = try OpenSSLCommand()
        try command("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "root.key")
        try command(
            "req", "-x509", "-new", "-key", "root.key", "-subj", "/CN=\(Self.rootName)", "-days", "30", "-out",
            "root.pem")
        root = try Self.certificate(command("x509", "-in", "root.pem", "-outform", "DER"))
        leaves = try CertificateRow.all.map { row in
            try command.write(SharedKey.of(row.kind, by: .openssl).pem, "key.pem")
            try command.write(row.settings, "settings")
            try command(
                "req", "-x509", "-new", "-key", "key.pem", "-config", "settings", "-CA", "root.pem", "-CAkey",
                "root.key", "-set_serial", "\(row.serial)", "-days", "30", "-outform", "DER", "-out", "leaf.der")
            let told = try command(
                "x509", "-in", "leaf.der", "-inform", "DER", "-noout", "-serial", "-dates", "-dateopt", "iso_8601",
                "-fingerprint", "-sha256")
            return (row, try Self.certificate(command.read("leaf.der")), Told(told))
        }
    }

    private static func certificate(_ der: Data) throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    /// A keychain that has them all.
    func keychain() throws -> IsolatedKeychain {
        let keychain = try IsolatedKeychain()
        keychain.use {
            for certificate in [root] + leaves.map(\.certificate) {
                #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
            }
        }
        return keychain
    }
}
