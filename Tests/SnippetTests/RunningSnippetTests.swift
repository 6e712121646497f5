// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

/// The programs of the folder Snippets do what they do on a Mac.
@Suite struct RunningSnippetTests {
    private let files: SnippetFiles
    private let certificate: SecCertificate
    private let keychain: IsolatedKeychain

    init() throws {
        files = try SnippetFiles()
        certificate = try Certificates.fromFile(files.url("certificate.der"))
        keychain = try IsolatedKeychain(person: ScriptedPerson(usually: .types("1234")))
        try keychain.use { try Llavero.keybag.setPasscode(Llavero.Passcode("1234"), erasingAfter: nil) }
    }

    @Test("a certificate says who it is for, until when, and with which key")
    func certificates() throws {
        let text = try files.text("certificate.pem")
        let read = try #require(Certificates.fromPEM(text))
        #expect(Certificates.same(read, certificate) && Certificates.toPEM(certificate) == text)
        let facts = try #require(Certificates.facts(certificate))
        #expect(facts.summary == "Ada" && facts.subject.values.contains("Example"))
        #expect(facts.alternatives == ["www.example.org", "example.org"])
        let (begin, end) = try (#require(facts.notBefore), #require(facts.notAfter))
        #expect(abs(end.timeIntervalSince(begin) - 30 * 86400) < 2 && abs(begin.timeIntervalSinceNow) < 600)
        #expect(!facts.serial.isEmpty && facts.isAuthority)
        #expect(Certificates.commonName(certificate) == "Ada")
        #expect(Certificates.serialNumber(certificate) == "1A:2B")
        #expect(Certificates.addresses(certificate) == ["ada@example.org"])
        #expect(Certificates.isSelfIssued(certificate) && Certificates.keySize(certificate) == 2048)
        #expect(Certificates.publicKeyData(certificate)?.isEmpty == false)
        #expect(Certificates.described(certificate)?.isEmpty == false)
        #expect(Certificates.fromPEM("no certificate") == nil)
    }

    @Test("a certificate is stored, found and removed")
    func stored() throws {
        keychain.use {
            #expect(Certificates.find(label: "mine") == nil && Certificates.all().isEmpty)
            #expect(Certificates.store(certificate, label: "mine") && Certificates.store(certificate, label: "mine"))
            #expect(Certificates.find(label: "mine") == certificate && Certificates.all() == [certificate])
            #expect(Certificates.remove(certificate) == errSecSuccess && Certificates.all().isEmpty)
        }
    }

    @Test("trust depends on anchors, names and dates, and a person may allow more")
    func trusts() async throws {
        let later = Date(timeIntervalSinceNow: 5)
        let trust = try #require(Trusts.make([certificate], host: "www.example.org"))
        #expect(Trusts.verdict(trust) == "not looked at")
        #expect(abs(Trusts.at(later, trust).timeIntervalSince(later)) < 1)
        let failure = try #require(Trusts.failure(trust))
        #expect(failure.code != 0 && !failure.text.isEmpty && Trusts.verdict(trust) != "trusted")
        let queue = DispatchQueue(label: "trust")
        await #expect(throws: (any Error).self) { _ = try await Trusts.evaluate(trust, on: queue) }
        #expect(Trusts.pin(trust, to: [certificate]) && Trusts.verdict(trust) == "trusted")
        #expect(try await Trusts.evaluate(trust, on: queue))
        #expect(Trusts.names(trust) == ["Ada"] && Trusts.serverKey(trust) == Certificates.publicKeyData(certificate))
        let details = Trusts.details(trust)
        #expect(!details.isExtended && details.at != nil)
        #expect(Trusts.setPolicies(trust, ["a.example", "b.example"]) == 2 && Trusts.failure(trust) != nil)
        #expect(Trusts.options(trust) == errSecSuccess)

        let other = try #require(Trusts.make([certificate], host: "other.example"))
        _ = Trusts.at(later, other)
        #expect(!Trusts.pin(other, to: [certificate]))
        #expect(Trusts.allow(other)?.isEmpty == false && Trusts.failure(other) == nil)
        // An anchor is not asked whether it was revoked.
        #expect(Trusts.revocation(other) && Trusts.anchors() > 0)
    }

    @Test("policies have names, and what a user says of a certificate is kept")
    func settings() throws {
        #expect(Trusts.policyName(SecPolicyCreateSSL(true, "example.org" as CFString)) == "example.org")
        #expect(Trusts.policies().count == 6)
        try IsolatedKeychain(.temporaryFolder).use {
            #expect(Trusts.settings(certificate).isEmpty)
            #expect(Trusts.trustAlways(certificate) == errSecSuccess)
            #expect(Trusts.settings(certificate) == [.trustRoot])
            #expect(Trusts.forget(certificate) && !Trusts.forget(certificate))
        }
    }

    @Test("messages are signed, whole or without their content, and encrypted")
    func messages() throws {
        try keychain.use {
            let file = try ImportedFile(files.data("file.p12"), password: "secret")
            let identity = try #require(file.identity)
            let content = Data("gold".utf8)
            let decoder = try Messages.decode(Messages.sign(content, by: identity, detached: false))
            let signer = Messages.signer(decoder)
            #expect(signer.status == .valid && signer.certificate == certificate && signer.at != nil)
            #expect(Messages.content(decoder) == content && !Messages.isEncrypted(decoder))

            let bare = try Messages.sign(content, by: identity, detached: true)
            #expect(Messages.signer(try Messages.decode(bare, detached: content)).status == .valid)
            #expect(Messages.signer(try Messages.decode(bare, detached: Data("tin".utf8))).status == .invalidSignature)

            #expect(Identities.add(identity, label: "ada") != nil)
            let sealed = try Messages.decode(Messages.encrypt(content, for: [certificate]))
            #expect(Messages.isEncrypted(sealed) && Messages.content(sealed) == content)
        }
    }

    @Test("a file with an identity opens with its password, and the identity is kept and exported")
    func identities() throws {
        try keychain.use {
            let data = try files.data("file.p12")
            #expect(throws: StatusError(status: errSecAuthFailed)) { try ImportedFile(data, password: "wrong") }
            let file = try ImportedFile(data, password: "secret")
            #expect(file.label == "ada" && file.chain == [certificate] && file.trust != nil)
            let identity = try #require(file.identity)
            let parts = try #require(Identities.parts(identity))
            #expect(parts.0 == certificate && parts.1.isPrivate && parts.1.bits == 2048)
            var items: CFArray?
            let options: [CFString: Any] = [kSecImportExportPassphrase: "secret"]
            #expect(SecPKCS12Import(data as CFData, options as CFDictionary, &items) == errSecSuccess)
            #expect(Files.identities(in: try #require(items)) == [identity])

            #expect(Identities.find(label: "ada") == nil && Identities.all().isEmpty)
            #expect(Identities.add(identity, label: "ada") != nil)
            #expect(Identities.find(label: "ada") == identity && Identities.all() == [identity])
            #expect(Identities.prefer(identity, for: "ada@example.org") == identity)
            #expect(Identities.remove(identity) == errSecSuccess && Identities.all().isEmpty)

            let pem = try #require(Files.export(certificate, as: .formatPEMSequence))
            #expect(Files.read(pem, name: "certificate.pem") as? [SecCertificate] == [certificate])
            let wrapped = try #require(Files.export(identity, as: .formatPKCS12, password: "other"))
            #expect(try ImportedFile(wrapped, password: "other").identity == identity)
            #expect(Files.read(Data("nothing".utf8), name: "x.pem").isEmpty)
        }
    }

    @Test("a key is made once, signs, agrees, seals and goes")
    func keys() throws {
        try keychain.use {
            let store = KeyStore(tag: "org.example.key")
            #expect(throws: KeyStoreError.self) { try store.load() }
            let key = try store.loadOrMake()
            let again = try store.loadOrMake()
            #expect(key == again && store.count() == 1 && key.isPrivate && key.bits == 256 && key.blockSize > 0)
            let half = try #require(key.publicHalf)
            #expect(!half.isPrivate)
            let message = Data("gold".utf8)
            let signature = try again.signature(of: message)
            #expect(half.isSignature(signature, of: message) && !half.isSignature(signature, of: Data("tin".utf8)))
            let bytes = try #require(half.externalData)
            #expect(
                bytes.count == 65 && SecKey.fromPublicData(bytes) == half && SecKey.fromPublicData(Data([4])) == nil)
            let other = try KeyStore(tag: "other").make()
            let secrets = try [
                key.agreement(with: #require(other.publicHalf), bytes: 32), other.agreement(with: half, bytes: 32),
            ]
            #expect(secrets[0] == secrets[1] && secrets[0].count == 32)
            let sealing = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
            let sealed = try half.sealed(message, sealing)
            #expect(try key.opened(sealed, sealing) == message)
            #expect(throws: (any Error).self) { try other.opened(sealed, sealing) }

            let old = try KeyStore(tag: "rsa").make(kSecAttrKeyTypeRSA, bits: 2048)
            let padded = try #require(old.publicHalf).sealed(message, .rsaEncryptionOAEPSHA256)
            #expect(try old.opened(padded, .rsaEncryptionOAEPSHA256) == message)
            #expect(store.remove() && store.remove() && store.count() == 0)
        }
    }

    @Test("the enclave signs a challenge, symmetric keys wrap, and a pair is made aside")
    func otherKeys() async throws {
        try await keychain.use {
            #expect(Attestation.hasEnclave())
            let answer = try Attestation.answer(Data("challenge".utf8), tag: "device")
            let key = try #require(SecKey.fromPublicData(answer.key))
            #expect(key.isSignature(answer.signature, of: Data("challenge".utf8)))
            let (first, second) = try (#require(Symmetric.made(bits: 256)), #require(Symmetric.made(bits: 128)))
            #expect(first.bits == 256 && Symmetric.wrapped(second, under: first)?.isEmpty == false)
            let derived = try #require(Symmetric.derived("password", salt: Data([1, 2, 3, 4, 5, 6, 7, 8])))
            #expect(
                derived.externalData
                    == Symmetric.derived("password", salt: Data([1, 2, 3, 4, 5, 6, 7, 8]))?.externalData)
            let (publicKey, privateKey) = try await pairAwaited()
            #expect(privateKey.publicHalf == publicKey)
            let signer = Signer(key: privateKey, certificate: nil, control: nil)
            #expect(publicKey.isSignature(try await signer.sign(Data([7])), of: Data([7])))
        }
    }
}
