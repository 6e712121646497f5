// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("Signed messages are the same to openssl and to us")
struct SignedMessageTests {
    private let authority: MessageAuthority
    private let keychain: IsolatedKeychain

    init() throws {
        authority = try MessageAuthority()
        keychain = try IsolatedKeychain()
    }

    private func opensslReads(_ message: Data, _ more: [String] = []) throws -> Data {
        try authority.command.write(message, "message")
        return try authority.command.run(
            ["cms", "-verify", "-in", "message", "-inform", "DER", "-CAfile", "ca.pem", "-purpose", "any", "-binary"]
                + more)
    }

    @Test(
        "a key that stays in the keychain or the enclave signs", arguments: [KeyKind.rsa, .p256, .p384], [false, true])
    func kept(kind: KeyKind, enclave: Bool) throws {
        guard !enclave || kind == .p256 else { return }
        let terms = enclave ? MessageAuthority.inEnclave : MessageAuthority.kept
        let message = try keychain.use {
            let ada = try authority.identity("ada", kind, serial: 5, terms)
            return try Messages.encoded { encoder in
                #expect(CMSEncoderAddSigners(encoder, ada) == errSecSuccess)
                #expect(
                    CMSEncoderAddSignedAttributes(encoder, [.attrSigningTime, .attrSmimeCapabilities]) == errSecSuccess)
            }
        }
        #expect(try opensslReads(message) == Messages.text)

