// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCoding
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    /// What the owner of the TPM can do to a gate with tpm2-tools: everything but open it.
    @Suite struct GateAttackTests {
        private let test: TestEnclave
        private let gate: (id: GateID, secret: [UInt8])
        private let index: String

        init() throws {
            test = try TestEnclave()
            gate = try test.makeGate(1)
            index = "0x" + String(try #require(try test.tpm.indices().first), radix: 16)
            // The object of the gate, as it is in the file.
            guard case .data(let object)? = try RecordEditor(test: test).gate()["object"] else {
                throw EnclaveError.damaged
            }
            let count = 2 + (Int(object[0]) << 8 | Int(object[1]))
            try write(Array(object[..<count]), to: "public")
            try write(Array(object[count...]), to: "private")
        }

        @Test("the tools open the gate when they are told what opens it: the attacks below are carried out rightly")
        func control() throws {
            #expect(try unseal(pin: 1, value: 1) == gate.secret)
        }

        @Test("the object does not open without the index that counts, even for who knows its secret")
        func withoutIndex() throws {
            let value = try hexadecimal(1)
            try load()
            #expect(throws: TestProgram.Failure.self) {
                try test.tpm.tool("tpm2_unseal", "-c", "object", "-p", value, "-o", "secret")
            }
            #expect(throws: TestProgram.Failure.self) { try unseal(pin: 9, value: 1) }
        }

        @Test("an index that was removed and defined anew with another passcode opens nothing without the old one")
        func redefined() throws {
            try redefine(pin: 2)
            // The index is the same to the TPM, and opens for the attacker; the object does not.
            #expect(throws: TestProgram.Failure.self) { try unseal(pin: 2, value: 2) }
            #expect(
                failure { () throws(EnclaveError) in try test.open(gate.id, 2) }
                    == .wrongPasscode(failures: 1, wait: 0))
            // The failure is in the file, although the attacker's index has counted none.
            #expect(try test.enclave.gates().map(\.failures) == [1])
            #expect(
                failure { () throws(EnclaveError) in try test.open(gate.id, 1) }
                    == .wrongPasscode(failures: 2, wait: 0))
            // With the old passcode in the index it is as it was.
            try redefine(pin: 1)
            #expect(try test.open(gate.id, 1) == gate.secret)
        }

        @Test("an index with other attributes is not ours: it is neither asked nor removed")
        func foreignIndex() throws {
            try test.tpm.tool("tpm2_nvundefine", "-C", "o", index)
            try test.tpm.tool("tpm2_nvdefine", "-C", "o", "-s", "8", "-a", "ownerwrite|ownerread", index)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
            try test.destroy(gate.id)
            #expect(try test.tpm.indices().count == 1)
            #expect(try test.enclave.gates() == [])
        }

        @Test("an object of an attacker's making in the file is not taken")
        func foreignObject() throws {
            try write([UInt8](repeating: 7, count: 32), to: "known")
            try test.tpm.tool(
                "tpm2_create", "-C", "0x81000001", "-i", "known", "-u", "public", "-r", "private", "-a",
                "fixedtpm|fixedparent|userwithauth|noda")
            let object = try read("public") + read("private")
            try RecordEditor(test: test).editGate { $0["object"] = .data(object) }
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .damaged)
            #expect(try test.enclave.gates().map(\.failures) == [0])
        }

        private func redefine(pin: UInt8) throws {
            try write(Digest.sha256(of: gate.id.bytes), to: "policy")
            try write([0, 0, 0, 0, 0, 0, 0, 100], to: "numbers")
            try test.tpm.tool("tpm2_nvundefine", "-C", "o", index)
            try test.tpm.tool(
                "tpm2_nvdefine", "-C", "o", "-s", "8", "-a", "nt=0x8|ownerwrite|ownerread|authread|no_da", "-L",
                "policy", "-p", hexadecimal(pin), index)
            try test.tpm.tool("tpm2_nvwrite", "-C", "o", "-i", "numbers", index)
        }

        private func load() throws {
            try test.tpm.tool("tpm2_flushcontext", "-t")
            try test.tpm.tool("tpm2_load", "-C", "0x81000001", "-u", "public", "-r", "private", "-c", "object")
        }

        private func unseal(pin: UInt8, value: UInt8) throws -> [UInt8] {
            try load()
            try test.tpm.tool("tpm2_flushcontext", "-l")
            try test.tpm.tool("tpm2_startauthsession", "--policy-session", "-S", "session")
            try test.tpm.tool("tpm2_policysecret", "-S", "session", "-c", index, hexadecimal(pin))
            try test.tpm.tool("tpm2_policyauthvalue", "-S", "session")
            try test.tpm.tool(
                "tpm2_unseal", "-c", "object", "-p", "session:session+" + hexadecimal(value), "-o", "secret")
            return try read("secret")
        }

        private func hexadecimal(_ key: UInt8) throws -> String {
            try "hex:" + RecordEditor.authorization(gate.id, key).map { String(format: "%02x", $0) }.joined()
        }

        private func write(_ bytes: [UInt8], to name: String) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: test.tpm.folder + "/" + name))
        }

        private func read(_ name: String) throws -> [UInt8] {
            try [UInt8](Data(contentsOf: URL(fileURLWithPath: test.tpm.folder + "/" + name)))
        }
    }

    extension Digest {
        fileprivate static func sha256(of bytes: [UInt8]) throws -> [UInt8] {
            try bytes.lendingBytes { try sha256($0) }
        }
    }
#endif
