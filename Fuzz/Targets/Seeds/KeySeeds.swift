// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel

/// Keys, and what is made with them.
internal enum KeySeeds {
    static func writeFixtures() throws {
        let kinds: [(String, KeyType, Int)] = [
            ("p256", .ec, 256), ("p384", .ec, 384), ("p521", .ec, 521), ("rsa2048", .rsa, 2048),
            ("ed25519", .ed25519, 256), ("ed448", .ed448, 448), ("aes256", .aes, 256),
        ]
        for (name, type, bits) in kinds {
            try Seeds.writeFixture("\(name).key") { try CryptoKey.generate(type, bits: bits).representation().array }
        }
    }

    static func keys() throws -> [[UInt8]] {
        let sizes: [(KeyType, Int)] = [
            (.rsa, 1024), (.rsa, 1536), (.ec, 256), (.ec, 384), (.ec, 521), (.ed25519, 256), (.x25519, 256),
            (.ed448, 448), (.x448, 448), (.aes, 128), (.aes, 192), (.aes, 256),
        ]
        return try sizes.flatMap { type, bits in
            let key = try CryptoKey.generate(type, bits: bits)
            let parts = type == .aes ? [key] : [key, try key.publicKey()]
            return try parts.map { part in
                guard let choice = KeyFuzzing.choice(type, part.part) else { throw Seeds.Missing() }
                return [choice] + (try part.representation().array)
            }
        }
    }

    static func signatures() throws -> [[UInt8]] {
        try FixedUse.signatures.enumerated().flatMap { index, use in
            let signature = try FixedKeys.message.lendingBytes { (message) throws(KeyError) in
                try use.key.sign(message, with: use.algorithm)
            }
            let zeros = [UInt8](repeating: 0, count: signature.count)
            return [signature, zeros, Array(signature.dropLast()), signature + [0]].map { [UInt8(index)] + $0 }
        }
    }

    static func ciphertexts() throws -> [[UInt8]] {
        try FixedUse.decryptions.enumerated().flatMap { index, use in
            let key = use.key.type == .aes ? use.key : try use.key.publicKey()
            let sealed = try FixedKeys.message.lendingBytes { (message) throws(KeyError) in
                try key.encrypt(message, with: use.algorithm)
            }
            return [sealed, Array(sealed.dropLast()), Array(sealed.prefix(16))].map { [UInt8(index)] + $0 }
        }
    }
}
