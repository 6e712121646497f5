// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSeed
    internal import TestSwtpm
    internal import Testing

    @Suite struct MutationTests {
        @Test("with any byte of the file changed, by one who repairs its digests, there is the true root or none")
        func payload() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            let editor = RecordEditor(test: test)
            let whole = try editor.payload
            var (opened, unchanged) = (0, 0)
            // Every third byte, from one by lot on; `KEYCHAIN_MUTATIONS=all` takes every one.
            var seed = Seed(for: "the TPM's file")
            let step = Seed.takesAllMutations ? 1 : 3
            for position in stride(from: Int(seed.next() % UInt64(step)), to: whole.count, by: step) {
                var payload = whole
                payload[position] ^= UInt8(truncatingIfNeeded: 1 << (position % 8))
                try editor.write(payload: payload)
                do throws(EnclaveError) {
                    #expect(try test.enclave.deviceRoot().binding == test.binding)
                    unchanged += 1
                } catch { continue }
                do throws(EnclaveError) {
                    #expect(try test.open(gate.id, 1, at: 1e9) == gate.secret)
                    opened += 1
                } catch {}
            }
            // Numbers that are no matter of secrets, such as when the last failure was, may be changed.
            #expect(unchanged > opened && opened < 100)
            try editor.write(payload: whole)
            #expect(try test.open(gate.id, 1, at: 1e9) == gate.secret)
        }

        @Test("with any byte of the file changed, or cut off anywhere, it is read from the other copy or not at all")
        func file() throws {
            let test = try TestEnclave()
            let whole = try test.bytes
            for position in stride(from: 0, to: whole.count, by: 5) {
                var bytes = whole
                bytes[position] ^= 0xff
                try test.write(bytes)
                #expect(try test.enclave.deviceRoot().binding == test.binding)
                #expect(try !test.enclave.isWhole())
                try test.write(Array(whole[..<position]))
                #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .damaged)
            }
        }

        @Test("a key's blob with any byte changed is foreign, or the same key")
        func blob() throws {
            let test = try TestEnclave()
            let key = try test.enclave.makeKey()
            for position in key.blob.indices {
                for bit in [0, 7] {
                    var blob = key.blob
                    blob[position] ^= 1 << UInt8(bit)
                    let changed = EnclaveKey(publicKey: key.publicKey, blob: blob)
                    #expect(
                        failure { () throws(EnclaveError) in try test.enclave.signature(of: [1], with: changed) }
                            == .foreignKey)
                }
            }
            for count in key.blob.indices {
                let cut = EnclaveKey(publicKey: key.publicKey, blob: Array(key.blob[..<count]))
                #expect(
                    failure { () throws(EnclaveError) in try test.enclave.signature(of: [1], with: cut) }
                        == .foreignKey)
            }
        }
    }
#endif