        let (decoder, status) = try Messages.decoder(message)
        #expect(status == errSecSuccess && decoder.content == Messages.text && decoder.signers == 1)
        #expect(try decoder.status(trusting: authority.root) == (.valid, errSecSuccess))
        #expect(try decoder.status() == (.invalidCert, errSecCreateChainFailed))
        #expect(try decoder.status(1).0 == .invalidIndex)
        var time: CFAbsoluteTime = 0
        #expect(CMSDecoderCopySignerSigningTime(decoder, 0, &time) == errSecSuccess)
        #expect(abs(time - Date().timeIntervalSinceReferenceDate) < 600)
        var address: CFString?
        #expect(CMSDecoderCopySignerEmailAddress(decoder, 0, &address) == errSecSuccess)
        #expect(address as String? == "ada@example.org")
        var certificate: SecCertificate?
        #expect(CMSDecoderCopySignerCert(decoder, 0, &certificate) == errSecSuccess)
        #expect(certificate.map { SecCertificateCopySubjectSummary($0) } == "ada" as CFString)
        var encrypted: DarwinBoolean = true
        #expect(CMSDecoderIsContentEncrypted(decoder, &encrypted) == errSecSuccess && !encrypted.boolValue)
        #expect(CMSDecoderCopySignerTimestamp(decoder, 0, &time) == errSecTimestampMissing)
    }

    @Test("content that is kept elsewhere has to be given")
    func detached() throws {
        let message = try keychain.use {
            let ada = try authority.identity("ada", .p256, serial: 5)
            return try Messages.encoded { encoder in
                #expect(CMSEncoderAddSigners(encoder, [ada] as CFArray) == errSecSuccess)
                #expect(CMSEncoderSetHasDetachedContent(encoder, true) == errSecSuccess)
                #expect(CMSEncoderSetSignerAlgorithm(encoder, kCMSEncoderDigestAlgorithmSHA1) == errSecSuccess)
            }
        }
        #expect(message.range(of: Messages.text) == nil)
        try authority.command.write(Messages.text, "text")
        #expect(try opensslReads(message, ["-content", "text"]) == Messages.text)
        let (without, _) = try Messages.decoder(message)
        #expect(try without.status().0 == .needsDetachedContent)
        #expect(without.content == nil)
        let (with, _) = try Messages.decoder(message, detached: Messages.text)
        #expect(try with.status(trusting: authority.root).0 == .valid)
        let (wrong, _) = try Messages.decoder(message, detached: Data("Meet me at one.".utf8))
        #expect(try wrong.status(trusting: authority.root).0 == .invalidSignature)
    }

    @Test("several signers keep their numbers, and their chains are in the message as asked")
    func severalSigners() throws {
        let (message, bare) = try keychain.use {
            let people = [
                try authority.identity("ada", .rsa, serial: 5), try authority.identity("bob", .p256, serial: 6),
            ]
            #expect(SecItemAdd([kSecValueRef: authority.root] as CFDictionary, nil) == errSecSuccess)
            return (
                try Messages.encoded { encoder in
                    #expect(CMSEncoderAddSigners(encoder, people as CFArray) == errSecSuccess)
                    #expect(CMSEncoderSetCertificateChainMode(encoder, .chainWithRootOrFail) == errSecSuccess)
                },
                try Messages.encoded { encoder in
                    #expect(CMSEncoderAddSigners(encoder, people[1]) == errSecSuccess)
                    #expect(CMSEncoderSetCertificateChainMode(encoder, .none) == errSecSuccess)
                }
            )
        }
        #expect(try opensslReads(message) == Messages.text)
        let (decoder, _) = try Messages.decoder(message)
        #expect(decoder.signers == 2)
        var certificates: CFArray?
        #expect(CMSDecoderCopyAllCerts(decoder, &certificates) == errSecSuccess && certificates?.count == 3)
        for index in 0..<2 { #expect(try decoder.status(index, trusting: authority.root).0 == .valid) }

        // Without certificates only who has them elsewhere can say who it was.
        let (stranger, _) = try Messages.decoder(bare)
        #expect(try stranger.status().0 == .invalidCert)
        var certificate: SecCertificate?
        #expect(CMSDecoderCopySignerCert(stranger, 0, &certificate) == errSecItemNotFound)
        try keychain.use {
            #expect(CMSDecoderCopySignerCert(stranger, 0, &certificate) == errSecSuccess)
            let status = try stranger.status(trusting: authority.root).0
            #expect(status == .valid)
        }
    }

    @Test("what openssl signs is read, in DER and in a stream", arguments: [[], ["-stream"], ["-nodetach", "-keyid"]])
    func theirs(options: [String]) throws {
        _ = try authority.person("eve", .rsa, serial: 7)
        try authority.command.write(Messages.text, "text")
        let message = try authority.command.run(
            ["cms", "-sign", "-in", "text", "-binary", "-nodetach", "-outform", "DER", "-signer", "eve.pem", "-inkey"]
                + ["eve.key"] + options)
        let (decoder, status) = try Messages.decoder(message)
        #expect(status == errSecSuccess && decoder.content == Messages.text)
        #expect(try decoder.status(trusting: authority.root) == (.valid, errSecSuccess))

        // One byte of the content.
        var changed = message
        let place = try #require(changed.range(of: Messages.text)?.lowerBound)
        changed[place] ^= 1
        let (forged, forgedStatus) = try Messages.decoder(changed)
        #expect(forgedStatus == errSecSuccess)
        #expect(try forged.status(trusting: authority.root).0 == .invalidSignature)
    }

    @Test("calls in the wrong order, and with other objects, are refused")
    func refusals() throws {
        var encoder: CMSEncoder?
        CMSEncoderCreate(&encoder)
        let made = try #require(encoder)
        #expect(CMSEncoderAddSigners(made, "x" as CFString) == errSecParam)
        #expect(CMSEncoderAddSigners(made, [] as CFArray) == errSecParam)
        #expect(CMSEncoderAddRecipients(made, [authority.root, 1] as CFArray) == errSecParam)
        #expect(CMSEncoderSetSignerAlgorithm(made, "md5") == errSecParam)
        #expect(CMSEncoderAddSignedAttributes(made, .attrAppleExpirationTime) == errSecUnimplemented)
        #expect(CMSEncoderSetEncapsulatedContentTypeOID(made, "1.2.x" as CFString) == errSecParam)
        var message: CFData?
        #expect(CMSEncoderCopyEncodedContent(made, &message) == errSecParam && message == nil)
        #expect(CMSEncoderAddSupportingCerts(made, authority.root) == errSecSuccess)
        #expect(CMSEncoderUpdateContent(made, [1], -1) == errSecParam)
        #expect(CMSEncoderCopyEncodedContent(made, &message) == errSecSuccess)
        #expect(CMSEncoderCopyEncodedContent(made, &message) == errSecParam)
        #expect(CMSEncoderSetHasDetachedContent(made, true) == errSecParam)
        let certificates = try #require(message) as Data
        let (decoder, status) = try Messages.decoder(certificates)
        #expect(status == errSecSuccess && decoder.signers == 0)
        #expect(try decoder.status().0 == .unsigned)
        #expect(CMSDecoderFinalizeMessage(decoder) == errSecParam)
        for garbage in [Data("nothing".utf8), Data([0x30, 0x80]), certificates.dropLast()] {
            #expect(try Messages.decoder(garbage).1 == errSecUnknownFormat)
        }
        #expect(CMSEncoderGetTypeID() != CMSDecoderGetTypeID())
    }

    @Test("neither openssl nor we sign with Edwards' curves", arguments: KeyKind.edwards)
    func edwards(kind: KeyKind) throws {
        try keychain.use {
            let ada = try authority.identity("ada", kind, serial: 30)
            var encoder: CMSEncoder?
            #expect(CMSEncoderCreate(&encoder) == errSecSuccess)
            let made = try #require(encoder)
            #expect(CMSEncoderAddSigners(made, ada) == errSecSuccess)
            #expect(CMSEncoderUpdateContent(made, "x", 1) == errSecSuccess)
            var message: CFData?
            #expect(CMSEncoderCopyEncodedContent(made, &message) == errSecUnimplemented && message == nil)
            #expect("\(Llavero.lastFailure ?? "")".contains("Ed25519"))
        }
        _ = try authority.person("bob", kind, serial: 31)
        try authority.command.write(Messages.text, "text")
        let signing = ["cms", "-sign", "-in", "text", "-signer", "bob.pem", "-inkey", "bob.key"]
        for options in [[], ["-md", "sha512"], ["-md", "sha512", "-noattr"], ["-md", "shake256"]] {
            // When a newer OpenSSL does it, there is something to do here.
            #expect(try !authority.command.succeeds(signing + options))
        }
    }
}
