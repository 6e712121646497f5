// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct KeyTests {
        @Test(
            "OpenSSL verifies a signature of a digest of any usual size, and of no other digest",
            arguments: [20, 28, 32, 48, 64])
        func signature(size: Int) throws {
            let test = try TestEnclave()
            let key = try test.enclave.makeKey()
            #expect(key.publicKey.count == 65 && key.publicKey.first == 4)
            // Several, so that numbers with and without a leading zero are among them.
            for round in 0..<8 {
                let digest = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 31 + round + 1) }
                let signature = try test.enclave.signature(of: digest, with: key)
                #expect(try verifies(signature, digest, key, in: test))
                var other = digest
                other[0] ^= 1
                #expect(try !verifies(signature, other, key, in: test))
            }
        }

        @Test("a key works after a restart, and each has numbers of its own")
        func kept() throws {
            let test = try TestEnclave()
            let (key, other) = (try test.enclave.makeKey(), try test.enclave.makeKey())
            #expect(key.publicKey != other.publicKey && key.blob != other.blob)
            try test.tpm.restart()
            let digest = [UInt8](repeating: 5, count: 32)
            let signature = try test.enclave.signature(of: digest, with: key)
            #expect(try verifies(signature, digest, key, in: test))
            #expect(try !verifies(signature, digest, other, in: test))
        }

        @Test("both sides of an agreement get the same secret, OpenSSL's too")
        func agreement() throws {
            let test = try TestEnclave()
            let key = try test.enclave.makeKey()
            let folder = test.tpm.folder
            for round in 0..<4 {
                let theirs = "their-\(round)"
                try TestProgram.run(
                    ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", theirs],
                    in: folder)
                try TestProgram.run(
                    ["openssl", "pkey", "-in", theirs, "-pubout", "-outform", "DER", "-out", "public"], in: folder)
                let publicKey = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/public"))).suffix(65)
                try Data(spkiHeader + key.publicKey).write(to: URL(fileURLWithPath: folder + "/mine"))
                try TestProgram.run(
                    [
                        "openssl", "pkeyutl", "-derive", "-inkey", theirs, "-peerkey", "mine", "-peerform", "DER",
                        "-out", "secret",
                    ], in: folder)
                let secret = try test.enclave.sharedSecret(of: key, with: Array(publicKey)).shown
                #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/secret"))) == secret)
            }
        }

        @Test("what is no point of the curve is refused, and the TPM is unharmed")
        func noPoint() throws {
            let test = try TestEnclave()
            let key = try test.enclave.makeKey()
            let other = try test.enclave.makeKey().publicKey
            var offCurve = other
            offCurve[64] ^= 1
            let (zeros, ones) = ([UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xff, count: 64))
            let points: [[UInt8]] = [
                [], [4], offCurve, [4] + zeros, [4] + ones, [2] + other.dropFirst(), Array(other.dropLast()),
                other + [0], [2] + other[1..<33], [0],
            ]
            for point in points {
                #expect(
                    failure { () throws(EnclaveError) in try test.enclave.sharedSecret(of: key, with: point) }
                        == .invalidPublicKey)
            }
            #expect(try test.enclave.sharedSecret(of: key, with: other).shown.count == 32)
            #expect(try test.tpm.leftovers() == [])
        }

        @Test("a key of another TPM's, of another keychain's or with another public half is foreign")
        func foreign() throws {
            let (test, stranger) = (try TestEnclave(), try TestEnclave())
            let neighbour = test.enclave(path: test.tpm.folder + "/other.tpm")
            _ = try neighbour.create(for: TestEnclave.keychain(2), TestEnclave.turn)
            let (mine, other) = (try test.enclave.makeKey(), try test.enclave.makeKey())
            for key in [
                try stranger.enclave.makeKey(), try neighbour.makeKey(),
                EnclaveKey(publicKey: other.publicKey, blob: mine.blob), EnclaveKey(publicKey: [], blob: mine.blob),
                EnclaveKey(publicKey: mine.publicKey, blob: []),
                EnclaveKey(publicKey: mine.publicKey, blob: mine.blob + [0]),
                EnclaveKey(publicKey: mine.publicKey, blob: Array(mine.blob.dropLast())),
            ] {
                #expect(
                    failure { () throws(EnclaveError) in try test.enclave.signature(of: [1], with: key) }
                        == .foreignKey)
                #expect(
                    failure { () throws(EnclaveError) in
                        try test.enclave.sharedSecret(of: key, with: mine.publicKey)
                    } == .foreignKey)
            }
            #expect(try test.enclave.signature(of: [], with: mine).count > 60)
        }

        private func verifies(
            _ signature: [UInt8], _ digest: [UInt8], _ key: EnclaveKey, in test: TestEnclave
        ) throws -> Bool {
            let folder = test.tpm.folder
            for (name, bytes) in [("signature", signature), ("digest", digest), ("key", spkiHeader + key.publicKey)] {
                try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
            }
            let words = [
                "openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key", "-in", "digest",
                "-sigfile", "signature",
            ]
            do {
                return try TestProgram.run(words, in: folder).contains("Verified Successfully")
            } catch let failure as TestProgram.Failure {
                // It could verify, and said no.
                #expect(failure.output.contains("Verification Failure"))
                return false
            }
        }

        /// What stands before the point of a P-256 key in DER.
        private let spkiHeader: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
            0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ]
    }
#endif
