// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSwtpm
import Testing

/// TLS with a client's certificate, whose key stays in the keychain.
@Suite struct ClientCertificateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: KeyKind
        let version: TLSVersion
        /// The one way of signing that the server takes.
        let allowed: String
        /// What the key was asked for.
        let algorithm: SecKeyAlgorithm

        var testDescription: String { "\(kind.rawValue), \(version.rawValue), \(allowed)" }
    }

    static let rows = [
        Row(kind: .p256, version: .tls13, allowed: "ECDSA+SHA256", algorithm: .ecdsaSignatureDigestX962),
        Row(kind: .p256, version: .tls12, allowed: "ECDSA+SHA256", algorithm: .ecdsaSignatureDigestX962),
        Row(kind: .rsa, version: .tls13, allowed: "RSA-PSS+SHA256", algorithm: .rsaSignatureRaw),
        Row(kind: .rsa, version: .tls12, allowed: "RSA-PSS+SHA384", algorithm: .rsaSignatureRaw),
        Row(
            kind: .rsa, version: .tls12, allowed: "RSA+SHA256",
            algorithm: .rsaSignatureDigestPKCS1v15Raw),
    ]

    @Test("the server knows the client, and both hear each other", arguments: rows)
    func handshake(row: Row) throws {
        let keychain = try IsolatedKeychain()
        let authority = try TLSAuthority()
        let identity = try keychain.use {
            try Self.identity(
                row.kind, authority,
                [
                    kSecAttrIsExtractable: false, kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true],
                ])
        }
        try Self.expectConversation(row, identity, authority)
    }

    @Test("with a key of the enclave", arguments: [TLSVersion.tls13, .tls12])
    func enclave(version: TLSVersion) throws {
        let keychain = try IsolatedKeychain()
        let authority = try TLSAuthority()
        let identity = try keychain.use { try Self.identity(.p256, authority, Self.inEnclave) }
        let row = try #require(Self.rows.first { $0.kind == .p256 && $0.version == version })
        try Self.expectConversation(row, identity, authority)
    }

    @Test("with a key of a TPM", .enabled(if: hasTPM), arguments: [TLSVersion.tls13, .tls12])
    func tpm(version: TLSVersion) throws {
        let chip = try SwtpmProcess()
        let folder = try TestFolder()
        let keychain = try IsolatedKeychain(
            .folder(URL(fileURLWithPath: folder.path)), hardware: .tpm(connection: chip.connection))
        defer { keychain.reopen() }
        let authority = try TLSAuthority()
        let identity = try keychain.use { try Self.identity(.p256, authority, Self.inEnclave) }
        let row = try #require(Self.rows.first { $0.kind == .p256 && $0.version == version })
        try Self.expectConversation(row, identity, authority)
    }

    #if TPM
        static let hasTPM = SwtpmProcess.isInstalled
    #else
        static let hasTPM = false
    #endif

    private static var inEnclave: [CFString: Any] { [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave] }

    /// An identity out of the keychain, for a key that was made in it.
    private static func identity(
        _ kind: KeyKind, _ authority: TLSAuthority, _ more: [CFString: Any]
    ) throws -> SecIdentity {
        let parameters: [CFString: Any] = [kSecAttrKeyType: kind.type, kSecAttrKeySizeInBits: kind.bits]
        let all = parameters.merging(more) { $1 } as CFDictionary
        let key = try #require(SecKeyCreateRandomKey(all, nil))
        #expect(SecKeyCopyExternalRepresentation(key, nil) == nil)
        let certificate = try authority.certify(key, kind, name: "client")
        #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
        let query: [CFString: Any] = [
            kSecClass: kSecClassIdentity, kSecMatchSubjectWholeString: "client", kSecReturnRef: true,
        ]
        var result: CFTypeRef?
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        return try #require(result as? SecIdentity)
    }

    private static func halves(_ identity: SecIdentity) throws -> (SecCertificate, SecKey) {
        var (certificate, key): (SecCertificate?, SecKey?)
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        return (try #require(certificate), try #require(key))
    }

    private static func expectConversation(_ row: Row, _ identity: SecIdentity, _ authority: TLSAuthority) throws {
        let (certificate, key) = try halves(identity)
        let server = try TLSServer(authority.command, version: row.version, signatures: row.allowed)
        let client = TLSClient(certificate, key, trusting: authority.certificate)
        let outcome = client.say("a line of the client", to: server, row.version)
        let lines = server.lines(after: outcome)
        let what = Comment(rawValue: outcome.reason + "\n" + lines.joined(separator: "\n"))
        #expect(outcome.isDone, what)
        #expect(outcome.answer == "tneilc eht fo enil a\n", what)
        #expect(client.trusted == true && client.signed == [row.algorithm], what)
        #expect(lines.contains("Protocol version: \(row.version.rawValue)"), what)
        // Later versions of the command leave the spaces out.
        #expect(lines.contains { $0.filter { $0 != " " } == "Peercertificate:CN=client" }, what)
        #expect(lines.contains("Verification: OK"), what)
    }
}
