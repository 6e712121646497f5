// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

@Suite struct KeyExchangeTests {
    static let keys = TestKeys.ec + [TestKeys.x25519, TestKeys.x448]

    @Test("both sides get the same, and standard and cofactor too", arguments: keys)
    func agrees(key: CryptoKey) throws {
        let peer = try CryptoKey.generate(key.type, bits: key.bits)
        for algorithm in KeyAlgorithmTests.algorithms where key.isSupported(algorithm, for: .keyExchange) {
            let mine = try key.exchange(with: peer.publicKey(), algorithm, 50, [1, 2])
            #expect(try peer.exchange(with: key.publicKey(), algorithm, 50, [1, 2]) == mine)
            guard case .keyExchange(let scheme) = algorithm.scheme else { continue }
            #expect(mine.count == (scheme.derivation == nil ? key.blockSize : 50))
            if scheme.usesCofactor {
                let standard = try #require(
                    KeyAlgorithm("algid:keyexchange:ECDH" + algorithm.name.dropFirst("algid:keyexchange:ECDHC".count)))
                #expect(try key.exchange(with: peer.publicKey(), standard, 50, [1, 2]) == mine)
            }
        }
    }

    @Test("a derivation needs a size within bounds, and the other's public key of the same curve", arguments: keys)
    func refuses(key: CryptoKey) throws {
        let plain = try #require(KeyAlgorithm("algid:keyexchange:ECDH"))
        let derived = try #require(KeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA256"))
        let peer = try CryptoKey.generate(key.type, bits: key.bits)
        let other = try peer.publicKey()
        #expect(throws: KeyError.missingParameter) { try key.exchange(with: other, derived) }
        for size in [0, -1, .min, .max, 1 << 20 + 1] {
            #expect(throws: KeyError.invalidParameter) { try key.exchange(with: other, derived, size) }
        }
        #expect(throws: KeyError.invalidParameter) { try key.exchange(with: peer, plain) }
        for stranger in TestKeys.all where stranger.type != key.type || stranger.bits != key.bits {
            #expect(throws: KeyError.invalidParameter) { try key.exchange(with: stranger, plain) }
        }
    }

    @Test("a point of small order is refused", arguments: [KeyType.x25519, .x448])
    func smallOrder(type: KeyType) throws {
        let key = type == .x25519 ? TestKeys.x25519 : TestKeys.x448
        let algorithm = try #require(KeyAlgorithm("algid:keyexchange:ECDH"))
        for first in [UInt8(0), 1] {
            let bytes = [first] + [UInt8](repeating: 0, count: key.blockSize - 1)
            let other = try CryptoKey(type, .public, representation: bytes)
            #expect(throws: KeyError.refused) { try key.exchange(with: other, algorithm) }
        }
    }

    @Test("one key serves many threads at once")
    func concurrent() async throws {
        let sign = try #require(KeyAlgorithm("algid:sign:ECDSA:message-X962:SHA256"))
        let rsa = try #require(KeyAlgorithm("algid:sign:RSA:message-PSS:SHA256:SHA256:32"))
        let exchange = try #require(KeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA256"))
        let peer = try TestKeys.p256Peer.publicKey()
        let expected = try TestKeys.p256.exchange(with: peer, exchange, 32)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let data = [UInt8(index)]
                    let ec = TestKeys.p256
                    for _ in 0..<20 {
                        guard try ec.publicKey().verify(try ec.sign(data, sign), of: data, sign),
                            try TestKeys.rsa1024.publicKey().verify(
                                try TestKeys.rsa1024.sign(data, rsa), of: data, rsa),
                            try ec.exchange(with: peer, exchange, 32) == expected
                        else { return false }
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
