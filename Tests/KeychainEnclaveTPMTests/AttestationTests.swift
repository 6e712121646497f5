// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct AttestationTests {
        @Test(
            "the endorsement key is the one that other programs make, and needs no keychain", arguments: [false, true])
        func endorsementKey(isRSA: Bool) throws {
            let tpm = try SwtpmProcess()
            let chip = TPMEnclave(path: "", connection: tpm.connection)
            let area = try chip.endorsementKey(isRSA: isRSA)
            try tpm.tool("tpm2_createek", "-G", isRSA ? "rsa" : "ecc", "-c", "ek.ctx", "-u", "ek.pub")
            let theirs = try [UInt8](Data(contentsOf: URL(fileURLWithPath: tpm.folder + "/ek.pub")))
            #expect(theirs == [UInt8(area.count >> 8), UInt8(area.count & 255)] + area)
            #expect(try tpm.leftovers().count == 1, "the other program's own")
        }

        @Test(
            "a key of the enclave is certified, and a credential is activated, by this TPM alone",
            arguments: [false, true])
        func activation(isRSA: Bool) throws {
            let test = try TestEnclave()
            let key = try test.enclave.makeKey()
            let area = try test.enclave.endorsementKey(isRSA: isRSA)
            let certified = try test.enclave.certify(key, over: [UInt8](repeating: 7, count: 32))
            let name = try [0, 0x0b] + Digest.sha256(of: certified.attestationKey)
            let recipient: ChipCredential.Recipient =
                isRSA ? .modulus(area.suffix(256)) : .point([4] + area.suffix(66).prefix(32) + area.suffix(32))
            let credential = try ChipCredential.seal(TestEnclave.key(9), to: recipient, for: name)
            #expect(try test.enclave.activate(credential).shown == TestEnclave.key(9).shown)
            // The attestation key is made anew, and is the same after a restart.
            try test.tpm.restart()
            #expect(try test.enclave.activate(credential).shown == TestEnclave.key(9).shown)
            #expect(try test.enclave.certify(key, over: [1]).attestationKey == certified.attestationKey)
            // For another key, by another TPM, or changed.
            let other = try TestEnclave()
            #expect(failure { () throws(EnclaveError) in try other.enclave.activate(credential) } == .foreignCredential)
            let foreign = try ChipCredential.seal(
                TestEnclave.key(9), to: recipient, for: [0, 0x0b] + [UInt8](repeating: 1, count: 32))
            #expect(failure { () throws(EnclaveError) in try test.enclave.activate(foreign) } == .foreignCredential)
            for place in [0, 3, 40, credential.count - 1] {
                var changed = credential
                changed[place] ^= 1
                #expect(failure { () throws(EnclaveError) in try test.enclave.activate(changed) } == .foreignCredential)
            }
            #expect(failure { () throws(EnclaveError) in try test.enclave.activate([]) } == .foreignCredential)
            #expect(failure { () throws(EnclaveError) in try other.enclave.certify(key, over: [1]) } == .foreignKey)
            #expect(try test.tpm.leftovers().isEmpty)
        }
    }
#endif
