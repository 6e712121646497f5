// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import TestSwtpm
    internal import Testing

    @Suite struct GateTests {
        @Test("a gate opens for its key, and after a restart too")
        func opens() throws {
            let test = try TestEnclave()
            let (first, second) = (try test.makeGate(1), try test.makeGate(1))
            #expect(first.secret.count == 32 && first.id != second.id && first.secret != second.secret)
            #expect(try test.open(first.id, 1) == first.secret)
            try test.tpm.restart()
            #expect(try test.open(first.id, 1) == first.secret)
            #expect(try test.open(second.id, 1) == second.secret)
            #expect(try test.enclave.gates().map(\.id) == [first.id, second.id])
            #expect(try test.enclave.deviceRoot().binding == test.binding)
        }

        @Test("wrong passcodes are counted, each gate's alone, and the right one ends the count")
        func counted() throws {
            let test = try TestEnclave()
            let (gate, other) = (try test.makeGate(1), try test.makeGate(2))
            for count in 1...3 as ClosedRange<UInt32> {
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 9, at: 7) }
                        == .wrongPasscode(failures: count, wait: 0))
            }
            #expect(
                try test.enclave.gates() == [
                    GateState(id: gate.id, failures: 3, lastFailure: 7, isErased: false),
                    GateState(id: other.id, failures: 0, lastFailure: 0, isErased: false),
                ])
            #expect(try test.open(other.id, 2) == other.secret)
            #expect(try test.open(gate.id, 1) == gate.secret)
            #expect(try test.enclave.gates().map(\.failures) == [0, 0])
        }

        @Test("from the fifth failure on there is a wait, during which even the right passcode is not looked at")
        func delays() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            var now: Double = 1000
            for (count, wait) in [(1, 0), (2, 0), (3, 0), (4, 0), (5, 60), (6, 300), (7, 900), (8, 3600), (9, 3600)] {
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 9, at: now) }
                        == .wrongPasscode(failures: UInt32(count), wait: UInt32(wait)))
                guard wait > 0 else { continue }
                let half = now + Double(wait) / 2
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: half) }
                        == .mustWait(UInt32(wait / 2)))
                // Another object, as after a restart of the program, and of the machine.
                try test.tpm.restart()
                let again = test.enclave(path: test.path)
                #expect(
                    failure { () throws(EnclaveError) in
                        try again.openGate(gate.id, with: TestEnclave.key(1), at: half, TestEnclave.turn)
                    } == .mustWait(UInt32(wait / 2)))
                now += Double(wait)
            }
            #expect(try test.open(gate.id, 1, at: now) == gate.secret)
            #expect(
                failure { () throws(EnclaveError) in try test.open(gate.id, 9, at: now) }
                    == .wrongPasscode(failures: 1, wait: 0))
        }

        @Test("a clock that is set back makes the wait begin again, and no longer than that")
        func clock() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            for _ in 0..<5 { _ = failure { () throws(EnclaveError) in try test.open(gate.id, 9, at: 1e9) } }
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: 100) } == .mustWait(60))
            #expect(try test.enclave.gates().first?.lastFailure == 100)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: 159) } == .mustWait(1))
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: .nan) } == .failed(22))
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: .infinity) } == .failed(22))
            #expect(try test.open(gate.id, 1, at: 160) == gate.secret)
        }

        @Test("an older copy of the file forgets no failure")
        func rolledBack() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            let old = try test.bytes
            for _ in 0..<5 { _ = failure { () throws(EnclaveError) in try test.open(gate.id, 9, at: 1000) } }
            try test.write(old)
            #expect(try test.enclave.gates().map(\.failures) == [5])
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: 5000) } == .mustWait(60))
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: 5059) } == .mustWait(1))
            try test.write(old)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: 9000) } == .mustWait(60))
            #expect(try test.open(gate.id, 1, at: 9060) == gate.secret)
        }

        @Test("a gate that was to be erased after some failures is gone, for the right passcode and in old copies")
        func erased() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1, eraseAfter: 3)
            let old = try test.bytes
            for count in 1...2 as ClosedRange<UInt32> {
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 9) }
                        == .wrongPasscode(failures: count, wait: 0))
            }
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 9) } == .gateErased)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .gateErased)
            #expect(
                try test.enclave.gates() == [GateState(id: gate.id, failures: 3, lastFailure: 0, isErased: true)])
            #expect(try test.tpm.indices() == [])
            let erased = try test.bytes
            try test.write(old)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
            try test.write(erased)
            try test.destroy(gate.id)
            #expect(try test.enclave.gates() == [])
        }

        @Test("the chip's own count erases a gate even if the file's was set back each time")
        func erasedByChip() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1, eraseAfter: 3)
            let old = try test.bytes
            for count in 1...2 as ClosedRange<UInt32> {
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 9) }
                        == .wrongPasscode(failures: count, wait: 0))
                try test.write(old)
            }
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 9) } == .gateErased)
            try test.write(old)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
        }

        @Test("a gate that is never erased is closed by the chip after a hundred failures")
        func exhausted() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            for count in 1...100 as ClosedRange<UInt32> {
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 9, at: Double(count) * 3600) }
                        == .wrongPasscode(failures: count, wait: AttemptDelay.seconds(afterFailures: count)))
            }
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: 1e6) } == .gateExhausted)
            #expect(try test.enclave.gates().map(\.failures) == [100])
            // Also when the owner has a password, so that only the attempt itself tells.
            try test.tpm.tool("tpm2_changeauth", "-c", "o", "secret")
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1, at: 1e6) } == .gateExhausted)
        }

        @Test("a gate that was destroyed stays so, in an older copy of the file too")
        func destroyed() throws {
            let test = try TestEnclave()
            let (gate, other) = (try test.makeGate(1), try test.makeGate(1))
            let old = try test.bytes
            try test.destroy(gate.id)
            try test.destroy(gate.id)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
            #expect(try test.enclave.gates().map(\.id) == [other.id])
            try test.write(old)
            #expect(failure { () throws(EnclaveError) in try test.open(gate.id, 1) } == .noSuchGate)
            #expect(try test.open(other.id, 1) == other.secret)
            try test.destroy(gate.id)
            try test.destroy(other.id)
            #expect(try test.enclave.gates() == [])
            #expect(try test.tpm.indices() == [])
        }

        @Test("a power cut between attempts loses none")
        func powerCut() throws {
            let test = try TestEnclave()
            let gate = try test.makeGate(1)
            for count in 1...4 as ClosedRange<UInt32> {
                #expect(
                    failure { () throws(EnclaveError) in try test.open(gate.id, 9) }
                        == .wrongPasscode(failures: count, wait: 0))
                test.tpm.kill()
                try test.tpm.start()
            }
            #expect(try test.open(gate.id, 1) == gate.secret)
        }
    }
#endif
