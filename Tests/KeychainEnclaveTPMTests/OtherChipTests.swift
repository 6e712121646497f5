// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct OtherChipTests {
        @Test("a TPM that was cleared is told from another one")
        func cleared() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1).id
            let key = try test.enclave.makeKey()
            try test.tpm.restart(clear: true)
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .wasReset)
            #expect(failure { () throws(EnclaveError) in try test.open(gate, 1) } == .wasReset)
            #expect(failure { () throws(EnclaveError) in try test.enclave.gates() } == .wasReset)
            #expect(
                failure { () throws(EnclaveError) in try test.enclave.signature(of: [1], with: key) } == .wasReset)
            #expect(failure { () throws(EnclaveError) in try test.destroy(gate) } == .wasReset)
            // A new keychain can be made in it.
            let other = test.enclave(path: test.tpm.folder + "/other.tpm")
            let root = try other.create(for: TestEnclave.keychain(2), TestEnclave.turn)
            #expect(try other.deviceRoot().binding == root.binding)
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .wasReset)
        }

        @Test("a file on another machine gives nothing, and is not taken for that of a TPM that was cleared")
        func other() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1).id
            let other = try SwtpmProcess()
            let stranger = test.enclave(at: other.connection)
            #expect(failure { () throws(EnclaveError) in try stranger.deviceRoot() } == .otherDevice)
            #expect(
                failure { () throws(EnclaveError) in try stranger.destroyGate(gate, TestEnclave.turn) } == .otherDevice)
            // Not even when a keychain of its own is there.
            let native = TPMEnclave(path: other.folder + "/device.tpm", connection: other.connection)
            _ = try native.create(for: TestEnclave.keychain(1), TestEnclave.turn)
            #expect(failure { () throws(EnclaveError) in try stranger.deviceRoot() } == .otherDevice)
            // Nor when its owner has a password, so that no storage key can be made to compare.
            try other.tool("tpm2_evictcontrol", "-C", "o", "-c", "0x81000001")
            try other.tool("tpm2_changeauth", "-c", "o", "secret")
            #expect(failure { () throws(EnclaveError) in try stranger.deviceRoot() } == .otherDevice)
            #expect(try test.enclave.deviceRoot().binding == test.binding)
        }

        @Test("where there is no TPM, nothing is done without one")
        func dead() throws {
            let test = try TestEnclave()
            test.tpm.kill()
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .unavailable(0xa000a))
            #expect(failure { () throws(EnclaveError) in try test.makeGate(1) } == .unavailable(0xa000a))
            #expect(failure { () throws(EnclaveError) in try test.enclave.gates() } == .unavailable(0xa000a))
            let absent = test.enclave(at: "device:/dev/no-tpm-here")
            #expect(failure { () throws(EnclaveError) in try absent.deviceRoot() } == .unavailable(0xa000a))
            let noDevice = test.enclave(at: "device:" + test.path)
            #expect(failure { () throws(EnclaveError) in try noDevice.deviceRoot() } == .unavailable(0xa000a))
            let unknown = test.enclave(at: "carrier-pigeon")
            guard case .unavailable = failure({ () throws(EnclaveError) in try unknown.deviceRoot() }) else {
                Issue.record("a connection of no known kind was taken")
                return
            }
            #expect(test.enclave.description().warnings.count == 1)
        }

        @Test("a TPM that does not answer is given up in time, and its late answer is nobody's")
        func frozen() throws {
            let test = try TestEnclave()
            test.tpm.freeze()
            let begin = ContinuousClock.now
            let impatient = test.enclave(at: test.tpm.connection, timeout: 100)
            #expect(failure { () throws(EnclaveError) in try impatient.deviceRoot() } == .unavailable(0xa000a))
            // The queue of those who want to connect is soon full.
            for _ in 0..<3 {
                #expect(failure { () throws(EnclaveError) in try impatient.deviceRoot() } == .unavailable(0xa000a))
            }
            // Four times what a TPM has by default would be forty seconds.
            #expect(ContinuousClock.now - begin < .seconds(40))
            test.tpm.thaw()
            #expect(try test.enclave.deviceRoot().binding == test.binding)
        }
    }
#endif
