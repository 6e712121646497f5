// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
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
        Row(kind: .rsa, isInEnclave: false, options: ["-aes-256-gcm"]),
        Row(kind: .rsa, isInEnclave: false, options: ["-aes-128-gcm", "-keyid", "-stream"]),
        Row(kind: .p256, isInEnclave: true, options: ["-aes-192-gcm", "-keyopt", "ecdh_kdf_md:sha256"]),
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

    @Test("in GCM a message that was changed anywhere is none")
    func authenticated() throws {
        try keychain.use {
            _ = try authority.identity("ada", .rsa, serial: 13)
            try authority.command.write(Messages.text, "text")
            let message = try authority.command.run(
                ["cms", "-encrypt", "-in", "text", "-binary", "-outform", "DER", "-aes-256-gcm", "-recip", "ada.pem"])
            #expect(try Messages.decoder(message).0.content == Messages.text)
            // The encrypted key, the nonce, the content, and the tag, which comes last.
            for fromEnd in [100, 46, 30, 18, 16, 1] {
                var copy = message
                copy[message.count - fromEnd] ^= 1
                let (decoder, status) = try Messages.decoder(copy)
                #expect(status != errSecSuccess, "\(fromEnd) bytes from the end")
                #expect(decoder.content == nil)
            }
        }
    }

    @Test("attributes beside the content are authenticated with it", arguments: ["right", "changed", "otherType"])
    func attributes(kind: String) throws {
        try keychain.use {
            _ = try authority.person("bob", .rsa, serial: 14)
            try authority.command(
                "pkcs12", "-export", "-inkey", "bob.key", "-in", "bob.pem", "-passout", "pass:p", "-out", "bob.p12")
            let options: [CFString: Any] = [kSecImportExportPassphrase: "p"]
            var items: CFArray?
            #expect(
                SecPKCS12Import(try authority.command.read("bob.p12") as CFData, options as CFDictionary, &items) == 0)
            let imported = try #require((items as? [[String: Any]])?.first?[kSecImportItemIdentity as String])
            #expect(SecItemAdd([kSecValueRef: imported] as CFDictionary, nil) == errSecSuccess)
            try authority.command.write(Data(Self.sealing.utf8), "seal.py")
            try authority.command.write(try python(["seal.py", "bob.pem", "right"]), "right.der")
            // OpenSSL 3.0.19 reads no such message; what this machine's cannot read is refused here, too.
            let isKnown =
                (try? authority.command(
                    "cms", "-decrypt", "-inform", "DER", "-in", "right.der", "-inkey", "bob.key", "-recip", "bob.pem",
                    "-out", "opened")) != nil
            let message = try python(["seal.py", "bob.pem", kind])
            let (decoder, status) = try Messages.decoder(message)
            let known = ["right": errSecSuccess, "changed": errSecDecode, "otherType": errSecUnknownFormat]
            #expect(status == (isKnown ? known[kind] : errSecUnknownFormat), "\(Llavero.lastFailure ?? "")")
            #expect(decoder.content == (isKnown && kind == "right" ? Data("with attributes".utf8) : nil))
        }
    }

    private func python(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: authority.command.folder.path)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return bytes
    }

    /// Authenticated enveloped data with attributes, which the openssl command does not write.
    private static let sealing = """
        import os, sys
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import padding
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        def element(tag, content):
            count = len(content)
            if count < 128: return bytes([tag, count]) + content
            return bytes([tag, 0x82, count >> 8, count & 255]) + content

        def sequence(*parts): return element(0x30, b"".join(parts))
        def identifier(digits): return element(6, bytes.fromhex(digits))

        with open(sys.argv[1], "rb") as file: certificate = x509.load_pem_x509_certificate(file.read())
        data = identifier("2a864886f70d010701")
        said = identifier("2a864886f70d010702") if sys.argv[2] == "otherType" else data
        attributes = sequence(identifier("2a864886f70d010903"), element(0x31, said))
        key, nonce = os.urandom(32), os.urandom(12)
        bound = attributes if sys.argv[2] != "changed" else attributes[:-1] + b"!"
        sealed = AESGCM(key).encrypt(nonce, b"with attributes", element(0x31, bound))
        number = certificate.serial_number.to_bytes(1, "big")
        recipient = sequence(
            element(2, b"\\0"), sequence(certificate.issuer.public_bytes(), element(2, number)),
            sequence(identifier("2a864886f70d010101"), element(5, b"")),
            element(4, certificate.public_key().encrypt(key, padding.PKCS1v15())))
        algorithm = sequence(identifier("60864801650304012e"), sequence(element(4, nonce), element(2, bytes([16]))))
        envelope = sequence(
            element(2, b"\\0"), element(0x31, recipient), sequence(data, algorithm, element(0x80, sealed[:-16])),
            element(0xA1, attributes), element(4, sealed[-16:]))
        message = sequence(identifier("2a864886f70d0109100117"), element(0xA0, envelope))
        sys.stdout.buffer.write(message)
        """
}
