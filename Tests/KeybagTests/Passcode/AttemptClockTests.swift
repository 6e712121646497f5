// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Delays, and clocks that do not go as they should.
@Suite struct AttemptClockTests {
    /// A keychain that has just refused its fifth wrong passcode.
    private static func delayed(_ ground: Ground) throws -> Scene {
        let scene = try Scene(ground)
        try scene.program.setPasscode(try Passcodes.first())
        for _ in 0..<5 {
            #expect(scene.program.status { try $0.verify(Passcodes.wrong()) } == errSecAuthFailed)
        }
        return scene
    }

    private static func wait(of program: Program) -> Int? {
        program.failure { try $0.verify(Passcodes.first()) }?.retryAfter
    }

    @Test(
        "a clock that is set back makes the whole delay run again, and no more than that", arguments: Ground.all,
        [1.0, 86_400, 700_000_000, 1_600_000_000])
    func setBack(ground: Ground, seconds: Double) throws {
        let program = try Self.delayed(ground).program
        program.keychain.setClock(Program.startOfTime.addingTimeInterval(-seconds))
        #expect(try program.state().retryAfter == 60)
        #expect(Self.wait(of: program) == 60)
        program.keychain.advanceClock(by: 59)
        #expect(Self.wait(of: program) == 1)
        // By a program that is started only now, too.
        program.reopen()
        program.keychain.advanceClock(by: 1)
        #expect(Self.wait(of: program) == nil)
    }

    @Test("a clock set back and forth shortens no delay", arguments: Ground.all)
    func backAndForth(ground: Ground) throws {
        let program = try Self.delayed(ground).program
        program.keychain.advanceClock(by: 30)
        #expect(Self.wait(of: program) == 30)
        program.keychain.setClock(Program.startOfTime.addingTimeInterval(-1000))
        #expect(Self.wait(of: program) == 60)
        program.keychain.advanceClock(by: 45)
        #expect(Self.wait(of: program) == 15)
        program.keychain.advanceClock(by: -40)
        #expect(Self.wait(of: program) == 55)
    }

    @Test("half a second that is left is a second to wait", arguments: Ground.all)
    func fraction(ground: Ground) throws {
        let program = try Self.delayed(ground).program
        program.keychain.advanceClock(by: 59.5)
        #expect(Self.wait(of: program) == 1)
        program.keychain.advanceClock(by: 0.5)
        #expect(Self.wait(of: program) == nil)
    }
}
