// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import Testing

@Suite struct KeyAgreementTests {
    // RFC 7748 §6.1.
    static let alice: (privateKey: PrimitiveBytes, publicKey: PrimitiveBytes) = (
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    )
    static let bob: (privateKey: PrimitiveBytes, publicKey: PrimitiveBytes) = (
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    )
    // RFC 7748 §5.2 and §6.1.
    static let vectors: [(privateKey: PrimitiveBytes, publicKey: PrimitiveBytes, secret: PrimitiveBytes)] = [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
        ),
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
        ),
        (alice.privateKey, bob.publicKey, "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"),
        (bob.privateKey, alice.publicKey, "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"),
    ]

    @Test("a secret is agreed on as RFC 7748 says", arguments: vectors.indices)
    func agrees(row: Int) throws {
        let (privateKey, publicKey, secret) = Self.vectors[row]
        #expect(try shared(privateKey, publicKey) == secret)
    }

    @Test("a private key has the public key of RFC 7748", arguments: [alice, bob])
    func publicKeys(privateKey: PrimitiveBytes, publicKey: PrimitiveBytes) throws {
        #expect(try KeyAgreement.publicKey(of: privateKey.secret()) == publicKey.array)
    }

    @Test("a thousand agreements in a row end where RFC 7748 says")
    func iterated() throws {
        var key = PrimitiveBytes([9] + [UInt8](repeating: 0, count: 31))
        var point = key
        for _ in 0..<1000 { (key, point) = (try shared(key, point), key) }
        #expect(key == "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51")
    }

    // The points of order 1, 2, 4 and 8, and those above the prime: https://cr.yp.to/ecdh.html#validate
    @Test(
        "a point that gives everybody the same secret is refused",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ] as [PrimitiveBytes])
    func smallOrder(point: PrimitiveBytes) {
        #expect(throws: CryptoError.authenticationFailed) { try shared(Self.alice.privateKey, point) }
    }

    @Test("a private key has 32 bytes, not all zero")
    func badPrivateKeys() {
        for count in [0, 31, 33, 64] {
            #expect(throws: CryptoError.invalidLength) { try shared(.repeating(1, count), Self.bob.publicKey) }
            #expect(throws: CryptoError.invalidLength) {
                try KeyAgreement.publicKey(of: PrimitiveBytes.repeating(1, count).secret())
            }
        }
        #expect(throws: CryptoError.zeroKey) { try shared(.repeating(0, 32), Self.bob.publicKey) }
        #expect(throws: CryptoError.zeroKey) {
            try KeyAgreement.publicKey(of: PrimitiveBytes.repeating(0, 32).secret())
        }
    }

    @Test("a public key has 32 bytes", arguments: [0, 31, 33, 64])
    func badPublicKeys(count: Int) {
        #expect(throws: CryptoError.invalidLength) { try shared(Self.alice.privateKey, .repeating(9, count)) }
    }

    private func shared(
        _ privateKey: PrimitiveBytes, _ publicKey: PrimitiveBytes
    ) throws(CryptoError) -> PrimitiveBytes {
        PrimitiveBytes(copying: try KeyAgreement.sharedSecret(of: privateKey.secret(), with: publicKey.array))
    }
}

extension PrimitiveBytes {
    internal func secret() -> SecretBytes {
        SecretBytes(count: array.count) { $0.copyBytes(from: array) }
    }

    internal init(copying secret: borrowing SecretBytes) {
        self.init(secret.withUnsafeBytes { Array($0) })
    }
}
