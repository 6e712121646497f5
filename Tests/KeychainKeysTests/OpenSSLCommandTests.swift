// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

/// Against `openssl` in both directions: the keys are its own, read here from what it writes.
@Suite struct OpenSSLCommandTests {
    struct Kind: Sendable, CustomStringConvertible {
        let description: String
        let type: KeyType
        /// Arguments of `genpkey`.
        let making: [String]
        var bits = 0
    }

    static let rsa = [1024, 2048, 3072].map { bits in
        Kind(
            description: "RSA \(bits)", type: .rsa,
            making: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"], bits: bits)
    }
    static let ec = [("P-256", 256), ("P-384", 384), ("P-521", 521)].map { name, bits in
        Kind(
            description: name, type: .ec, making: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(name)"],
            bits: bits)
    }
    static let edwards = [("ED25519", KeyType.ed25519), ("ED448", .ed448)].map(montgomeryOrEdwards)
    static let montgomery = [("X25519", KeyType.x25519), ("X448", .x448)].map(montgomeryOrEdwards)

    private static func montgomeryOrEdwards(_ name: String, _ type: KeyType) -> Kind {
        Kind(description: name, type: type, making: ["-algorithm", name])
    }

    @Test("what RSA signs here is verified there, and the reverse", arguments: rsa)
    func signsRSA(kind: Kind) throws {
        let (command, key, other) = try made(kind)
        for hash in ["MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"] {
            try exchange(command, key, other, "algid:sign:RSA:message-PKCS1v15:\(hash)", ["-\(hash.lowercased())"])
        }
        let salts = [("SHA1", 20), ("SHA224", 24), ("SHA256", 32), ("SHA384", 48), ("SHA512", 64)]
        for (hash, length) in salts where kind.bits > 1024 || hash != "SHA512" {
            try exchange(
                command, key, other, "algid:sign:RSA:message-PSS:\(hash):\(hash):\(length)",
                [
                    "-\(hash.lowercased())", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest",
                ])
        }
    }

    @Test("what an EC key signs here is verified there, and the reverse", arguments: ec)
    func signsEC(kind: Kind) throws {
        let (command, key, other) = try made(kind)
        for hash in ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"] {
            try exchange(command, key, other, "algid:sign:ECDSA:message-X962:\(hash)", ["-\(hash.lowercased())"])
        }
    }

