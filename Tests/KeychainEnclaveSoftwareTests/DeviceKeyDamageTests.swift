// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
internal import KeychainModel
import TestProcesses
import TestSeed
import Testing

@Suite struct DeviceKeyDamageTests {
    @Test("any one byte may be damaged: it is noticed, nothing is lost, and the next change repairs it")
    func oneByte() throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1)
        #expect(throws: EnclaveError.self) { try file.enclave.open(gate.id, 2, at: 5) }
        let (whole, root, standings) = (
            try FileBytes.read(file.path), try file.enclave.root(), try file.enclave.gates()
        )
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1 << UInt8(index % 8)
            try FileBytes.write(damaged, to: file.path)
            #expect(try !file.enclave.isWhole())
            #expect(try file.enclave.root() == root)
            #expect(try file.enclave.gates() == standings)
            #expect(file.enclave.description().warnings.count == 1)
            guard index % 16 == 0 else { continue }
            #expect(try file.enclave.open(gate.id, 1) == gate.secret)
            #expect(try file.enclave.isWhole())
            #expect(try file.enclave.root() == root)
        }
    }

    @Test("damage to both copies is never taken for a key")
    func bothCopies() throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1)
        let whole = try FileBytes.read(file.path)
        let half = (whole.count - 8) / 2
        for index in 8..<8 + half {
            var damaged = whole
            damaged[index] ^= 0x10
            damaged[index + half] ^= 0x10
            try FileBytes.write(damaged, to: file.path)
            #expect(throws: EnclaveError.damaged) { try file.enclave.root() }
            #expect(throws: EnclaveError.damaged) { try file.enclave.open(gate.id, 1) }
            #expect(throws: EnclaveError.damaged) { try file.enclave.makeGate(1) }
        }
        #expect(file.enclave.description().warnings.count == 1)
    }

    @Test("a file that is shorter or longer by any number of bytes is damaged")
    func sizes() throws {
        let file = try EnclaveFile()
        _ = try file.enclave.makeGate(1)
        let whole = try FileBytes.read(file.path)
        for count in 0..<whole.count {
            try FileBytes.write(Array(whole.prefix(count)), to: file.path)
            #expect(throws: EnclaveError.damaged) { try file.enclave.root() }
        }
        for count in 1...400 {
            try FileBytes.write(whole + [UInt8](repeating: 0, count: count), to: file.path)
            #expect(throws: EnclaveError.damaged) { try file.enclave.root() }
        }
    }

    @Test("random bytes under digests that hold give a key or damage, never a crash")
    func random() throws {
        var seed = Seed(for: "DeviceKeyDamageTests")
        let file = try EnclaveFile()
        for passcode in 1...3 as ClosedRange<UInt8> { _ = try file.enclave.makeGate(passcode) }
        let whole = try DeviceKeyBytes(FileBytes.read(file.path))
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<Int(seed.next() % 8 + 1) {
                bytes.payload[Int(seed.next() % UInt64(bytes.payload.count))] = UInt8(truncatingIfNeeded: seed.next())
            }
            try FileBytes.write(try bytes.file, to: file.path)
            do throws(EnclaveError) {
                #expect(try file.enclave.root() == Array(bytes.payload[16..<48]))
                let gates = try file.enclave.gates()
                let names = (0..<3).map { Array(bytes.payload[(49 + 81 * $0)...].prefix(16)) }
                #expect(gates.map(\.id.bytes) == names)
                // Seldom, because it writes.
                if seed.oneIn(40) { for gate in gates { _ = try? file.enclave.open(gate.id, 1, at: 1e300) } }
            } catch {
                #expect(error == .damaged)
            }
        }
    }
}
