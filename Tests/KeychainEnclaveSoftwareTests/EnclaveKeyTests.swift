// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
import TestProcesses
import Testing

@Suite struct EnclaveKeyTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test("a key signs what its public half verifies, digests of any size", arguments: EnclaveScene.allCases)
    func signs(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let (key, other) = (try enclave.makeKey(), try enclave.makeKey())
        #expect(key.publicKey != other.publicKey)
        for count in [1, 20, 32, 48, 64] {
            let digest = [UInt8](repeating: 0xA5, count: count)
            let signature = try enclave.signature(of: digest, with: key)
            #expect(P256.isValid(signature: signature, of: digest, publicKey: key.publicKey))
            #expect(!P256.isValid(signature: signature, of: digest, publicKey: other.publicKey))
        }
    }

    @Test("two enclaves agree on a secret, and a third does not", arguments: EnclaveScene.allCases)
    func agrees(scene: EnclaveScene) throws {
        let (enclave, other) = (try scene.make(in: folder), try MemoryEnclave())
        let (ours, theirs, third) = (try enclave.makeKey(), try other.makeKey(), try other.makeKey())
        let secret = try enclave.shared(ours, theirs.publicKey)
        #expect(try other.shared(theirs, ours.publicKey) == secret)
        #expect(try other.shared(third, ours.publicKey) != secret)
        #expect(secret.count == 32)
    }

    @Test("a key outlives the object it was made with")
    func lasts() throws {
        let file = try EnclaveFile()
        let key = try file.enclave.makeKey()
        #expect(key.blob.count == 57 && key.blob[0] == 1)
        _ = try file.enclave.makeGate(1)
        let signature = try file.enclave.signature(of: [1], with: key)
        #expect(P256.isValid(signature: signature, of: [1], publicKey: key.publicKey))
    }

    @Test("another enclave's key is foreign", arguments: EnclaveScene.allCases)
    func foreign(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        try expectForeign(scene.make(in: folder).makeKey(), enclave)
        // Even under our own binding.
        let (ours, theirs) = (try enclave.makeKey(), try scene.make(in: folder).makeKey())
        let blob = Array(ours.blob[..<17] + theirs.blob[17...])
        expectForeign(EnclaveKey(publicKey: theirs.publicKey, blob: blob), enclave)
        expectForeign(EnclaveKey(publicKey: ours.publicKey, blob: blob), enclave)
    }

    @Test("a damaged key, or one under another's public half, is foreign", arguments: EnclaveScene.allCases)
    func damaged(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let (key, other) = (try enclave.makeKey(), try enclave.makeKey())
        expectForeign(EnclaveKey(publicKey: other.publicKey, blob: key.blob), enclave)
        for index in key.blob.indices {
            var blob = key.blob
            blob[index] ^= 1 << UInt8(index % 8)
            expectForeign(EnclaveKey(publicKey: key.publicKey, blob: blob), enclave)
            expectForeign(EnclaveKey(publicKey: key.publicKey, blob: Array(key.blob.prefix(index))), enclave)
        }
        expectForeign(EnclaveKey(publicKey: key.publicKey, blob: key.blob + [0]), enclave)
        for index in key.publicKey.indices {
            var publicKey = key.publicKey
            publicKey[index] ^= 1 << UInt8(index % 8)
            expectForeign(EnclaveKey(publicKey: publicKey, blob: key.blob), enclave)
        }
        expectForeign(EnclaveKey(publicKey: [], blob: key.blob), enclave)
    }

    @Test("what is no public key is refused", arguments: EnclaveScene.allCases)
    func badPeer(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let key = try enclave.makeKey()
        var offCurve = key.publicKey
        offCurve[64] ^= 1
        for peer in [[], [4], offCurve, Array(key.publicKey.dropLast()), [UInt8](repeating: 0, count: 65)] {
            #expect(throws: EnclaveError.invalidPublicKey) { try enclave.shared(key, peer) }
        }
    }

    private func expectForeign(_ key: EnclaveKey, _ enclave: any Enclave) {
        #expect(throws: EnclaveError.foreignKey) { try enclave.signature(of: [1], with: key) }
        #expect(throws: EnclaveError.foreignKey) { try enclave.shared(key, key.publicKey) }
    }
}
