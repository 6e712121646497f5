// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct SecrecyTests {
        @Test("neither the file nor what goes over the wire to the TPM shows a secret")
        func nothingShown() throws {
            let tpm = try SwtpmProcess()
            let wire = try TPMProxy(to: tpm)
            defer { wire.close() }
            let path = tpm.folder + "/device.tpm"
            let enclave = TPMEnclave(path: path, connection: wire.connection)
            var files: [[UInt8]] = []
            let noteFile = { files.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))) }

            let root = try enclave.create(for: TestEnclave.keychain(1), TestEnclave.turn).key.shown
            try noteFile()
            #expect(try enclave.deviceRoot().key.shown == root)
            let gate = try enclave.makeGate(for: TestEnclave.key(1), eraseAfter: 5, TestEnclave.turn)
            let (id, secret) = (gate.id, gate.secret.shown)
            try noteFile()
            _ = failure { () throws(EnclaveError) in
                try enclave.openGate(id, with: TestEnclave.key(9), at: 0, TestEnclave.turn)
            }
            try noteFile()
            #expect(try enclave.openGate(id, with: TestEnclave.key(1), at: 0, TestEnclave.turn).shown == secret)
            let key = try enclave.makeKey()
            let shared = try enclave.sharedSecret(of: key, with: key.publicKey).shown
            _ = try enclave.signature(of: [1], with: key)
            try noteFile()

            let secrets = [
                root, secret, shared, TestEnclave.key(1).shown, TestEnclave.key(9).shown,
                try RecordEditor.authorization(id, 1), try RecordEditor.authorization(id, 9),
            ]
            for place in files + [wire.traffic] {
                for secret in secrets {
                    for half in [secret.prefix(16), secret.suffix(16)] {
                        #expect(Data(place).range(of: Data(half)) == nil)
                    }
                }
            }
            // What is public was seen, so the rest would have been.
            #expect(Data(wire.traffic).range(of: Data(key.publicKey[1..<33])) != nil)
            #expect(files.last.map { Data($0).range(of: Data(id.bytes)) != nil } == true)
        }

        @Test("fifty operations in a row leave nothing in the TPM, whether they fail or not")
        func nothingLeft() throws {
            let test = try TestEnclave()
            let key = try test.enclave.makeKey()
            let gate = try test.makeGate(1)
            for round in 0..<50 {
                switch round % 7 {
                case 0: #expect(try test.enclave.deviceRoot().binding == test.binding)
                case 1: #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 9) } != nil)
                case 2: #expect(try test.open(gate.id, 1) == gate.secret)
                case 3: _ = try test.enclave.signature(of: [1], with: key)
                case 4: _ = try test.enclave.sharedSecret(of: key, with: key.publicKey).shown
                case 5:
                    let point = [4] + [UInt8](repeating: 1, count: 64)
                    _ = failure { () throws(EnclaveError) in try test.enclave.sharedSecret(of: key, with: point) }
                default: try test.destroy(try test.makeGate(2).id)
                }
                #expect(try test.tpm.leftovers() == [])
            }
            #expect(try test.tpm.indices().count == 1)
        }

        @Test("what other programs left in an emulator is no obstacle")
        func others() throws {
            let test = try TestEnclave()
            for name in ["a", "b", "c"] { _ = try? test.tpm.tool("tpm2_createprimary", "-C", "o", "-c", name) }
            for name in ["a", "b", "c"] { _ = try? test.tpm.tool("tpm2_startauthsession", "-S", name) }
            #expect(try !test.tpm.leftovers().isEmpty)
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            #expect(try test.tpm.leftovers() == [])
        }

        @Test("threads take turns")
        func threads() async throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    // Some with an enclave of their own, as other parts of the program have.
                    let enclave = number % 3 == 0 ? test.enclave : test.enclave(path: test.path)
                    group.addTask {
                        switch number % 2 {
                        case 0: try enclave.deviceRoot().binding == test.binding
                        default: try enclave.gates().map(\.id) == [gate.id]
                        }
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }
#endif
