// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct DeviceRootTests {
        @Test("the root is the same after the TPM was restarted, in order and not")
        func stable() throws {
            let test = try TestEnclave()
            let root = try test.enclave.deviceRoot().key.shown
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            try test.tpm.restart()
            #expect(try test.enclave.deviceRoot().key.shown == root)
            test.tpm.kill()
            try test.tpm.start()
            #expect(try test.enclave(path: test.path).deviceRoot().key.shown == root)
            #expect(root.count == 32 && Set(root).count > 8)
        }

        @Test("two keychains of one TPM have nothing in common")
        func twoKeychains() throws {
            let test = try TestEnclave()
            let other = test.enclave(path: test.tpm.folder + "/other.tpm")
            let root = try other.create(for: TestEnclave.keychain(2), TestEnclave.turn)
            #expect(root.binding != test.binding)
            #expect(try other.deviceRoot().binding == root.binding)
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            #expect(try test.tpm.tool("tpm2_getcap", "handles-persistent") == "- 0x81000001\n")
        }

        @Test("a file that is there is never replaced")
        func createdOnce() throws {
            let test = try TestEnclave()
            let before = try test.bytes
            let keychain = try TestEnclave.keychain(2)
            #expect(
                failure { () throws(EnclaveError) in try test.enclave.create(for: keychain, TestEnclave.turn) }
                    == .unreadable(EEXIST))
            #expect(try test.bytes == before)
        }

        @Test("the file is its owner's alone")
        func mode() throws {
            let test = try TestEnclave()
            let attributes = try FileManager.default.attributesOfItem(atPath: test.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try test.enclave.isWhole())
            chmod(test.path, 0o640)
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .exposed)
        }

        @Test("a file that is missing, or a link, or a pipe, gives no root and does not hang")
        func notAFile() throws {
            let test = try TestEnclave()
            try FileManager.default.moveItem(atPath: test.path, toPath: test.path + ".moved")
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .missing)
            symlink(test.path + ".moved", test.path)
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .unreadable(ELOOP))
            unlink(test.path)
            mkfifo(test.path, 0o600)
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .exposed)
        }

        @Test("one damaged copy in the file is survived and told of, two are not")
        func damaged() throws {
            let test = try TestEnclave()
            let whole = try test.bytes
            var bytes = whole
            bytes[40] ^= 1
            try test.write(bytes)
            #expect(try test.enclave.deviceRoot().binding == test.binding)
            #expect(try !test.enclave.isWhole())
            bytes[bytes.count - 40] ^= 1
            try test.write(bytes)
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .damaged)
            try test.write([])
            #expect(failure { () throws(EnclaveError) in try test.enclave.deviceRoot() } == .damaged)
        }
    }
#endif
