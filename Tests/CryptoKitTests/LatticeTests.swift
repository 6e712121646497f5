// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Testing

/// `MLKEM768`, `MLKEM1024`, `MLDSA65` and `MLDSA87`, as programs written for a Mac use them.
@Suite struct LatticeTests {
    /// Whether OpenSSL is 3.5 or newer.
    static let areOffered = (try? MLKEM768.PrivateKey()) != nil

    @Test("without OpenSSL 3.5 no key is made or read, and the error names it", .enabled(if: !areOffered))
    func refused() throws {
        let refusal = CryptoKitError.underlyingCoreCryptoError(error: -4)
        #expect(throws: refusal) { try MLKEM768.PrivateKey() }
        #expect(throws: refusal) { try MLKEM1024.PrivateKey.generate() }
        #expect(throws: refusal) { try MLDSA65.PrivateKey() }
        #expect(throws: refusal) { try MLDSA87.PrivateKey(seedRepresentation: Data(count: 32), publicKey: nil) }
        #expect(throws: refusal) { try MLDSA65.PublicKey(rawRepresentation: Data(count: 1952)) }
        #expect(refusal.localizedDescription.contains("OpenSSL 3.5"))
        #expect(CryptoKitError.underlyingCoreCryptoError(error: 1).errorDescription == nil)
    }

    @Test("what no key can be is refused with every OpenSSL")
    func sizes() {
        #expect(throws: CryptoKitError.incorrectKeySize) { try MLKEM768.PublicKey(rawRepresentation: Data(count: 1)) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try MLDSA65.PrivateKey(seedRepresentation: Data(count: 31), publicKey: nil)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try MLKEM1024.PrivateKey(integrityCheckedRepresentation: Data(count: 64))
        }
    }

    @Test("a secret is encapsulated for a key", .enabled(if: areOffered))
    func shares() throws {
        try shares(MLKEM768.PrivateKey(), others: MLKEM768.PrivateKey(), publicSize: 1184, size: 1088)
        try shares(MLKEM1024.PrivateKey.generate(), others: MLKEM1024.PrivateKey(), publicSize: 1568, size: 1568)
    }

    private func shares<Key: KEMPrivateKey & LatticePrivateKey>(
        _ key: Key, others: Key, publicSize: Int, size: Int
    ) throws where Key.PublicKey: KEMPublicKey & LatticePublicKey {
        #expect(key.publicKey.rawRepresentation.count == publicSize)
        let sent = try Key.PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        let result = try sent.encapsulate()
        #expect(result.encapsulated.count == size && result.sharedSecret.bitCount == 256)
        #expect(try key.decapsulate(result.encapsulated) == result.sharedSecret)
        #expect(try others.decapsulate(result.encapsulated) != result.sharedSecret)
        #expect(throws: CryptoKitError.incorrectParameterSize) { try key.decapsulate(result.encapsulated.dropLast()) }
        let again = try Key(seedRepresentation: key.seedRepresentation, publicKey: sent)
        #expect(try again.decapsulate(result.encapsulated) == result.sharedSecret)
        #expect(key.seedRepresentation.count == 64 && key.integrityCheckedRepresentation.count == 96)
        let checked = try Key(integrityCheckedRepresentation: key.integrityCheckedRepresentation)
        #expect(try checked.decapsulate(result.encapsulated) == result.sharedSecret)
        #expect(throws: KEM.Errors.publicKeyMismatchDuringInitialization) {
            try Key(seedRepresentation: others.seedRepresentation, publicKey: sent)
        }
        var changed = key.integrityCheckedRepresentation
        changed[0] ^= 1
        #expect(throws: KEM.Errors.publicKeyMismatchDuringInitialization) {
            try Key(integrityCheckedRepresentation: changed)
        }
    }

    @Test("a message is signed, with and without a context", .enabled(if: areOffered))
    func signs() throws {
        let message = Data("a message".utf8)
        let context = Data("a context".utf8)
        let key = try MLDSA65.PrivateKey()
        let publicKey = try MLDSA65.PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        let plain = try key.signature(for: message)
        let bound = try key.signature(for: message, context: context)
        #expect(plain.count == 3309 && bound.count == 3309)
        #expect(publicKey.isValidSignature(plain, for: message))
        #expect(publicKey.isValidSignature(bound, for: message, context: context))
        #expect(!publicKey.isValidSignature(bound, for: message))
        #expect(!publicKey.isValidSignature(plain, for: message, context: context))
        #expect(!publicKey.isValidSignature(plain, for: context))
        #expect(!publicKey.isValidSignature(plain.dropLast(), for: message))
        #expect(throws: CryptoKitError.invalidParameter) { try key.signature(for: message, context: Data(count: 256)) }
        #expect(key.seedRepresentation.count == 32 && key.integrityCheckedRepresentation.count == 64)
        let again = try MLDSA65.PrivateKey(seedRepresentation: key.seedRepresentation, publicKey: publicKey)
        #expect(publicKey.isValidSignature(try again.signature(for: message), for: message))
        #expect(throws: CryptoKitError.invalidParameter) {
            try MLDSA65.PrivateKey(seedRepresentation: Data(count: 32), publicKey: publicKey)
        }
        let large = try MLDSA87.PrivateKey(
            integrityCheckedRepresentation: MLDSA87.PrivateKey().integrityCheckedRepresentation)
        let signature = try large.signature(for: message)
        #expect(signature.count == 4627 && large.publicKey.isValidSignature(signature, for: message))
        #expect(large.publicKey.rawRepresentation.count == 2592)
    }

    @Test("a public key is that of the example in RFC 9881", .enabled(if: areOffered))
    func published() throws {
        let key = try MLDSA65.PrivateKey(seedRepresentation: Data(0..<32), publicKey: nil)
        #expect(
            Hex.text(key.publicKey.rawRepresentation.prefix(24)) == "48683d91978e31eb3dddb8b0473482d2b88a5f625949fd8f")
        let other = try MLKEM768.PrivateKey(seedRepresentation: Data(0..<64), publicKey: nil)
        #expect(
            Hex.text(other.publicKey.rawRepresentation.prefix(24)) == "298aa10d423c8dda069d02bc59e6cdf03a096b8b3da4cab9"
        )
    }
}
