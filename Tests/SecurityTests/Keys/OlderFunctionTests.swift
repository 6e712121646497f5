// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct OlderFunctionTests {
    private func sign(_ key: SecKey, _ padding: SecPadding, _ digest: [UInt8], room: Int = 600) -> (OSStatus, [UInt8]) {
        var signature = [UInt8](repeating: 0, count: 600)
        var count = room
        let status = SecKeyRawSign(key, padding, digest, digest.count, &signature, &count)
        return (status, Array(signature.prefix(status == 0 ? count : 600)))
    }

    static let rsaPaddings: [(SecPadding, Int)] = [
        ([], 20), (.PKCS1, 11), (.PKCS1SHA1, 20), (.PKCS1SHA224, 28), (.PKCS1SHA256, 32),
        (.PKCS1SHA384, 48), (.PKCS1SHA512, 64),
    ]

    @Test("what was signed verifies, and nothing else does")
    func signing() throws {
        let rsa = try TestKey.made(kSecAttrKeyTypeRSA, 1024)
        let curve = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let curvePaddings: [(SecPadding, Int)] = [([], 32), (.PKCS1, 20), (.sigRaw, 32), (.PKCS1SHA256, 32)]
        for (key, paddings) in [(rsa, Self.rsaPaddings), (curve, curvePaddings)] {
            let other = try #require(SecKeyCopyPublicKey(key))
            for (padding, size) in paddings {
                var digest = [UInt8](repeating: 5, count: size)
                let (status, signature) = sign(key, padding, digest)
                #expect(status == errSecSuccess)
                #expect(SecKeyRawVerify(other, padding, digest, size, signature, signature.count) == errSecSuccess)
                digest[0] ^= 1
                // SecKey.m, SecKeyPerformLegacyOperation: "Legacy functions used errSSLCrypto".
                #expect(SecKeyRawVerify(other, padding, digest, size, signature, signature.count) == errSSLCrypto)
            }
        }
        #expect(sign(curve, .sigRaw, [UInt8](repeating: 1, count: 32)).1.count == 64)
    }

    @Test("too little room, a negative length and a padding that is none are refused, and nothing is written")
    func refusals() throws {
        let key = try TestKey.made(kSecAttrKeyTypeRSA, 1024)
        let other = try #require(SecKeyCopyPublicKey(key))
        let (status, output) = sign(key, .PKCS1, [1, 2, 3], room: 127)
        #expect(status == errSecParam)
        #expect(output.allSatisfy { $0 == 0 })
        for padding in [SecPadding.PKCS1MD2, .PKCS1MD5, .OAEP, .sigRaw, SecPadding(rawValue: 77)] {
            #expect(sign(key, padding, [1]).0 == errSecParam)
        }
        #expect(sign(key, .PKCS1MD5, [UInt8](repeating: 1, count: 16)).0 == errSecParam)
        #expect(sign(key, .PKCS1SHA256, [1]).0 == errSecParam)
        #expect(sign(other, .PKCS1, [1]).0 == errSecParam)
        var count = 600
        var room = [UInt8](repeating: 0, count: 600)
        #expect(SecKeyRawSign(key, .PKCS1, [1], -1, &room, &count) == errSecParam)
        #expect(SecKeyRawVerify(other, .PKCS1, [1], 1, [1], -1) == errSecParam)
        #expect(SecKeyEncrypt(other, .PKCS1SHA1, [1], 1, &room, &count) == errSecParam)
        #expect(SecKeyEncrypt(key, .PKCS1, [1], 1, &room, &count) == errSecParam)
        #expect(SecKeyDecrypt(key, .PKCS1, [1], 1, &room, &count) == errSecParam)
    }

    @Test("what was encrypted is decrypted", arguments: [SecPadding.PKCS1, .OAEP, []])
    func encryption(padding: SecPadding) throws {
        let key = try TestKey.made(kSecAttrKeyTypeRSA, 1024)
        let other = try #require(SecKeyCopyPublicKey(key))
        var sealed = [UInt8](repeating: 0, count: 128)
        var sealedCount = 128
        let plain: [UInt8] = [9, 8, 7]
        #expect(SecKeyEncrypt(other, padding, plain, 3, &sealed, &sealedCount) == errSecSuccess)
        #expect(sealedCount == 128)
        var opened = [UInt8](repeating: 0, count: 128)
        var openedCount = 2
        // SecKey.m, SecKeyDecrypt: "Strip zero-padding from the beginning of the block".
        #expect(SecKeyDecrypt(key, padding, sealed, 128, &opened, &openedCount) == errSecParam)
        #expect(opened.allSatisfy { $0 == 0 } && openedCount == 2)
        openedCount = 128
        #expect(SecKeyDecrypt(key, padding, sealed, 128, &opened, &openedCount) == errSecSuccess)
        #expect(Array(opened.prefix(openedCount)) == plain)
    }
}
