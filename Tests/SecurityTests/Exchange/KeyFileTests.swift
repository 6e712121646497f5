// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("Keys come out of files and go into them")
struct KeyFileTests {
    private let workshop: ExchangeWorkshop
    private typealias Kind = ExchangeWorkshop.Kind

    init() throws {
        workshop = try ExchangeWorkshop()
    }

    private func pkcs8(_ name: String = "k") throws -> Data {
        try workshop.openssl("pkcs8", "-topk8", "-nocrypt", "-in", "\(name).key", "-outform", "DER")
    }

    private func expectSameKey(_ key: SecKey) throws {
        #expect(Exchange.exporting(key, .formatBSAFE).data == (try pkcs8()))
        let info = try workshop.openssl("pkey", "-in", "k.key", "-pubout", "-outform", "DER")
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(Exchange.exporting(publicKey, .formatOpenSSL).data == info)
        #expect(key.isPrivateHalf(of: publicKey))
    }

    @Test("a private key in DER and PEM, in every form", arguments: Kind.allCases)
    func privateKeys(_ kind: ExchangeWorkshop.Kind) throws {
        try workshop.makeKey("k", kind)
        for data in [try pkcs8(), try workshop.read("k.key")] {
            let imported = Exchange.importing(data)
            #expect(imported.format == .formatBSAFE && imported.type == .itemTypePrivateKey)
            try expectSameKey(try Exchange.only(imported))
        }
        guard kind.hasOwnForm else { return }
        for form in ["DER", "PEM"] {
            let data = try workshop.openssl("pkey", "-in", "k.key", "-traditional", "-outform", form)
            let imported = Exchange.importing(data)
            #expect(imported.format == .formatOpenSSL && imported.type == .itemTypePrivateKey)
            let key: SecKey = try Exchange.only(imported)
            try expectSameKey(key)
            let flags: SecItemImportExportFlags = form == "PEM" ? .pemArmour : []
            #expect(Exchange.exporting(key, flags: flags).data == data)
        }
    }

    @Test("a public key in DER and PEM, in every form", arguments: Kind.allCases)
    func publicKeys(_ kind: ExchangeWorkshop.Kind) throws {
        try workshop.makeKey("k", kind)
        for form in ["DER", "PEM"] {
            let data = try workshop.openssl("pkey", "-in", "k.key", "-pubout", "-outform", form)
            let imported = Exchange.importing(data)
            #expect(imported.format == .formatOpenSSL && imported.type == .itemTypePublicKey)
            let key: SecKey = try Exchange.only(imported)
            #expect(Exchange.exporting(key, flags: form == "PEM" ? .pemArmour : []).data == data)
        }
        guard kind == .rsa else { return }
        for form in ["DER", "PEM"] {
            let data = try workshop.openssl("rsa", "-in", "k.key", "-RSAPublicKey_out", "-outform", form)
            let imported = Exchange.importing(data)
            #expect(imported.format == .formatBSAFE && imported.type == .itemTypePublicKey)
            let key: SecKey = try Exchange.only(imported)
            #expect(Exchange.exporting(key, .formatBSAFE, flags: form == "PEM" ? .pemArmour : []).data == data)
        }
    }

    @Test("agreement keys and the larger Edwards keys too", arguments: ["X25519", "X448", "ED448"])
    func otherKinds(_ kind: String) throws {
        try workshop.openssl("genpkey", "-algorithm", kind, "-out", "k.key")
        let key: SecKey = try Exchange.only(Exchange.importing(try workshop.read("k.key")))
        #expect(Exchange.exporting(key, .formatOpenSSL).data == (try pkcs8()))
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let info = try workshop.openssl("pkey", "-in", "k.key", "-pubout", "-outform", "DER")
        #expect(Exchange.exporting(publicKey).data == info)
        let read: SecKey = try Exchange.only(Exchange.importing(info))
        #expect(read == publicKey)
    }

    @Test("a key made here openssl reads, and signs with it what we verify", arguments: Kind.allCases)
    func toOpenSSL(_ kind: ExchangeWorkshop.Kind) throws {
        let types: [Kind: (CFString, Int)] = [
            .rsa: (kSecAttrKeyTypeRSA, 2048), .p256: (kSecAttrKeyTypeEC, 256), .p384: (kSecAttrKeyTypeEC, 384),
            .p521: (kSecAttrKeyTypeEC, 521), .ed25519: (kSecAttrKeyTypeEd25519, 256),
        ]
        let (type, bits) = try #require(types[kind])
        let key = try TestKey.made(type, bits)
        for (format, options) in [
            (SecExternalFormat.formatOpenSSL, []), (.formatBSAFE, []), (.formatWrappedPKCS8, ["-passin", "pass:nöw"]),
        ] {
            let passphrase: String? = options.isEmpty ? nil : "nöw"
            let text = try #require(Exchange.exporting(key, format, passphrase: passphrase, flags: .pemArmour).data)
            try workshop.write(text, to: "k.key")
            let info = try workshop.run(["pkey", "-in", "k.key", "-pubout", "-outform", "DER"] + options)
            #expect(Exchange.exporting(try #require(SecKeyCopyPublicKey(key))).data == info)
        }
    }

    @Test("a curve or a size that no key here has is said to be one")
    func unsupported() throws {
        for curve in ["secp256k1", "brainpoolP256r1", "P-192", "sect233k1"] {
            try workshop.openssl(
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)", "-out", "k.key")
            let info = try workshop.openssl("pkey", "-in", "k.key", "-pubout")
            let own = try workshop.openssl("pkey", "-in", "k.key", "-traditional", "-outform", "DER")
            for data in [try workshop.read("k.key"), try pkcs8(), info, own] {
                #expect(Exchange.importing(data).status == errSecUnsupportedFormat, "\(curve)")
            }
        }
        try workshop.openssl(
            "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:768", "-out", "k.key")
        let info = try workshop.openssl("pkey", "-in", "k.key", "-pubout")
        for data in [try workshop.read("k.key"), try pkcs8(), info] {
            #expect(Exchange.importing(data).status == errSecUnsupportedKeySize)
        }
        let explicit = try workshop.openssl(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-pkeyopt", "ec_param_enc:explicit")
        #expect(Exchange.importing(explicit).status == errSecDecode)
    }

    @Test("bytes of a symmetric key, when they are said to be one")
    func rawKeys() throws {
        let bytes = Data((0..<32).map { UInt8($0) ^ 0x5A })
        for count in [16, 24, 32] {
            let data = bytes.prefix(count)
            #expect(Exchange.importing(data).status == errSecUnknownFormat)
            let imported = Exchange.importing(data, .formatRawKey)
            #expect(imported.type == .itemTypeSessionKey)
            let key: SecKey = try Exchange.only(imported)
            #expect(Exchange.exporting(key).data == data)
            #expect(Exchange.exporting(key, .formatRawKey).data == data)
            #expect(Exchange.importing(data, .formatUnknown, .itemTypeSessionKey).format == .formatRawKey)
        }
        for count in [0, 1, 15, 17, 31] {
            #expect(Exchange.importing(bytes.prefix(count), .formatRawKey).status == errSecDecode)
        }
        #expect(Exchange.importing(bytes.prefix(16), .formatRawKey, .itemTypePrivateKey).status == errSecDecode)
        #expect(
            Exchange.importing(bytes.prefix(16), .formatRawKey, flags: .pemArmour).status == errSecUnsupportedFormat)
    }
}
