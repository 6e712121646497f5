// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("Encrypted messages are the same to openssl and to us")
struct EncryptedMessageTests {
    private let authority: MessageAuthority
    private let keychain: IsolatedKeychain

    init() throws {
        authority = try MessageAuthority()
        keychain = try IsolatedKeychain()
    }

    @Test("openssl opens what we encrypt", arguments: [KeyKind.rsa, .p256, .p384, .p521])
    func ours(kind: KeyKind) throws {
        let bob = try authority.person("bob", kind, serial: 8)
        let eve = try authority.person("eve", .rsa, serial: 9)
        let message = try Messages.encoded { encoder in
            #expect(CMSEncoderAddRecipients(encoder, [bob, eve] as CFArray) == errSecSuccess)
            #expect(CMSEncoderSetHasDetachedContent(encoder, true) == errSecParam)
        }
        try authority.command.write(message, "message")
        for name in ["bob", "eve"] {
            let opened = try authority.command(
                "cms", "-decrypt", "-in", "message", "-inform", "DER", "-recip", "\(name).pem", "-inkey", "\(name).key")
            #expect(opened == Messages.text)
        }
        // Nobody here has a key.
        let (_, status) = try keychain.use { try Messages.decoder(message) }
        #expect(status == errSecItemNotFound)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: KeyKind
        let isInEnclave: Bool
        let options: [String]
        var testDescription: String { "\(kind.rawValue) \(isInEnclave ? "enclave " : "")\(options)" }
    }

    static let rows: [Row] = [
        Row(kind: .rsa, isInEnclave: false, options: ["-aes256"]),
        Row(kind: .rsa, isInEnclave: false, options: ["-des3"]),
        Row(kind: .rsa, isInEnclave: false, options: ["-aes128", "-keyid", "-stream"]),
        Row(kind: .rsa, isInEnclave: false, options: ["-keyopt", "rsa_padding_mode:oaep"]),
        Row(
            kind: .rsa, isInEnclave: false,
            options: ["-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256"]),
        Row(kind: .p256, isInEnclave: false, options: ["-aes192"]),
        Row(kind: .p256, isInEnclave: true, options: ["-aes256", "-keyopt", "ecdh_kdf_md:sha256"]),
        Row(kind: .p384, isInEnclave: false, options: ["-aes128", "-keyopt", "ecdh_kdf_md:sha384"]),
        Row(kind: .p521, isInEnclave: false, options: ["-aes256", "-keyopt", "ecdh_kdf_md:sha512", "-keyid"]),
    ]

    @Test("a key that does not leave opens what openssl encrypts", arguments: rows)
    func theirs(row: Row) throws {
        try keychain.use {
            let terms = row.isInEnclave ? MessageAuthority.inEnclave : MessageAuthority.kept
            _ = try authority.identity("ada", row.kind, serial: 10, terms)
            try authority.command.write(Messages.text, "text")
            var options = row.options
            // Which certificate the options of a key are about is said before them.
            options.insert(
                contentsOf: ["-recip", "ada.pem"], at: options.firstIndex(of: "-keyopt") ?? options.endIndex)
            let message = try authority.command.run(
                ["cms", "-encrypt", "-in", "text", "-binary", "-outform", "DER"] + options)
            let (decoder, status) = try Messages.decoder(message)
            #expect(status == errSecSuccess, "\(Llavero.lastFailure ?? "")")
            #expect(decoder.content == Messages.text)
            var encrypted: DarwinBoolean = false
            #expect(CMSDecoderIsContentEncrypted(decoder, &encrypted) == errSecSuccess && encrypted.boolValue)
            #expect(decoder.signers == 0)
        }
    }

    @Test("signed and encrypted at once, and back")
    func both() throws {
        try keychain.use {
            let ada = try authority.identity("ada", .p256, serial: 11, MessageAuthority.inEnclave)
            var certificate: SecCertificate?
            SecIdentityCopyCertificate(ada, &certificate)
            let own: SecCertificate = try #require(certificate)
            let bytes = [UInt8](Messages.text)
            var message: CFData?
            let status = CMSEncodeContent(
                ada, own, nil, false, .attrSigningTime, bytes, bytes.count, &message)
            #expect(status == errSecSuccess, "\(Llavero.lastFailure ?? "")")
            let (decoder, finalStatus) = try Messages.decoder(try #require(message) as Data)
            #expect(finalStatus == errSecSuccess && decoder.content == Messages.text && decoder.signers == 1)
            #expect(try decoder.status(trusting: authority.root).0 == .valid)
        }
    }

    @Test("a changed message says nothing of how it is wrong")
    func changed() throws {
        try keychain.use {
            let ada = try authority.identity("ada", .rsa, serial: 12)
            var certificate: SecCertificate?
            SecIdentityCopyCertificate(ada, &certificate)
            let own: SecCertificate = try #require(certificate)
            let message = try Messages.encoded { encoder in
                #expect(CMSEncoderAddRecipients(encoder, own) == errSecSuccess)
            }
            // The encrypted key, and the last block.
            for place in [message.count - 100, message.count - 1] {
                var copy = message
                copy[place] ^= 1
                let (decoder, status) = try Messages.decoder(copy)
                // Of 256 random ends one looks like padding.
                #expect(status == errSecDecode || decoder.content != Messages.text)
            }
        }
    }
}
