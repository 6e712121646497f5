// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

/// One key of each kind and size, made once.
enum TestKeys {
    static let rsa1024 = imported("1024")
    static let rsa2048 = imported("2048")
    static let rsa4096 = imported("4096")
    static let rsaOdd = imported("1030")
    static let p256 = made(.ec, 256)
    static let p384 = made(.ec, 384)
    static let p521 = made(.ec, 521)
    static let ed25519 = made(.ed25519, 256)
    static let x25519 = made(.x25519, 256)
    static let ed448 = made(.ed448, 448)
    static let x448 = made(.x448, 448)
    static let aes = made(.aes, 256)
    static let p256Peer = made(.ec, 256)
    static let held = wrapped(p256)

    static let rsa = [rsa1024, rsa2048, rsaOdd]
    static let ec = [p256, p384, p521, held]
    static let raw = [ed25519, x25519, ed448, x448]
    static let privateKeys = rsa + [rsa4096] + ec + raw
    static let all = privateKeys + privateKeys.compactMap { try? $0.publicKey() } + [aes]

    private static func imported(_ bits: String) -> CryptoKey {
        known { () throws(KeyError) in
            try CryptoKey(.rsa, .private, representation: KeyVectors.rsaKeys[bits] ?? [])
        }
    }

    private static func made(_ type: KeyType, _ bits: Int) -> CryptoKey {
        known { () throws(KeyError) in try CryptoKey.generate(type, bits: bits) }
    }

    private static func wrapped(_ key: CryptoKey) -> CryptoKey {
        known { () throws(KeyError) in
            try CryptoKey(heldBy: Holder(key: key), publicKey: key.publicRepresentation ?? [])
        }
    }

    private static func known(_ make: () throws(KeyError) -> CryptoKey) -> CryptoKey {
        do throws(KeyError) { return try make() } catch { preconditionFailure("no key: \(error)") }
    }
}

/// Does what an enclave does, with a key in memory.
struct Holder: KeyHolder {
    let key: CryptoKey
    var failure: KeyError?

    func signature(ofDigest digest: [UInt8]) throws(KeyError) -> [UInt8] {
        if let failure { throw failure }
        guard let algorithm = KeyAlgorithm("algid:sign:ECDSA:digest-X962") else { throw .unsupportedAlgorithm }
        return try key.sign(digest, algorithm)
    }

    func sharedSecret(with publicKey: [UInt8]) throws(KeyError) -> SecretBytes {
        if let failure { throw failure }
        guard let algorithm = KeyAlgorithm("algid:keyexchange:ECDH") else { throw .unsupportedAlgorithm }
        return try key.exchangeKeys(with: CryptoKey(.ec, .public, representation: publicKey), algorithm)
    }
}
