// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Testing

/// What the standards print as examples.
@Suite struct PublishedVectorTests {
    @Test("the digests of \"abc\" are those of FIPS 180-4 and RFC 1321")
    func digests() {
        let message = Data("abc".utf8)
        #expect(
            Hex.text(SHA256.hash(data: message))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Hex.text(SHA384.hash(data: message))
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
        #expect(
            Hex.text(SHA512.hash(data: message))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
        #expect(Hex.text(Insecure.SHA1.hash(data: message)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(Hex.text(Insecure.MD5.hash(data: message)) == "900150983cd24fb0d6963f7d28e17f72")
    }

    @Test("an HMAC is that of RFC 4231")
    func hmac() {
        let key = SymmetricKey(data: Data("Jefe".utf8))
        let message = Data("what do ya want for nothing?".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        #expect(Hex.text(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key))
        #expect(HMAC<SHA256>.isValidAuthenticationCode(Data(code), authenticating: message, using: key))
        #expect(!HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message.dropLast(), using: key))
        #expect(
            Hex.text(HMAC<SHA512>.authenticationCode(for: message, using: key))
                == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
    }

    @Test("keys are derived as in RFC 5869")
    func hkdf() throws {
        let secret = SymmetricKey(data: Data(repeating: 0x0B, count: 22))
        let (salt, info) = (Data(0x00...0x0C), Data(0xF0...0xF9))
        #expect(
            Hex.text(HKDF<SHA256>.extract(inputKeyMaterial: secret, salt: salt))
                == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
        #expect(
            Hex.text(HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, salt: salt, info: info, outputByteCount: 42))
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        #expect(
            Hex.text(HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, outputByteCount: 42))
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }

    @Test("Ed25519 signs as in RFC 8032")
    func ed25519() throws {
        let key = try Curve25519.Signing.PrivateKey(
            rawRepresentation: Hex.data("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
        #expect(
            Hex.text(key.publicKey.rawRepresentation)
                == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        let signature = try key.signature(for: Data([0x72]))
        #expect(
            Hex.text(signature)
                == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(key.publicKey.isValidSignature(signature, for: Data([0x72])))
        #expect(!key.publicKey.isValidSignature(signature, for: Data([0x73])))
    }

    @Test("X25519 agrees as in RFC 7748")
    func x25519() throws {
        // The first vector of section 5.2: a scalar and a point.
        let key = try Curve25519.KeyAgreement.PrivateKey(
            rawRepresentation: Hex.data("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"))
        let other = try Curve25519.KeyAgreement.PublicKey(
            rawRepresentation: Hex.data("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))
        let secret = try key.sharedSecretFromKeyAgreement(with: other)
        #expect(try secret == Hex.data("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
        let none = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(count: 32))
        #expect(throws: CryptoKitError.self) { try key.sharedSecretFromKeyAgreement(with: none) }
    }

    @Test("a signature of RFC 6979 is valid, and its key's public half is the one printed there")
    func ecdsa() throws {
        let key = try P256.Signing.PrivateKey(
            rawRepresentation: Hex.data("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"))
        #expect(
            Hex.text(key.publicKey.rawRepresentation)
                == "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: Hex.data(
                "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"))
        let message = Data("sample".utf8)
        #expect(key.publicKey.isValidSignature(signature, for: message))
        #expect(key.publicKey.isValidSignature(signature, for: SHA256.hash(data: message)))
        #expect(!key.publicKey.isValidSignature(signature, for: Data("simple".utf8)))
        #expect(try P256.Signing.ECDSASignature(derRepresentation: signature.derRepresentation) == signature)
    }

    @Test("AES-GCM seals as in NIST's test case 4")
    func gcm() throws {
        let key = SymmetricKey(data: try Hex.data("feffe9928665731c6d6a8f9467308308"))
        let plain = try Hex.data(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
        let beside = try Hex.data("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let nonce = try AES.GCM.Nonce(data: Hex.data("cafebabefacedbaddecaf888"))
        let box = try AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: beside)
        #expect(
            Hex.text(box.ciphertext)
                == "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091")
        #expect(Hex.text(box.tag) == "5bc94fbc3221a5db94fae95ae7121a47")
        #expect(try AES.GCM.open(box, using: key, authenticating: beside) == plain)
        #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(box, using: key) }
    }

    @Test("ChaCha20-Poly1305 seals as in RFC 8439")
    func chaCha() throws {
        let key = SymmetricKey(data: Data(0x80...0x9F))
        let plain = Data(
            ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
                + "sunscreen would be it.").utf8)
        let beside = try Hex.data("50515253c0c1c2c3c4c5c6c7")
        let nonce = try ChaChaPoly.Nonce(data: Hex.data("070000004041424344454647"))
        let box = try ChaChaPoly.seal(plain, using: key, nonce: nonce, authenticating: beside)
        #expect(Hex.text(box.ciphertext).hasPrefix("d31a8d34648e60db7b86afbc53ef7ec2"))
        #expect(Hex.text(box.tag) == "1ae10b594f09e26a7e902ecbd0600691")
        #expect(try ChaChaPoly.open(box, using: key, authenticating: beside) == plain)
        #expect(throws: CryptoKitError.authenticationFailure) { try ChaChaPoly.open(box, using: key) }
    }

    @Test("AES wraps keys as in RFC 3394")
    func keyWrap() throws {
        let (wrapping, key) = (SymmetricKey(data: Data(0x00...0x0F)), try Hex.data("00112233445566778899aabbccddeeff"))
        let wrapped = try AES.KeyWrap.wrap(SymmetricKey(data: key), using: wrapping)
        #expect(Hex.text(wrapped) == "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5")
        #expect(try AES.KeyWrap.unwrap(wrapped, using: wrapping) == SymmetricKey(data: key))
        #expect(throws: CryptoKitError.unwrapFailure) {
            try AES.KeyWrap.unwrap(wrapped, using: SymmetricKey(size: .bits128))
        }
    }
}

enum Hex {
    static func text(_ bytes: some ContiguousBytes) -> String {
        bytes.withUnsafeBytes { $0.map { String(format: "%02x", $0) }.joined() }
    }

    static func data(_ text: String) throws -> Data {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
            rest = rest.dropFirst(2)
        }
        return Data(bytes)
    }
}
