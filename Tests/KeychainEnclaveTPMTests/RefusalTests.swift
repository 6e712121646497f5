// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

#if TPM
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct RefusalTests {
        @Test(
            "each code of the TPM's stands for what a user can do something about",
            arguments: [
                (0x921, .lockedOut),
                (0xa000a, .unavailable(0xa000a)),  // nobody at the other end
                (0xa0001, .unavailable(0xa0001)),
                (0x70002, .unavailable(0x70002)),  // tpm2-tss is not installed
                (0x100, .unavailable(0x100)),  // never started
                (0x101, .unavailable(0x101)),  // in failure mode
                (0x902, .failed(0x902)),
                (0x9a2, .failed(0x9a2)),
                (0x70007, .failed(0x70007)),
            ] as [(UInt32, EnclaveError)])
        func meaning(code: UInt32, error: EnclaveError) {
            #expect(EnclaveError(Refusal(code: code)) == error)
        }

        @Test("a description says what guards the keys, and what could be better")
        func description() throws {
            let test = try TestEnclave()
            let description = test.enclave.description()
            #expect(description.kind == .tpm && test.enclave.kind == .tpm)
            #expect(description.summary.contains("TPM 2.0") && description.summary.contains("IBM"))
            #expect(description.warnings.count == 2)
            try test.tpm.tool("tpm2_changeauth", "-c", "o", "secret")
            try test.tpm.tool("tpm2_changeauth", "-c", "l", "secret")
            #expect(test.enclave.description().warnings == [])
        }
    }
#endif
