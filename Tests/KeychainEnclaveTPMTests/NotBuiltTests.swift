// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclaveTPM
internal import KeychainModel
internal import Testing

@Suite struct NotBuiltTests {
    #if !TPM
        @Test("a build without the trait says of everything that it is not built")
        func notBuilt() throws {
            let enclave = TPMEnclave(path: "/tmp/none", connection: "device:/dev/tpmrm0")
            let key = EnclaveKey(publicKey: [], blob: [])
            let gate = try #require(GateID([UInt8](repeating: 1, count: 16)))
            let keychain = try #require(KeychainUUID([UInt8](repeating: 1, count: 16)))
            let secret = SecretBytes(count: 32) { $0[0] = 1 }
            let turn = OwnerLock(uncheckedHoldingOwnerLock: ())
            #expect(throws: EnclaveError.notBuilt) { _ = try enclave.create(for: keychain, turn).binding }
            #expect(throws: EnclaveError.notBuilt) { _ = try enclave.deviceRoot().binding }
            #expect(throws: EnclaveError.notBuilt) { try enclave.makeGate(for: secret, eraseAfter: 0, turn).id }
            #expect(throws: EnclaveError.notBuilt) { try enclave.openGate(gate, with: secret, at: 0, turn).count }
            #expect(throws: EnclaveError.notBuilt) { try enclave.destroyGate(gate, turn) }
            #expect(throws: EnclaveError.notBuilt) { try enclave.gates() }
            #expect(throws: EnclaveError.notBuilt) { try enclave.makeKey() }
            #expect(throws: EnclaveError.notBuilt) { try enclave.signature(of: [], with: key) }
            #expect(throws: EnclaveError.notBuilt) { try enclave.sharedSecret(of: key, with: []).count }
            #expect(throws: EnclaveError.notBuilt) { try enclave.isWhole() }
            #expect(enclave.description().warnings.count == 1 && enclave.kind == .tpm)
        }
    #endif
}
