// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import Testing

@Suite struct Ed25519Tests {
    // RFC 8032 §7.1, tests 1 and 2.
    static let vectors:
        [(privateKey: PrimitiveBytes, publicKey: PrimitiveBytes, message: [UInt8], signature: PrimitiveBytes)] = [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", [],
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", [0x72],
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
        ]

    @Test("it is the signature of the standard's examples", arguments: 0..<2)
    func standard(index: Int) throws {
        let vector = Self.vectors[index]
        let key = vector.privateKey.secret()
        #expect(try Ed25519.publicKey(of: key) == vector.publicKey.array)
        #expect(try Ed25519.signature(of: vector.message, with: key) == vector.signature.array)
        #expect(
            Ed25519.isValid(
                signature: vector.signature.array, of: vector.message, publicKey: vector.publicKey.array))
    }

    @Test("another message, key or signature is not valid, nor is one of another size")
    func refused() throws {
        let key = try Ed25519.makePrivateKey()
        let publicKey = try Ed25519.publicKey(of: key)
        let signature = try Ed25519.signature(of: [1, 2, 3], with: key)
        #expect(Ed25519.isValid(signature: signature, of: [1, 2, 3], publicKey: publicKey))
        #expect(!Ed25519.isValid(signature: signature, of: [1, 2], publicKey: publicKey))
        for place in signature.indices {
            var other = signature
            other[place] ^= 1
            #expect(!Ed25519.isValid(signature: other, of: [1, 2, 3], publicKey: publicKey))
        }
        #expect(!Ed25519.isValid(signature: signature, of: [1, 2, 3], publicKey: Self.vectors[0].publicKey.array))
        #expect(!Ed25519.isValid(signature: Array(signature.dropLast()), of: [1, 2, 3], publicKey: publicKey))
        #expect(!Ed25519.isValid(signature: signature, of: [1, 2, 3], publicKey: Array(publicKey.dropLast())))
        #expect(!Ed25519.isValid(signature: signature, of: [1, 2, 3], publicKey: [UInt8](repeating: 0xFF, count: 32)))
    }

    @Test("a key of zeros, or of another size, signs nothing")
    func keys() {
        #expect(throws: CryptoError.zeroKey) {
            try Ed25519.signature(of: [], with: PrimitiveBytes.repeating(0, 32).secret())
        }
        #expect(throws: CryptoError.invalidLength) {
            try Ed25519.publicKey(of: PrimitiveBytes.repeating(1, 31).secret())
        }
    }
}
