// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

/// Keys whose private half is kept elsewhere; that they do all a key in memory does is shown by the round trips.
@Suite struct HolderTests {
    @Test("does with every algorithm what the key itself does, in both directions")
    func interchangeable() throws {
        let own = TestKeys.p256
        let held = TestKeys.held
        let other = try own.publicKey()
        let peer = TestKeys.p256Peer
        for algorithm in KeyAlgorithmTests.algorithms {
            if own.isSupported(algorithm, for: .sign) {
                guard case .signature(.ecdsa(_, let input)) = algorithm.scheme else { continue }
                let count = if case .digest(let hash) = input { hash.size } else { 33 }
                let data = [UInt8](repeating: 6, count: count)
                #expect(try other.verify(try held.sign(data, algorithm), of: data, algorithm))
            }
            if own.isSupported(algorithm, for: .decrypt) {
                let sealed = try other.encrypt([1, 2, 3], algorithm)
                #expect(try held.decrypt(sealed, algorithm) == [1, 2, 3])
            }
            if own.isSupported(algorithm, for: .keyExchange) {
                let theirs = try peer.exchange(with: other, algorithm, 40, [1])
                #expect(try held.exchange(with: peer.publicKey(), algorithm, 40, [1]) == theirs)
            }
        }
    }

    @Test("its private half is not given away")
    func kept() throws {
        #expect(TestKeys.held.isHeldElsewhere && !TestKeys.p256.isHeldElsewhere)
        #expect(throws: KeyError.notExportable) { try TestKeys.held.representation().count }
        #expect(TestKeys.held.isEqual(to: TestKeys.p256))
    }

    @Test("what its holder throws is thrown, and nothing it gives is taken on trust")
    func failures() throws {
        let point = TestKeys.p256.publicRepresentation ?? []
        let failing = try CryptoKey(heldBy: Holder(key: TestKeys.p256, failure: .holder(-5)), publicKey: point)
        let sign = try #require(KeyAlgorithm("algid:sign:ECDSA:message-X962:SHA256"))
        let decrypt = try #require(KeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"))
        #expect(throws: KeyError.holder(-5)) { try failing.sign([1], sign) }
        let sealed = try failing.publicKey().encrypt([1], decrypt)
        #expect(throws: KeyError.holder(-5)) { try failing.decrypt(sealed, decrypt) }
        // A holder of another curve's key.
        let wrong = try CryptoKey(heldBy: Holder(key: TestKeys.p384), publicKey: point)
        #expect(throws: KeyError.self) { try wrong.decrypt(sealed, decrypt) }
        let fixed = try #require(KeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA512"))
        #expect(throws: KeyError.malformed) { try wrong.sign([1], fixed) }
        #expect(throws: KeyError.malformed) {
            try CryptoKey(heldBy: Holder(key: TestKeys.p256), publicKey: [UInt8](point.dropLast()))
        }
    }
}
