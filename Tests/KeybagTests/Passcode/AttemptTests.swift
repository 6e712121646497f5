// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Wrong passcodes, and how long one waits after them.
@Suite struct AttemptTests {
    /// Seconds to wait after so many wrong passcodes in a row, from the first one on.
    private static let delays = [0, 0, 0, 0, 60, 300, 900, 3600, 3600, 3600]

    private static func guarded(_ ground: Ground) throws -> Scene {
        let scene = try Scene(ground)
        try scene.program.setPasscode(try Passcodes.first())
        for item in TestItem.each("item") { #expect(scene.program.add(item) == errSecSuccess) }
        try scene.program.lock()
        return scene
    }

    private static func guess(_ count: Int, by program: Program) {
        for _ in 0..<count {
            #expect(program.status { try $0.unlock(with: Passcodes.wrong()) } == errSecAuthFailed)
        }
    }

    @Test("five wrong passcodes are free, then there are delays of 1, 5, 15 and 60 minutes", arguments: Ground.all)
    func delays(ground: Ground) throws {
        let program = try Self.guarded(ground).program
        for (count, delay) in Self.delays.enumerated() {
            let failure = program.failure { try $0.unlock(with: Passcodes.wrong()) }
            #expect(failure?.status == errSecAuthFailed && failure?.retryAfter == (delay == 0 ? nil : delay))
            let state = try program.state()
            #expect(state.failedAttempts == count + 1 && state.retryAfter == delay)
            guard delay > 0 else { continue }
            // The right passcode does not help now, and neither counts.
            for wait in [delay, 1] {
                for passcode in [try Passcodes.first(), try Passcodes.wrong()] {
                    let failure = program.failure { try $0.unlock(with: passcode) }
                    #expect(failure?.status == errSecAuthFailed && failure?.retryAfter == wait)
                }
                #expect(try program.state().failedAttempts == count + 1)
                program.keychain.advanceClock(by: wait == 1 ? 1 : Double(delay - 1))
            }
            #expect(try program.state().retryAfter == 0)
        }
        #expect(program.find(TestItem("item", .ak)) == errSecInteractionNotAllowed)
        #expect(program.find(TestItem("item", .ck)) == errSecSuccess)
        try program.unlock(try Passcodes.first())
        #expect(program.find(TestItem("item", .ak)) == errSecSuccess)
        let state = try program.state()
        #expect(state.failedAttempts == 0 && state.retryAfter == 0)
        // And the next five are free again.
        Self.guess(5, by: program)
        #expect(try program.state().retryAfter == 60)
    }

    @Test("a right passcode within the first five starts the count anew", arguments: Ground.all)
    func reset(ground: Ground) throws {
        let program = try Self.guarded(ground).program
        for _ in 0..<3 {
            Self.guess(4, by: program)
            try program.keybag { try $0.verify(Passcodes.first()) }
            #expect(try program.state().failedAttempts == 0)
        }
    }

    @Test("a failure's words say how long to wait, and nothing of the passcode", arguments: Ground.all)
    func words(ground: Ground) throws {
        let program = try Self.guarded(ground).program
        Self.guess(4, by: program)
        for _ in 0..<2 {
            let words = program.failure { try $0.unlock(with: Passcodes.wrong()) }?.description
            #expect(words?.contains("60 seconds") == true && words?.contains("neither") == false)
        }
        program.keychain.advanceClock(by: 60)
        let words = program.failure { try $0.unlock(with: Passcodes.wrong()) }?.description
        #expect(words?.contains("5 minutes") == true)
    }

    @Test("wrong passcodes are counted whatever they are given for", arguments: Ground.all, PasscodeAct.wrong)
    func counted(ground: Ground, act: PasscodeAct) throws {
        let program = try Self.guarded(ground).program
        for count in 1...5 {
            #expect(program.status(act.perform) == errSecAuthFailed)
            #expect(try program.state().failedAttempts == count)
        }
        let failure = program.failure(act.perform)
        #expect(failure?.status == errSecAuthFailed && failure?.retryAfter == 60)
        #expect(program.failure { try $0.verify(Passcodes.first()) }?.retryAfter == 60)
        #expect(try program.state().failedAttempts == 5)
    }

    @Test("failures and delays outlive the program, and count for all programs together", arguments: Ground.all)
    func survival(ground: Ground) throws {
        let scene = try Self.guarded(ground)
        Self.guess(3, by: scene.program)
        let other = try scene.restarted()
        #expect(try other.state().failedAttempts == 3)
        Self.guess(1, by: other)
        Self.guess(1, by: scene.program)
        for program in [scene.program, other] {
            program.reopen()
            #expect(try program.state().failedAttempts == 5 && program.state().retryAfter == 60)
            #expect(program.failure { try $0.unlock(with: Passcodes.first()) }?.retryAfter == 60)
        }
        other.keychain.advanceClock(by: 60)
        try other.unlock(try Passcodes.first())
        #expect(try scene.program.state().failedAttempts == 0)
        #expect(try other.check() == [])
    }

    @Test("wrong passcodes lock nobody out who is in, and a new passcode has a count of its own", arguments: Ground.all)
    func inside(ground: Ground) throws {
        let program = try Self.guarded(ground).program
        try program.unlock(try Passcodes.first())
        Self.guess(4, by: program)
        #expect(try program.lockState() == .unlocked)
        #expect(program.find(TestItem("item", .akpu)) == errSecSuccess)
        try program.keybag { try $0.changePasscode(from: Passcodes.first(), to: Passcodes.second()) }
        #expect(try program.state().failedAttempts == 0)
        Self.guess(5, by: program)
        #expect(program.add(TestItem("new", .ak)) == errSecSuccess)
        #expect(try program.state().retryAfter == 60)
    }
}
