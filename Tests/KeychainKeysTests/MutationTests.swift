// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import TestSeed
import Testing

/// Signatures and ciphertexts nobody made.
@Suite struct MutationTests {
    @Test("no changed signature verifies", arguments: TestKeys.rsa + TestKeys.ec + [TestKeys.ed25519, TestKeys.ed448])
    func signatures(key: CryptoKey) throws {
        var seed = Seed(for: "MutationTests.signatures \(key)")
        let other = try key.publicKey()
        let data = [UInt8](repeating: 2, count: 32)
        for algorithm in KeyAlgorithmTests.algorithms where key.isSupported(algorithm, for: .sign) {
            guard let signature = try? key.sign(data, algorithm) else { continue }
            for _ in 0..<30 {
                let changed = seed.mutated(signature)
                #expect(try changed == signature || !other.verify(changed, of: data, algorithm), "\(algorithm.name)")
            }
        }
    }

    @Test("no changed ciphertext gives a text", arguments: [TestKeys.rsa2048] + TestKeys.ec + [TestKeys.aes])
    func ciphertexts(key: CryptoKey) throws {
        var seed = Seed(for: "MutationTests.ciphertexts \(key)")
        let other = key.part == .symmetric ? key : try key.publicKey()
        let plain = [UInt8](repeating: 2, count: 40)
        for algorithm in KeyAlgorithmTests.algorithms where other.isSupported(algorithm, for: .encrypt) {
            // Those two cannot tell.
            if algorithm.name.contains(":raw") || algorithm.name.hasSuffix("PKCS1") { continue }
            let sealed = try other.encrypt(plain, algorithm)
            for _ in 0..<10 {
                let changed = seed.mutated(sealed)
                guard changed != sealed else { continue }
                do throws(KeyError) {
                    _ = try key.decrypt(changed, algorithm)
                    Issue.record("\(algorithm.name) took a changed text")
                } catch { #expect(error == .refused || error == .invalidLength) }
            }
        }
    }
}

extension Seed {
    /// The bytes with a bit turned, an end cut off, a byte put in, or two exchanged.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        let index = Int(next() % UInt64(bytes.count))
        switch next() % 4 {
        case 0: changed[index] ^= 1 << UInt8(next() % 8)
        case 1: changed.removeLast(index + 1)
        case 2: changed.insert(UInt8(truncatingIfNeeded: next()), at: index)
        default: changed.swapAt(0, index)
        }
        return changed
    }
}