    @Test("what an Edwards key signs here is verified there, and the reverse", arguments: edwards)
    func signsEdwards(kind: Kind) throws {
        let (command, key, other) = try made(kind)
        let algorithm = try #require(
            KeyAlgorithm(
                kind.type == .ed25519
                    ? "algid:sign:EdDSA:message-Curve25519:SHA512" : "algid:sign:EdDSA:message-Curve448:SHAKE256"))
        try command.write(Self.message, "message")
        try command.write(try key.sign(Self.message, algorithm), "signature")
        let verify = ["-verify", "-pubin", "-inkey", "public.pem", "-rawin", "-in", "message", "-sigfile", "signature"]
        #expect(try command.run(["pkeyutl"] + verify))
        try #require(
            try command.run(
                ["pkeyutl", "-sign", "-inkey", "key.pem", "-rawin", "-in", "message", "-out", "signature"]))
        #expect(try other.verify(command.read("signature"), of: Self.message, algorithm))
    }

    @Test("what is encrypted here is decrypted there, and the reverse", arguments: rsa)
    func encrypts(kind: Kind) throws {
        let (command, key, other) = try made(kind)
        let plain = [UInt8]("sixteen bytes!!!".utf8)
        var rows = [("algid:encrypt:RSA:PKCS1", ["-pkeyopt", "rsa_padding_mode:pkcs1"])]
        for hash in ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"] where kind.bits > 1024 || hash < "SHA38" {
            rows.append(
                (
                    "algid:encrypt:RSA:OAEP:\(hash)",
                    [
                        "-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:\(hash.lowercased())",
                        "-pkeyopt", "rsa_mgf1_md:\(hash.lowercased())",
                    ]
                ))
        }
        for (name, options) in rows {
            let algorithm = try #require(KeyAlgorithm(name))
            try command.write(try other.encrypt(plain, algorithm), "sealed")
            try #require(
                try command.run(
                    ["pkeyutl", "-decrypt", "-inkey", "key.pem", "-in", "sealed", "-out", "opened"] + options),
                "\(name)")
            #expect(try command.read("opened") == plain)
            try command.write(plain, "plain")
            try #require(
                try command.run(
                    ["pkeyutl", "-encrypt", "-pubin", "-inkey", "public.pem", "-in", "plain", "-out", "sealed"]
                        + options))
            #expect(try key.decrypt(command.read("sealed"), algorithm) == plain)
        }
    }

    @Test("both agree on a secret", arguments: ec + montgomery)
    func agrees(kind: Kind) throws {
        let (command, key, _) = try made(kind)
        let (theirs, _, peer) = try made(kind)
        let algorithm = try #require(KeyAlgorithm("algid:keyexchange:ECDH"))
        try command.write(try theirs.read("public.pem"), "peer.pem")
        try #require(
            try command.run(["pkeyutl", "-derive", "-inkey", "key.pem", "-peerkey", "peer.pem", "-out", "secret"]))
        #expect(try key.exchange(with: peer, algorithm) == command.read("secret"))
    }

    private func exchange(
        _ command: OpenSSLCommand, _ key: CryptoKey, _ other: CryptoKey, _ name: String, _ options: [String]
    ) throws {
        let algorithm = try #require(KeyAlgorithm(name))
        try command.write(Self.message, "message")
        try command.write(try key.sign(Self.message, algorithm), "signature")
        let here = try command.run(
            ["dgst"] + options + ["-verify", "public.pem", "-signature", "signature", "message"])
        #expect(here, "\(name)")
        try #require(
            try command.run(["dgst"] + options + ["-sign", "key.pem", "-out", "signature", "message"]), "\(name)")
        #expect(try other.verify(command.read("signature"), of: Self.message, algorithm), "\(name)")
    }

    /// A key the command made, and both halves of it here.
    private func made(_ kind: Kind) throws -> (OpenSSLCommand, CryptoKey, CryptoKey) {
        let command = try OpenSSLCommand()
        try #require(try command.run(["genpkey"] + kind.making + ["-out", "key.pem"]))
        try #require(try command.run(["pkey", "-in", "key.pem", "-pubout", "-out", "public.pem"]))
        try #require(try command.run(["pkey", "-in", "key.pem", "-pubout", "-outform", "DER", "-out", "public.der"]))
        let info = try command.read("public.der")
        if kind.type == .rsa {
            try #require(
                try command.run(["rsa", "-in", "key.pem", "-traditional", "-outform", "DER", "-out", "key.der"]))
            try #require(
                try command.run(["rsa", "-in", "key.pem", "-RSAPublicKey_out", "-outform", "DER", "-out", "own.der"]))
            let key = try CryptoKey(.rsa, .private, representation: command.read("key.der"))
            let other = try CryptoKey(.rsa, .public, representation: command.read("own.der"))
            return (command, key, other)
        }
        try #require(try command.run(["pkey", "-in", "key.pem", "-outform", "DER", "-out", "key.der"]))
        let pkcs8 = try command.read("key.der")
        guard kind.type == .ec else {
            let size = kind.type == .x448 ? 56 : kind.type == .ed448 ? 57 : 32
            let key = try CryptoKey(kind.type, .private, representation: [UInt8](pkcs8.suffix(size)))
            return (command, key, try CryptoKey(kind.type, .public, representation: [UInt8](info.suffix(size))))
        }
        let size = (kind.bits + 7) / 8
        let point = [UInt8](info.suffix(2 * size + 1))
        // version 1, then an OCTET STRING with the scalar (RFC 5915).
        let mark: [UInt8] = [2, 1, 1, 4, UInt8(size)]
        let start = try #require(pkcs8.indices.first { pkcs8[$0...].starts(with: mark) }) + mark.count
        let key = try CryptoKey(.ec, .private, representation: point + pkcs8[start..<start + size])
        return (command, key, try CryptoKey(.ec, .public, representation: point))
    }

    private static let message = [UInt8]("a message for both".utf8)
}
