// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainModel
import TestProcesses
import Testing

@Suite struct GateTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test("a gate opens for its own passcode and gives the secret it was made with", arguments: EnclaveScene.allCases)
    func opens(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        #expect(gate.secret.count == 32)
        #expect(try enclave.open(gate.id, 1) == gate.secret)
        #expect(throws: EnclaveError.wrongPasscode(failures: 1, wait: 0)) { try enclave.open(gate.id, 2) }
        #expect(try enclave.open(gate.id, 1) == gate.secret)
    }

    @Test("gates share nothing: no secret, no passcode, no failures", arguments: EnclaveScene.allCases)
    func two(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let (one, other) = (try enclave.makeGate(1), try enclave.makeGate(1))
        #expect(one.id != other.id && one.secret != other.secret)
        let third = try enclave.makeGate(3)
        #expect(throws: EnclaveError.wrongPasscode(failures: 1, wait: 0)) { try enclave.open(third.id, 1) }
        #expect(throws: EnclaveError.wrongPasscode(failures: 2, wait: 0)) { try enclave.open(third.id, 1) }
        #expect(try enclave.gates().map(\.failures) == [0, 0, 2])
        #expect(try enclave.open(other.id, 1) == other.secret)
        #expect(try enclave.gates().map(\.failures) == [0, 0, 2])
    }

    @Test("the right passcode forgets the failures before it", arguments: EnclaveScene.allCases)
    func forgets(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        for round in 0..<3 {
            for failure in 1...4 {
                let now = Double(round * 10 + failure)
                #expect(throws: EnclaveError.wrongPasscode(failures: UInt32(failure), wait: 0)) {
                    try enclave.open(gate.id, 2, at: now)
                }
                let expected = GateState(
                    id: gate.id, failures: UInt32(failure), lastFailure: now, isErased: false)
                #expect(try enclave.gates() == [expected])
            }
            #expect(try enclave.open(gate.id, 1) == gate.secret)
            #expect(try enclave.state(of: gate.id)?.failures == 0)
        }
    }

    @Test("a gate nobody made is no gate, and can be destroyed all the same", arguments: EnclaveScene.allCases)
    func unknown(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let other = try scene.make(in: folder).makeGate(1)
        let gate = try enclave.makeGate(1)
        #expect(throws: EnclaveError.noSuchGate) { try enclave.open(other.id, 1) }
        try enclave.destroy(other.id)
        #expect(try enclave.open(gate.id, 1) == gate.secret)
    }

    @Test("a destroyed gate is gone, and the others are not", arguments: EnclaveScene.allCases)
    func destroys(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let made = try (1...4).map { try enclave.makeGate($0) }
        try enclave.destroy(made[1].id)
        try enclave.destroy(made[1].id)
        #expect(throws: EnclaveError.noSuchGate) { try enclave.open(made[1].id, 2) }
        #expect(try enclave.gates().map(\.id) == [made[0].id, made[2].id, made[3].id])
        for (index, passcode) in [(0, 1), (2, 3), (3, 4)] as [(Int, UInt8)] {
            #expect(try enclave.open(made[index].id, passcode) == made[index].secret)
        }
    }

    @Test("there is room for sixteen gates, and again when one is destroyed", arguments: EnclaveScene.allCases)
    func full(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let made = try (1...16).map { try enclave.makeGate($0) }
        // ENOSPC
        #expect(throws: EnclaveError.failed(28)) { try enclave.makeGate(17) }
        for (index, gate) in made.enumerated() {
            #expect(try enclave.open(gate.id, UInt8(index + 1)) == gate.secret)
        }
        try enclave.destroy(made[7].id)
        let last = try enclave.makeGate(17)
        #expect(try enclave.open(last.id, 17) == last.secret)
        #expect(Set(made.map(\.id) + [last.id]).count == 17)
    }

    @Test("a key of zeros or nothing makes and opens no gate, and is not counted", arguments: EnclaveScene.allCases)
    func noKey(scene: EnclaveScene) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        // EINVAL
        #expect(throws: EnclaveError.failed(22)) { try enclave.makeGate(0) }
        #expect(throws: EnclaveError.failed(22)) { try enclave.open(gate.id, 0) }
        #expect(throws: EnclaveError.failed(22)) {
            let nothing = SecretBytes(count: 0) { _ in }
            _ = try enclave.openGate(gate.id, with: nothing, at: 0, OwnerLock(uncheckedHoldingOwnerLock: ()))
        }
        #expect(try enclave.gates().map(\.failures) == [0])
    }

    @Test("a time that is none counts nothing", arguments: EnclaveScene.allCases, [Double.nan, .infinity, -.infinity])
    func noTime(scene: EnclaveScene, now: Double) throws {
        let enclave = try scene.make(in: folder)
        let gate = try enclave.makeGate(1)
        #expect(throws: EnclaveError.failed(22)) { try enclave.open(gate.id, 1, at: now) }
        #expect(try enclave.gates().map(\.failures) == [0])
    }
}
