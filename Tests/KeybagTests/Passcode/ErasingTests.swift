// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keychains that give up what the passcode protects after too many wrong ones.
@Suite struct ErasingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let ground: Ground
        let limit: Int
        var testDescription: String { "\(ground.rawValue), after \(limit)" }
    }

    private static let cases = Ground.all.flatMap { ground in [1, 3, 10].map { Case(ground: ground, limit: $0) } }

    /// Gives wrong passcodes, however long that takes, and returns the last failure.
    private static func guess(_ count: Int, by program: Program) throws -> LlaveroError? {
        var failure: LlaveroError?
        for _ in 0..<count {
            program.keychain.advanceClock(by: Double(try program.state().retryAfter))
            failure = program.failure { try $0.verify(Passcodes.wrong()) }
        }
        return failure
    }

    @Test("after the last wrong passcode the right one opens nothing, and the rest is as it was", arguments: cases)
    func erasing(entry: Case) throws {
        let scene = try Scene(entry.ground)
        let program = scene.program
        try program.keybag { try $0.setPasscode(Passcodes.first(), erasingAfter: UInt32(entry.limit)) }
        for item in TestItem.each("item") { #expect(program.add(item) == errSecSuccess) }
        let recovery = try program.keybag { try $0.makeRecoveryKey(passcode: Passcodes.first()) }
        program.reopen()
        #expect(try program.state().erasesAfter == entry.limit)
        if entry.limit > 1 {
            #expect(try Self.guess(entry.limit - 1, by: program)?.status == errSecAuthFailed)
            #expect(try !program.state().isErased)
        }
        let last = try Self.guess(1, by: program)
        #expect(last?.status == errSecNotAvailable && last?.description.contains("erased") == true)

        let other = try scene.restarted()
        #expect(try other.state().isErased)
        for passcode in [try Passcodes.first(), try Passcodes.wrong()] {
            let failure = other.failure { try $0.unlock(with: passcode) }
            #expect(failure?.status == errSecNotAvailable && failure?.description.contains("erased") == true)
        }
        for item in TestItem.each("item") {
            let isOpen = [.dk, .dku].contains(item.protection)
            #expect(other.find(item) == (isOpen ? errSecSuccess : errSecInteractionNotAllowed))
        }
        #expect(other.add(TestItem("new", .dk)) == errSecSuccess)

        try other.keybag { try $0.recover(with: recovery, into: .software, passcode: Passcodes.second()) }
        #expect(try !other.state().isErased)
        for item in TestItem.each("item") {
            // The device still opens what hangs on it alone.
            let isBack = item.protection == .dku || Protection.movable.contains(item.protection)
            #expect(other.find(item) == (isBack ? errSecSuccess : errSecItemNotFound))
        }
    }

    @Test("a right passcode in time starts the count anew, and a changed one keeps the limit", arguments: Ground.all)
    func inTime(ground: Ground) throws {
        let program = try Scene(ground).program
        try program.keybag { try $0.setPasscode(Passcodes.first(), erasingAfter: 3) }
        for _ in 0..<3 {
            #expect(try Self.guess(2, by: program)?.status == errSecAuthFailed)
            try program.keybag { try $0.verify(Passcodes.first()) }
        }
        try program.keybag { try $0.changePasscode(from: Passcodes.first(), to: Passcodes.second()) }
        #expect(try program.state().erasesAfter == 3)
        #expect(try Self.guess(2, by: program)?.status == errSecAuthFailed)
        #expect(try !program.state().isErased)
        #expect(try Self.guess(1, by: program)?.status == errSecNotAvailable)
        #expect(try program.state().isErased)
    }

    @Test("a limit goes with its passcode", arguments: Ground.all)
    func gone(ground: Ground) throws {
        let program = try Scene(ground).program
        try program.keybag {
            try $0.setPasscode(Passcodes.first(), erasingAfter: 3)
            try $0.removePasscode(Passcodes.first())
        }
        #expect(try program.state().erasesAfter == nil)
        try program.setPasscode(try Passcodes.first())
        #expect(try program.state().erasesAfter == nil)
        #expect(try Self.guess(11, by: program)?.status == errSecAuthFailed)
        #expect(try !program.state().isErased)
    }
}
