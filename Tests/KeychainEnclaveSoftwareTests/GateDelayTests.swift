// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
import TestProcesses
import Testing

@Suite struct GateDelayTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test("from the fifth failure on the next attempt waits, longer and longer", arguments: EnclaveScene.allCases)
    func delays(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        var now = 800_000_000.0
        for (failures, wait) in [0, 0, 0, 0, 60, 300, 900, 3600, 3600, 3600].enumerated() {
            #expect(throws: EnclaveError.wrongPasscode(failures: UInt32(failures + 1), wait: UInt32(wait))) {
                try enclave.open(gate.id, 2, at: now)
            }
            guard wait > 0 else { continue }
            // Not even the right one, and nothing is counted.
            #expect(throws: EnclaveError.mustWait(UInt32(wait))) { try enclave.open(gate.id, 1, at: now) }
            #expect(throws: EnclaveError.mustWait(UInt32(wait - 1))) { try enclave.open(gate.id, 1, at: now + 1) }
            #expect(throws: EnclaveError.mustWait(1)) { try enclave.open(gate.id, 2, at: now + Double(wait) - 0.25) }
            #expect(try enclave.state(of: gate.id)?.lastFailure == now)
            now += Double(wait)
        }
        #expect(try enclave.open(gate.id, 1, at: now) == gate.secret)
        #expect(throws: EnclaveError.wrongPasscode(failures: 1, wait: 0)) { try enclave.open(gate.id, 2, at: now) }
    }

    @Test("a clock set back makes the whole delay run again, from then, and no more", arguments: EnclaveScene.allCases)
    func setBack(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        for _ in 1...5 { #expect(throws: EnclaveError.self) { try enclave.open(gate.id, 2, at: 1_000_000) } }
        #expect(throws: EnclaveError.mustWait(60)) { try enclave.open(gate.id, 1, at: 500) }
        #expect(try enclave.state(of: gate.id)?.lastFailure == 500)
        #expect(throws: EnclaveError.mustWait(20)) { try enclave.open(gate.id, 1, at: 540) }
        // Once more, to before 2001.
        #expect(throws: EnclaveError.mustWait(60)) { try enclave.open(gate.id, 1, at: -978_307_200) }
        #expect(throws: EnclaveError.mustWait(1)) { try enclave.open(gate.id, 1, at: -978_307_200 + 59.5) }
        #expect(try enclave.state(of: gate.id)?.failures == 5)
        #expect(try enclave.open(gate.id, 1, at: -978_307_200 + 60) == gate.secret)
    }

    @Test("a clock set back below five failures waits for nothing, and counts", arguments: EnclaveScene.allCases)
    func setBackEarly(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        #expect(throws: EnclaveError.wrongPasscode(failures: 1, wait: 0)) { try enclave.open(gate.id, 2, at: 100) }
        #expect(throws: EnclaveError.wrongPasscode(failures: 2, wait: 0)) { try enclave.open(gate.id, 2, at: 50) }
        #expect(try enclave.state(of: gate.id)?.lastFailure == 50)
        #expect(try enclave.open(gate.id, 1, at: 0) == gate.secret)
    }
}

@Suite struct GateErasureTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test("the last failure allowed erases the gate for good", arguments: EnclaveScene.allCases, [1, 2, 5, 10])
    func erases(scene: EnclaveScene, limit: UInt32) throws {
        let enclave = try scene.make(in: folder)
        let other = try enclave.makeGate(1)
        let gate = try enclave.makeGate(1, eraseAfter: limit)
        for failure in 1..<limit {
            #expect(
                throws: EnclaveError.wrongPasscode(
                    failures: failure, wait: AttemptDelay.seconds(afterFailures: failure))
            ) { try enclave.open(gate.id, 2, at: Double(failure) * 3600) }
        }
        let end = Double(limit) * 3600
        #expect(throws: EnclaveError.gateErased) { try enclave.open(gate.id, 2, at: end) }
        for now in [0, end, end + 1, end * 100] {
            #expect(throws: EnclaveError.gateErased) { try enclave.open(gate.id, 1, at: now) }
        }
        #expect(
            try enclave.state(of: gate.id)
                == GateState(id: gate.id, failures: limit, lastFailure: end, isErased: true))
        #expect(try enclave.open(other.id, 1) == other.secret)
        try enclave.destroy(gate.id)
        #expect(throws: EnclaveError.noSuchGate) { try enclave.open(gate.id, 1) }
    }

    @Test("the right passcode at the last attempt saves the gate", arguments: EnclaveScene.allCases)
    func saved(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1, eraseAfter: 3)
        for _ in 0..<5 {
            for _ in 1...2 { #expect(throws: EnclaveError.self) { try enclave.open(gate.id, 2) } }
            #expect(try enclave.open(gate.id, 1) == gate.secret)
        }
    }

    @Test("attempts that must wait erase nothing", arguments: EnclaveScene.allCases)
    func waiting(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1, eraseAfter: 6)
        for _ in 1...5 { #expect(throws: EnclaveError.self) { try enclave.open(gate.id, 2) } }
        for _ in 1...20 { #expect(throws: EnclaveError.mustWait(50)) { try enclave.open(gate.id, 2, at: 10) } }
        #expect(try enclave.open(gate.id, 1, at: 60) == gate.secret)
    }

    @Test("a gate that is never erased stands a hundred failures", arguments: EnclaveScene.allCases)
    func never(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        for failure in 1...100 {
            #expect(throws: EnclaveError.self) { try enclave.open(gate.id, 2, at: Double(failure) * 3600) }
        }
        #expect(try enclave.state(of: gate.id)?.failures == 100)
        #expect(try enclave.open(gate.id, 1, at: 1_000_000) == gate.secret)
    }
}
