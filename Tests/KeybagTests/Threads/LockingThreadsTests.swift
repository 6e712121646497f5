// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Threads that lock, unlock and change the keybag while others work.
@Suite struct LockingThreadsTests {
    private static func prepared(_ ground: Ground) throws -> Program {
        let program = try Scene(ground).program
        try program.setPasscode(try Passcodes.first())
        for item in TestItem.each("kept") { #expect(program.add(item) == errSecSuccess) }
        return program
    }

    @Test("while one thread locks and unlocks, others see locked items or whole ones", arguments: Ground.all)
    func locking(ground: Ground) throws {
        let program = try Self.prepared(ground)
        let report = Turmoil.run(
            program, rounds: ground == .tpm ? 8 : 40, allowed: Turmoil.lockable,
            change: { _ in
                try program.lock()
                try program.unlock(try Passcodes.first())
            })
        #expect(report.troubles == [])
        #expect(report.stored.count > 10)
        #expect(Set(program.find(report.stored + TestItem.each("kept"))) == [errSecSuccess])
        #expect(Set(program.find(report.refused)).subtracting([errSecItemNotFound]) == [])
        #expect(try program.check() == [])
    }

    @Test("while one thread changes everything about the keys, others notice nothing", arguments: Ground.all)
    func changing(ground: Ground) throws {
        let program = try Self.prepared(ground)
        let report = Turmoil.run(
            program, rounds: ground == .tpm ? 3 : 14, allowed: Turmoil.unlocked,
            change: { _ in
                try program.keybag {
                    try $0.changePasscode(from: Passcodes.first(), to: Passcodes.second())
                    try $0.rotateKeys(passcode: Passcodes.second())
                    _ = try $0.makeRecoveryKey(passcode: Passcodes.second())
                    try $0.reseal()
                    try $0.changePasscode(from: Passcodes.second(), to: Passcodes.first())
                }
            })
        #expect(report.troubles == [])
        let all = report.stored + TestItem.each("kept")
        #expect(Set(program.find(all)) == [errSecSuccess])
        program.reopen()
        try program.unlock(try Passcodes.first())
        #expect(Set(program.find(all)) == [errSecSuccess])
        #expect(try program.check() == [])
    }

    @Test("two programs that lock and unlock by themselves do not meet", arguments: Ground.onDisk)
    func twoPrograms(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let other = try scene.anotherProgram()
        try program.setPasscode(try Passcodes.first())
        for item in TestItem.each("kept") { #expect(program.add(item) == errSecSuccess) }
        try other.unlock(try Passcodes.first())
        let report = Turmoil.run(
            program, rounds: ground == .tpm ? 6 : 20, allowed: Turmoil.unlocked,
            change: { _ in
                try other.lock()
                #expect(other.find(TestItem("kept", .ak)) == errSecInteractionNotAllowed)
                try other.unlock(try Passcodes.first())
                #expect(other.find(TestItem("kept", .ak)) == errSecSuccess)
            })
        #expect(report.troubles == [])
        #expect(Set(other.find(report.stored)) == [errSecSuccess])
        #expect(try program.check() == [])
    }

    @Test("a lock in the middle of a change holds, and closes no more than a lock does", arguments: Ground.all)
    func lockDuringChange(ground: Ground) throws {
        let program = try Self.prepared(ground)
        for _ in 0..<(ground == .tpm ? 4 : 30) {
            try program.unlock(try Passcodes.first())
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                let status = program.status {
                    if thread == 0 { try $0.rotateKeys(passcode: Passcodes.first()) } else { try $0.lock() }
                }
                #expect(status == errSecSuccess)
            }
            #expect(try program.lockState() == .locked)
            #expect(program.find(TestItem("kept", .ak)) == errSecInteractionNotAllowed)
            #expect(program.find(TestItem("kept", .ck)) == errSecSuccess)
        }
    }
}
