// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import Testing

@Suite struct SupportTests {
    @Test("each kind of key supports exactly these", arguments: TestKeys.all)
    func supports(key: CryptoKey) {
        for algorithm in KeyAlgorithmTests.algorithms {
            for operation in KeyOperation.allCases {
                #expect(
                    key.isSupported(algorithm, for: operation) == expected(key, algorithm, operation),
                    "\(key) \(algorithm.name) \(operation)")
            }
        }
    }

    @Test("what is not supported is refused as such, whatever the input", arguments: TestKeys.all)
    func refuses(key: CryptoKey) throws {
        let other = try CryptoKey.generate(.ec, bits: 256).publicKey()
        for algorithm in KeyAlgorithmTests.algorithms {
            for operation in KeyOperation.allCases {
                let isRSAVerify = key.type == .rsa && key.part == .private && operation == .verify
                guard isRSAVerify || !key.isSupported(algorithm, for: operation) else { continue }
                for count in [0, 20, 32, 300] {
                    let data = [UInt8](repeating: 7, count: count)
                    #expect(throws: KeyError.unsupportedAlgorithm, "\(key) \(algorithm.name) \(operation)") {
                        switch operation {
                        case .sign: _ = try key.sign(data, algorithm)
                        case .verify: _ = try key.verify(data, of: data, algorithm)
                        case .encrypt: _ = try key.encrypt(data, algorithm)
                        case .decrypt: _ = try key.decrypt(data, algorithm)
                        case .keyExchange: _ = try key.exchange(with: other, algorithm, 16)
                        }
                    }
                }
            }
        }
    }

    /// The smallest modulus, in bits, that has room for what RFC 8017 puts into one.
    ///
    /// PSS: a digest, a salt as long and two bytes, in one bit less than the modulus has. OAEP: two digests and two bytes,
    /// and with AES-GCM a key beside them. For every other name the smallest modulus there is will do.
    private static let smallest: [(part: String, bits: Int)] = [
        ("PSS:SHA1:", 1024), ("PSS:SHA224:", 1024), ("PSS:SHA256:", 1024), ("PSS:SHA384:", 1024),
        ("PSS:SHA512:", 1034), ("OAEP:SHA1:AESGCM", 1024), ("OAEP:SHA224:AESGCM", 1024), ("OAEP:SHA256:AESGCM", 1024),
        ("OAEP:SHA384:AESGCM", 1024), ("OAEP:SHA512:AESGCM", 1161), ("OAEP:SHA1", 1024), ("OAEP:SHA224", 1024),
        ("OAEP:SHA256", 1024), ("OAEP:SHA384", 1024), ("OAEP:SHA512", 1033),
    ]

    @Test("a modulus without room for an algorithm does not support it, and no algorithm is missing from the table")
    func room() throws {
        for name in KeyAlgorithmTests.algorithms.map(\.name) where name.contains("PSS") || name.contains("OAEP") {
            #expect(Self.smallest.contains { name.contains($0.part) }, "\(name)")
        }
        let small = try CryptoKey.generate(.rsa, bits: 1024)
        let large = try CryptoKey.generate(.rsa, bits: 2048)
        let narrow = KeyAlgorithmTests.algorithms.filter { $0.name.contains("PSS:SHA512:") }
        #expect(narrow.count == 2)
        for algorithm in narrow {
            #expect(!small.isSupported(algorithm, for: .sign) && large.isSupported(algorithm, for: .sign))
            #expect(!small.isSupported(algorithm, for: .verify))
        }
    }

    private func hasRoom(_ bits: Int, for name: String) -> Bool {
        bits >= Self.smallest.first { name.contains($0.part) }?.bits ?? 1024
    }

    /// Semantics §11.3, from the names alone.
    private func expected(_ key: CryptoKey, _ algorithm: KeyAlgorithm, _ operation: KeyOperation) -> Bool {
        let name = algorithm.name
        let isPrivate = key.part == .private
        if ["kem", "2PubKeys"].contains(where: { name.contains($0) }) { return false }
        switch key.type {
        case .rsa:
            guard hasRoom(key.bits, for: name) else { return false }
            if name.hasPrefix("algid:sign:RSA:") {
                return operation == .verify || operation == .sign && isPrivate
            }
            guard name.hasPrefix("algid:encrypt:RSA:") else { return false }
            return isPrivate
                ? operation == .decrypt : operation == .encrypt || operation == .decrypt && name.contains(":raw")
        case .ec:
            if name.hasPrefix("algid:sign:ECDSA:") { return operation == (isPrivate ? .sign : .verify) }
            if name.hasPrefix("algid:encrypt:ECIES:") { return operation == (isPrivate ? .decrypt : .encrypt) }
            return name.hasPrefix("algid:keyexchange:") && operation == .keyExchange && isPrivate
        case .ed25519: return name.contains("Curve25519") && operation == (isPrivate ? .sign : .verify)
        case .ed448: return name.contains("Curve448") && operation == (isPrivate ? .sign : .verify)
        case .x25519, .x448:
            return (name == "algid:keyexchange:ECDH" || name.hasPrefix("algid:keyexchange:ECDH:"))
                && operation == .keyExchange && isPrivate
        case .mldsa: return name.contains("ML-DSA") && operation == (isPrivate ? .sign : .verify)
        case .mlkem: return false
        case .aes:
            return name == KeyAlgorithm.aesGCMName && (operation == .encrypt || operation == .decrypt)
        }
    }
}
