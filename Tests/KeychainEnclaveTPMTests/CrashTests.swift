// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCoding
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    /// The wire to the TPM is cut at every place; what is left can always be found and destroyed.
    @Suite struct CrashTests {
        @Test("a gate that was being made leaves nothing that the file does not know of")
        func making() throws {
            let test = try TestEnclave()
            let untouched = try test.bytes
            try cutEverywhere(test) { enclave in
                try test.write(untouched)
                let gate = try enclave.makeGate(for: TestEnclave.key(1), eraseAfter: 0, TestEnclave.turn)
                _ = gate.secret
            } check: { succeeded in
                let (gates, indices) = (try test.enclave.gates(), try test.tpm.indices())
                #expect(gates.count <= 1 && indices.count <= gates.count)
                #expect(gates.count == 1 || !succeeded)
                if !succeeded, let gate = gates.first {
                    #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
                }
                for gate in gates { try test.destroy(gate.id) }
                #expect(try test.tpm.indices() == [])
                #expect(try test.enclave.gates() == [])
            }
        }

        @Test("a gate that was being destroyed either stands or can be destroyed again")
        func destroying() throws {
            let test = try TestEnclave()
            try cutEverywhere(test) { enclave in
                if try test.enclave.gates().isEmpty { _ = try test.makeGate(1) }
                for gate in try test.enclave.gates() { try enclave.destroyGate(gate.id, TestEnclave.turn) }
            } check: { succeeded in
                let gates = try test.enclave.gates()
                #expect(gates.isEmpty == succeeded)
                for gate in gates { try test.destroy(gate.id) }
                #expect(try test.tpm.indices() == [])
            }
        }

        @Test("an attempt that was cut off fails nobody's right passcode, and no wrong one is lost")
        func opening() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            for (key, counts) in [(1, 0...0), (9, 0...1)] as [(UInt8, ClosedRange<UInt32>)] {
                try cutEverywhere(test) { enclave in
                    _ = try enclave.openGate(gate.id, with: TestEnclave.key(key), at: 0, TestEnclave.turn).shown
                } check: { succeeded in
                    #expect(!succeeded || key == 1)
                    let failures = try #require(try test.enclave.gates().first?.failures)
                    #expect(counts.contains(failures))
                    #expect(try test.open(gate.id, 1) == gate.secret)
                }
            }
        }

        @Test("a gate that was being erased is erased")
        func erasing() throws {
            let test = try TestEnclave()
            let untouched = try test.bytes
            try cutEverywhere(test) { enclave in
                try test.write(untouched)
                let gate = try test.makeGate(1, eraseAfter: 1)
                _ = try enclave.openGate(gate.id, with: TestEnclave.key(9), at: 0, TestEnclave.turn).shown
            } check: { _ in
                guard let gate = try test.enclave.gates().first else { return }
                // Either the chip was never asked, or there is no second try.
                if failure({ () throws(EnclaveError) in try test.open(gate.id, 1) }) != nil {
                    #expect(try test.enclave.gates().map(\.isErased) == [true])
                    #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .gateErased)
                }
                try test.destroy(gate.id)
                #expect(try test.tpm.indices() == [])
            }
        }

        @Test("an entry without an index, and an index that was never used, are destroyed like others")
        func leftovers() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            // As a crash leaves it between the index and the object.
            try RecordEditor(test: test).editGate {
                $0["state"] = .number(0)
                $0["object"] = nil
            }
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
            #expect(try test.enclave.gates().map(\.id) == [gate.id])
            let intended = try test.bytes
            try test.destroy(gate.id)
            #expect(try test.tpm.indices() == [])
            // As a crash leaves it before the index.
            try test.write(intended)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
            #expect(try test.enclave.gates().map(\.id) == [gate.id])
            try test.destroy(gate.id)
            #expect(try test.enclave.gates() == [])
        }

        @Test("without the file on the disk no attempt is made, and no gate")
        func fullDisk() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1, eraseAfter: 1)
            // A folder where the new file would be written.
            let obstacle = test.path + ".new"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 9) } == .unreadable(EISDIR))
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .unreadable(EISDIR))
            #expect(failure { () throws(EnclaveError) in try test.makeGate(2) } == .unreadable(EISDIR))
            try FileManager.default.removeItem(atPath: obstacle)
            #expect(try test.tpm.indices().count == 1)
            #expect(try test.open(gate.id, 1) == gate.secret)
        }

        /// Does something with the wire cut before every command and before every answer, until it is cut no more.
        private func cutEverywhere(
            _ test: TestEnclave, _ body: (TPMEnclave) throws -> Void, check: (_ succeeded: Bool) throws -> Void
        ) throws {
            for count in 0..<100 {
                var wasCut = false
                for cut in [TPMProxy.Cut.beforeCommand(count), .beforeAnswer(count + 1)] {
                    let proxy = try TPMProxy(to: test.tpm, cut: cut)
                    defer { proxy.close() }
                    let succeeded = (try? body(test.enclave(at: proxy.connection))) != nil
                    wasCut = wasCut || proxy.isCut
                    try check(succeeded)
                }
                if !wasCut { return }
            }
            Issue.record("the wire was cut a hundred times, and still there was something to say")
        }
    }
#endif
