// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct StorageKeyTests {
        private static let attributes =
            "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|restricted|decrypt"

        @Test("the storage key that is there for everybody is used")
        func shared() throws {
            let test = try TestEnclave { tpm in
                try putSomebodysKey(in: tpm)
            }
            #expect(try test.tpm.tool("tpm2_getcap", "handles-persistent") == "- 0x81000001\n")
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            try everythingWorks(test)
        }

        @Test(
            "beside somebody's key that does not do, there is one of ours",
            arguments: [
                ["-G", "rsa", "-a", attributes + "|noda"],  // of another kind
                ["-G", "ecc", "-a", attributes],  // refuses everybody while the TPM is locked out
                ["-G", "ecc", "-a", attributes + "|noda", "-p", "password"],  // is not for everybody
            ])
        func unsuitable(arguments: [String]) throws {
            let test = try TestEnclave { tpm in
                try TestProgram.run(
                    ["tpm2_createprimary", "-C", "o"] + arguments + ["-c", "key"],
                    environment: ["TPM2TOOLS_TCTI": tpm.connection], in: tpm.folder)
                try tpm.tool("tpm2_evictcontrol", "-C", "o", "-c", "key", "0x81000001")
            }
            #expect(try test.tpm.tool("tpm2_getcap", "handles-persistent") == "- 0x81000001\n- 0x81004C40\n")
            try everythingWorks(test)
            try test.tpm.restart()
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            // The next keychain shares it.
            let other = test.enclave(path: test.tpm.folder + "/other.tpm")
            _ = try other.create(for: TestEnclave.keychain(2), TestEnclave.turn)
            #expect(try test.tpm.tool("tpm2_getcap", "handles-persistent") == "- 0x81000001\n- 0x81004C40\n")
        }

        @Test("a storage key that somebody removed from the TPM is made again")
        func evicted() throws {
            let test = try TestEnclave()
            try test.tpm.tool("tpm2_evictcontrol", "-C", "o", "-c", "0x81000001")
            try everythingWorks(test)
            // Or replaced.
            try putSomebodysKey(in: test.tpm)
            try everythingWorks(test)
        }

        @Test("with an owner's password the root and keys work, and gates are refused")
        func ownersPassword() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            try test.tpm.tool("tpm2_changeauth", "-c", "o", "secret")
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            #expect(try test.enclave.signature(of: [1], with: test.enclave.makeKey()).count > 60)
            // One that was there still opens, and is counted by the chip and by the file.
            #expect(try test.open(gate.id, 1) == gate.secret)
            for count in 1...4 as ClosedRange<UInt32> {
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 2) }
                        == .wrongPasscode(failures: count, wait: 0))
            }
            guard case .failed = failure({ () throws(EnclaveError) in try test.makeGate(2) }) else {
                Issue.record("a gate without the owner's leave")
                return
            }
            #expect(try test.enclave.gates().map(\.id) == [gate.id])
            guard case .failed = failure({ () throws(EnclaveError) in try test.destroy(gate.id) }) else {
                Issue.record("a gate was destroyed without the owner's leave")
                return
            }
            #expect(try test.open(gate.id, 1) == gate.secret)
        }

        @Test("what the TPM refuses to others because of their failures, it does not refuse to us")
        func lockedOut() throws {
            let test = try TestEnclave()
            let tpm = test.tpm
            try tpm.tool("tpm2_createprimary", "-C", "o", "-G", "ecc", "-p", "right", "-c", "key")
            try tpm.tool("tpm2_evictcontrol", "-C", "o", "-c", "key", "0x81000009")
            try tpm.tool("tpm2_flushcontext", "-t")
            try tpm.tool("tpm2_create", "-C", "0x81000009", "-P", "right", "-G", "ecc")
            for _ in 0..<4 { _ = try? tpm.tool("tpm2_create", "-C", "0x81000009", "-P", "wrong", "-G", "ecc") }
            #expect(throws: TestProgram.Failure.self) {
                try tpm.tool("tpm2_create", "-C", "0x81000009", "-P", "right", "-G", "ecc")
            }
            try everythingWorks(test)
            #expect(test.enclave.description().warnings.contains { $0.contains("locked the TPM out") })
        }

        /// A storage key at the place for everybody, as good as ours and not the same.
        private func putSomebodysKey(in tpm: SwtpmProcess) throws {
            try tpm.tool(
                "tpm2_createprimary", "-C", "o", "-G", "ecc:aes256cfb", "-a", Self.attributes + "|noda", "-c", "key")
            try tpm.tool("tpm2_evictcontrol", "-C", "o", "-c", "key", "0x81000001")
        }

        @Test("a device serves as well as a socket")
        func device() throws {
            let test = try TestEnclave()
            let device = try PseudoDevice(to: test.tpm)
            defer { device.close() }
            try everythingWorks(TestEnclave(test, enclave: test.enclave(at: device.connection)))
        }

        private func everythingWorks(_ test: TestEnclave) throws {
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            let gate = try test.makeGate(1)
            #expect(
                failure { () throws(EnclaveError) in try test.open(gate.id, 2) }
                    == .wrongPasscode(failures: 1, wait: 0))
            #expect(try test.open(gate.id, 1) == gate.secret)
            let (mine, theirs) = (try test.enclave.makeKey(), try test.enclave.makeKey())
            #expect(try test.enclave.signature(of: [1, 2, 3], with: mine).count > 60)
            let secret = try test.enclave.sharedSecret(of: mine, with: theirs.publicKey)
            #expect(try test.enclave.sharedSecret(of: theirs, with: mine.publicKey).shown == secret.shown)
            try test.destroy(gate.id)
            #expect(try test.tpm.leftovers() == [])
            #expect(try test.tpm.indices() == [])
        }
    }
#endif
