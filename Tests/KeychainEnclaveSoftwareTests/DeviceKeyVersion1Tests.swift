// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainModel
import TestProcesses
import Testing

/// The file of format 1 in Tests/Vectors: what was written before there were gates.
@Suite struct DeviceKeyVersion1Tests {
    let folder: TestFolder
    let path: String
    let bytes: [UInt8]

    init() throws {
        folder = try TestFolder()
        path = folder.file("device.key")
        let tests = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        bytes = try FileBytes.read(tests + "/Vectors/formats/1/login/device.key")
        try FileBytes.write(bytes, to: path)
    }

    private var enclave: SoftwareEnclave { SoftwareEnclave(path: path) }

    @Test("it is read as it always was, and has no gates")
    func reads() throws {
        #expect(bytes.count == 168)
        #expect(try enclave.root() == Array(bytes[24..<56]))
        #expect(try enclave.gates().isEmpty && enclave.isWhole())
        let other = try #require(GateID([UInt8](repeating: 1, count: 16)))
        #expect(throws: EnclaveError.noSuchGate) { try enclave.open(other, 1) }
        try enclave.destroy(other)
        let key = try enclave.makeKey()
        #expect(try enclave.signature(of: [1], with: key).count > 60)
        // None of that changed anything.
        #expect(try FileBytes.read(path) == bytes)
    }

    @Test("its first gate makes it version 2, with the same keychain, root, binding and keys")
    func upgrades() throws {
        let (root, binding, key) = (try enclave.root(), try enclave.binding(), try enclave.makeKey())
        let gate = try enclave.makeGate(1)
        let upgraded = try FileBytes.read(path)
        #expect(upgraded.prefix(8).elementsEqual("LLAVEKY2".utf8) && upgraded.count == 8 + 2 * (49 + 81 + 32))
        #expect(Array(upgraded[8..<56]) == Array(bytes[8..<56]))
        #expect(try enclave.root() == root && enclave.binding() == binding && enclave.isWhole())
        #expect(try enclave.open(gate.id, 1) == gate.secret)
        #expect(try enclave.signature(of: [1], with: key).count > 60)
    }

    @Test("any one byte may be damaged, and a new gate repairs it")
    func damaged() throws {
        let root = try enclave.root()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(index % 8)
            try FileBytes.write(damaged, to: path)
            #expect(try enclave.root() == root)
            #expect(try !enclave.isWhole())
        }
        _ = try enclave.makeGate(1)
        #expect(try enclave.isWhole() && enclave.root() == root)
    }

    @Test("damage to both copies is never taken for a key")
    func bothCopies() throws {
        for index in 8..<88 {
            var damaged = bytes
            damaged[index] ^= 1
            damaged[index + 80] ^= 1
            try FileBytes.write(damaged, to: path)
            #expect(throws: EnclaveError.damaged) { try enclave.root() }
        }
    }
}
