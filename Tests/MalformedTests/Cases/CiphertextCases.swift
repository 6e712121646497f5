// SPDX-License-Identifier: Apache-2.0

import Security

/// What cannot be decrypted: too short, changed, or not made for the key (semantics §11.3).
enum CiphertextCases {
    static func all() throws -> [MalformedCase] {
        let rsa = try FixedUse.rsa.get()
        let p256 = try FixedUse.p256.get()
        return try gcm(FixedUse.aes.get().used("AES-GCM", .aesEncryptionGCM))
            + ecies(p256.used("ECIES", .eciesEncryptionStandardX963SHA256AESGCM))
            + session(rsa.used("RSA-OAEP-AESGCM", .rsaEncryptionOAEPSHA256AESGCM))
            + blocks(rsa.used("RSA-OAEP", .rsaEncryptionOAEPSHA256), rsa.used("RSA PKCS#1", .rsaEncryptionPKCS1))
    }

    private static func gcm(_ use: FixedUse) throws -> [MalformedCase] {
        let good = try use.ciphertext()
        return [
            .ciphertext("nothing", use, []), .ciphertext("a short nonce", use, Array(good.prefix(11))),
            .ciphertext("a nonce alone", use, Array(good.prefix(12))),
            .ciphertext("a tag of 15 bytes", use, Array(good.prefix(27))),
            .ciphertext("one bit of the tag", use, flipped(good, good.count - 1)),
            .ciphertext("one bit of the nonce", use, flipped(good, 0)),
            .ciphertext("one bit of the text", use, flipped(good, 12)),
            .ciphertext("without its last byte", use, good.dropLast()),
            .ciphertext("a byte behind it", use, good + [0]),
            .ciphertext("zeros", use, [UInt8](repeating: 0, count: 28)),
        ]
    }

    private static func ecies(_ use: FixedUse) throws -> [MalformedCase] {
        let good = try use.ciphertext()
        let point = Array(good.prefix(65))
        let rest = Array(good.dropFirst(65))
        let other = try FixedUse.p384.get().used("ECIES", .eciesEncryptionStandardX963SHA256AESGCM).ciphertext()
        return [
            .ciphertext("nothing", use, []), .ciphertext("a point alone", use, point),
            .ciphertext("a tag of 15 bytes", use, point + rest.suffix(15)),
            .ciphertext("a point off the curve", use, flipped(good, 64)),
            .ciphertext("a point of zeros", use, [4] + [UInt8](repeating: 0, count: 64) + rest),
            .ciphertext("a compressed point", use, [2 + (point[64] & 1)] + point[1...32] + rest),
            .ciphertext("the point at infinity", use, [0] + rest),
            .ciphertext("a point of another curve", use, other),
            .ciphertext("one bit of the tag", use, flipped(good, good.count - 1)),
            .ciphertext("one bit of the text", use, flipped(good, 65)),
            .ciphertext("a byte behind it", use, good + [0]),
        ]
    }

    private static func session(_ use: FixedUse) throws -> [MalformedCase] {
        let good = try use.ciphertext()
        return [
            .ciphertext("nothing", use, []), .ciphertext("the wrapped key alone", use, Array(good.prefix(256))),
            .ciphertext("a tag of 15 bytes", use, Array(good.prefix(271))),
            .ciphertext("one bit of the wrapped key", use, flipped(good, 255)),
            .ciphertext("one bit of the tag", use, flipped(good, good.count - 1)),
            .ciphertext("zeros", use, [UInt8](repeating: 0, count: 300)),
        ]
    }

    private static func blocks(_ oaep: FixedUse, _ pkcs1: FixedUse) throws -> [MalformedCase] {
        let good = try oaep.ciphertext()
        return [
            .ciphertext("255 bytes", oaep, good.dropLast()), .ciphertext("257 bytes", oaep, [0] + good),
            .ciphertext("zeros", oaep, [UInt8](repeating: 0, count: 256)),
            .ciphertext("beyond the modulus", oaep, [UInt8](repeating: 0xFF, count: 256)),
            .ciphertext("one bit", oaep, flipped(good, 128)), .ciphertext("nothing", pkcs1, []),
            .ciphertext("zeros", pkcs1, [UInt8](repeating: 0, count: 256)),
            .ciphertext("beyond the modulus", pkcs1, [UInt8](repeating: 0xFF, count: 256)),
        ]
    }

    private static func flipped(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
        var copy = bytes
        copy[index] ^= 1
        return copy
    }
}
