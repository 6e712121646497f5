// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel
import Testing

@Suite struct RoundTripTests {
    @Test("what is signed verifies, of any input the algorithm takes", arguments: TestKeys.privateKeys)
    func signs(key: CryptoKey) throws {
        let other = try key.publicKey()
        for algorithm in KeyAlgorithmTests.algorithms where key.isSupported(algorithm, for: .sign) {
            guard case .signature(let scheme) = algorithm.scheme else { continue }
            var counts = [1, 20, 100]
            switch scheme {
            case .rsa(_, .digest(let hash)), .ecdsa(_, .digest(let hash)):
                counts = [hash.size]
                for count in [0, hash.size - 1, hash.size + 1] {
                    let data = [UInt8](repeating: 1, count: count)
                    #expect(throws: KeyError.invalidLength) { try key.sign(data, algorithm) }
                    #expect(throws: KeyError.invalidLength) { try other.verify([1], of: data, algorithm) }
                }
            case .rsa(_, .message), .ecdsa, .edwards, .mldsa: counts.append(0)
            case .rsa(_, .any):
                let tooLong = [UInt8](repeating: 1, count: key.blockSize + 8)
                #expect(throws: KeyError.invalidLength) { try key.sign(tooLong, algorithm) }
            }
            for count in counts {
                var data = [UInt8](repeating: 3, count: count)
                let signature = try key.sign(data, algorithm)
                #expect(try other.verify(signature, of: data, algorithm), "\(key) \(algorithm.name) \(count)")
                guard count > 0 else { continue }
                data[0] ^= 4
                #expect(try !other.verify(signature, of: data, algorithm), "\(key) \(algorithm.name) \(count)")
            }
        }
    }

    @Test("what is encrypted decrypts, and with one changed byte it does not", arguments: TestKeys.privateKeys)
    func encrypts(key: CryptoKey) throws {
        let other = try key.publicKey()
        for algorithm in KeyAlgorithmTests.algorithms where other.isSupported(algorithm, for: .encrypt) {
            guard case .encryption(let scheme) = algorithm.scheme else { continue }
            let isSmall = if case .rsa = scheme { true } else { false }
            let isRaw = algorithm.name.contains(":raw")
            for count in isSmall ? [0, 1] : [0, 1, 15, 16, 1000] {
                let plain = [UInt8](repeating: 9, count: count)
                let sealed = try other.encrypt(plain, algorithm)
                let opened = try key.decrypt(sealed, algorithm)
                // Without padding nothing says where the zeros end.
                #expect(isRaw ? opened.count >= key.blockSize && opened.filter { $0 != 0 } == plain : opened == plain)
                guard !isRaw else { continue }
                #expect(try other.encrypt(plain, algorithm) != sealed)
                var changed = sealed
                changed[changed.count - 1] ^= 1
                // Of PKCS#1 v1.5 one changed number in 2 to the 16 still looks padded.
                if (try? key.decrypt(changed, algorithm)) == plain { Issue.record("\(algorithm.name) was changed") }
                #expect(throws: KeyError.self) { try key.decrypt([UInt8](sealed.dropLast()), algorithm) }
            }
            for count in [0, 15, key.blockSize - 1] where !isRaw {
                let short = [UInt8](repeating: 4, count: count)
                #expect(throws: KeyError.invalidLength) { try key.decrypt(short, algorithm) }
            }
        }
    }

    @Test("a raw signature is undone by the public key's raw decryption, or refused when it is too large")
    func undoes() throws {
        let sign = try #require(KeyAlgorithm("algid:sign:RSA:raw"))
        let encrypt = try #require(KeyAlgorithm("algid:encrypt:RSA:raw"))
        let key = TestKeys.rsa2048
        let other = try key.publicKey()
        let number = [0] + [UInt8](repeating: 5, count: key.blockSize - 1)
        #expect(try other.decrypt(try key.sign(number, sign), encrypt) == number)
        let tooLarge = [UInt8](repeating: 0xFF, count: key.blockSize)
        #expect(throws: KeyError.invalidParameter) { try key.sign(tooLarge, sign) }
        #expect(throws: KeyError.invalidParameter) { try other.encrypt(tooLarge, encrypt) }
        #expect(throws: KeyError.refused) { try key.decrypt(tooLarge, encrypt) }
        #expect(throws: KeyError.refused) { try other.decrypt(tooLarge, encrypt) }
    }

    @Test("AES-GCM takes keys of three sizes, and no two texts look alike", arguments: [128, 192, 256])
    func symmetric(bits: Int) throws {
        let algorithm = try #require(KeyAlgorithm(KeyAlgorithm.aesGCMName))
        let key = try CryptoKey.generate(.aes, bits: bits)
        for count in [0, 1, 16, 100_000] {
            let plain = [UInt8](repeating: 8, count: count)
            let sealed = try key.encrypt(plain, algorithm)
            #expect(sealed.count == 12 + count + 16)
            #expect(try key.decrypt(sealed, algorithm) == plain)
            #expect(try key.encrypt(plain, algorithm) != sealed)
            for index in [0, 11, 12 + count / 2, sealed.count - 1] {
                var changed = sealed
                changed[index] ^= 0x80
                #expect(throws: KeyError.refused) { try key.decrypt(changed, algorithm) }
            }
        }
        #expect(throws: KeyError.invalidLength) { try key.decrypt([UInt8](repeating: 0, count: 27), algorithm) }
        #expect(throws: KeyError.unsupportedKey) { try key.publicKey() }
    }
}
