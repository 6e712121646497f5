// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// An identity of a certificate and a key of the enclave.
@Suite struct EnclaveIdentityTests {
    /// A certificate that a CA of OpenSSL's made for the key.
    private static func certificate(for key: SecKey) throws -> SecCertificate {
        let command = try OpenSSLCommand()
        try command.write(publicKeyOf: key, "public.pem")
        try command.run(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key",
            "-out", "ca.pem", "-subj", "/CN=The CA", "-days", "30")
        try command.run(
            "x509", "-new", "-force_pubkey", "public.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-subj",
            "/CN=somebody/emailAddress=somebody@example.com", "-set_serial", "77", "-days", "30", "-outform", "DER",
            "-out", "own.der")
        return try #require(SecCertificateCreateWithData(nil, try command.read("own.der") as CFData))
    }

    private static func identity(_ query: [CFString: Any] = [:]) -> SecIdentity? {
        Items.find(query.merging([kSecClass: kSecClassIdentity]) { $1 }, kSecReturnRef).result as? SecIdentity
    }

    /// Whether the identity's key signs what its certificate's key takes for signed.
    private static func works(_ identity: SecIdentity) throws -> Bool {
        var (key, certificate): (SecKey?, SecCertificate?)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        let other = try #require(certificate.flatMap(SecCertificateCopyKey))
        let own = try #require(key)
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA384
        let message = Data("handshake".utf8) as CFData
        let signature = try #require(SecKeyCreateSignature(own, algorithm, message, nil))
        return SecKeyVerifySignature(other, algorithm, message, signature, nil)
    }

    @Test("it is found as soon as both halves are there, and used", arguments: Ground.all)
    func found(ground: Ground) throws {
        let scene = try Scene(ground)
        let certificate = try scene.use { () throws -> SecCertificate in
            let key = try Keys.inEnclave([kSecAttrLabel: "key"])
            let certificate = try Self.certificate(for: key)
            #expect(Self.identity() == nil)
            let add = [kSecValueRef: certificate, kSecAttrLabel: "mine"] as [CFString: Any]
            #expect(SecItemAdd(add as CFDictionary, nil) == errSecSuccess)
            let made = try #require(SecIdentityCreate(nil, certificate, key))
            let found = Items.find([kSecClass: kSecClassIdentity], kSecReturnPersistentRef).result as? Data
            let reference = try #require(found)
            let queries: [[CFString: Any]] = [
                [:], [kSecAttrLabel: "mine"], [kSecAttrKeyClass: kSecAttrKeyClassPrivate],
                [kSecValuePersistentRef: reference], [kSecValueRef: made],
                [kSecMatchSubjectContains: "somebody"], [kSecMatchEmailAddressIfPresent: "somebody@example.com"],
            ]
            for query in queries {
                let identity = try #require(Self.identity(query), "\(query.keys)")
                #expect(identity == made)
                #expect(try Self.works(identity))
            }
            #expect(Self.identity([kSecAttrLabel: "key"]) == nil)
            return certificate
        }
        let again = try scene.restarted()
        try again.use {
            let identity = try #require(Self.identity([kSecAttrLabel: "mine"]))
            #expect(try Self.works(identity))
            // Everything at once, and still no bytes of the key.
            let wishes = [kSecReturnData, kSecReturnAttributes, kSecReturnRef]
            let query = wishes.reduce(into: [kSecClass: kSecClassIdentity] as [CFString: Any]) { $0[$1] = true }
            let all = try #require(Items.find(query).result as? [CFString: Any])
            #expect(all[kSecValueData] == nil)
            #expect(Items.find([kSecClass: kSecClassIdentity], kSecReturnData).result == nil)
            #expect(Items.delete([kSecValueRef: identity]) == errSecSuccess)
            #expect(Items.countKeys() == 0)
            let gone = Items.find([kSecClass: kSecClassCertificate, kSecValueRef: certificate])
            #expect(gone.status == errSecItemNotFound)
        }
        #expect(try again.keychain.check() == [])
    }

    @Test("a key that is not stored makes an identity too, which cannot be", arguments: Ground.all)
    func loose(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let key = try Keys.inEnclave([kSecAttrIsPermanent: false])
            let identity = try #require(SecIdentityCreate(nil, try Self.certificate(for: key), key))
            #expect(try Self.works(identity))
            #expect(SecItemAdd([kSecValueRef: identity] as CFDictionary, nil) == errSecParam)
            #expect(Items.countKeys() == 0)
            #expect(Items.find([kSecClass: kSecClassCertificate]).status == errSecItemNotFound)
            // Its public half is no key of an identity, and a certificate of another key's makes none.
            let certificate = try Self.certificate(for: key)
            #expect(SecIdentityCreate(nil, certificate, try Keys.publicHalf(key)) == nil)
            #expect(SecIdentityCreate(nil, certificate, try Keys.inEnclave()) == nil)
        }
    }

    @Test("an identity whose key is stored is added by its certificate, once", arguments: Ground.all)
    func added(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.use {
            let key = try Keys.inEnclave()
            let made = try #require(SecIdentityCreate(nil, try Self.certificate(for: key), key))
            #expect(SecItemAdd([kSecValueRef: made] as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd([kSecValueRef: made] as CFDictionary, nil) == errSecDuplicateItem)
            #expect(Items.countKeys() == 1)
            let found = try #require(Self.identity())
            #expect(try Self.works(found))
        }
    }
}
