// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// What can be done about the passcode in every state, and which state comes of it.
@Suite struct TransitionTests {
    /// What an act answers, and the state it leaves; nil: the one before.
    typealias Outcome = (status: OSStatus, next: Llavero.LockState?)

    private static let refused: Outcome = (errSecAuthFailed, nil)
    private static let absent: Outcome = (errSecNotAvailable, nil)
    private static let shut: Outcome = (errSecInteractionNotAllowed, nil)
    private static let taken: Outcome = (errSecDuplicateItem, nil)
    private static let done: Outcome = (errSecSuccess, nil)
    private static let opened: Outcome = (errSecSuccess, .unlocked)

    /// Without a passcode, unlocked, locked, before the first unlock.
    private static func outcomes(of act: PasscodeAct) -> [Outcome] {
        switch act {
        case .set: [opened, taken, taken, taken]
        case .unlock: [absent, opened, opened, opened]
        // A change leaves the program as locked as it was.
        case .change, .rotate, .makeRecoveryKey, .removeRecoveryKey: [absent, done, done, done]
        case .remove: [absent] + Array(repeating: (errSecSuccess, .noPasscode), count: 3)
        case .verify: [absent, done, done, done]
        case .lock: [absent, (errSecSuccess, .locked), done, done]
        case .changeByWrong, .removeByWrong, .verifyWrong, .unlockWrong, .rotateByWrong, .makeRecoveryKeyByWrong,
            .removeRecoveryKeyByWrong:
            [absent, refused, refused, refused]
        case .rotateWithout, .makeRecoveryKeyWithout, .removeRecoveryKeyWithout: [done, shut, shut, shut]
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let ground: Ground
        let state: DeviceState
        let act: PasscodeAct
        var testDescription: String { "\(ground.rawValue), \(state.rawValue): \(act.rawValue)" }
    }

    private static let cases = Ground.all.flatMap { ground in
        // A TPM takes its time, and knows nothing of the state.
        DeviceState.allCases.filter { ground != .tpm || $0 == .locked }.flatMap { state in
            PasscodeAct.allCases.map { Case(ground: ground, state: state, act: $0) }
        }
    }

    @Test("every act in every state answers as the table says, and one passcode works afterwards", arguments: cases)
    func transition(of entry: Case) throws {
        let scene = try Scene(entry.ground)
        let program = scene.program
        let items = TestItem.each("item", of: Protection.withoutPasscode)
        for item in items { #expect(program.add(item) == errSecSuccess) }
        if entry.state != .noPasscode { try program.setPasscode(try Passcodes.first()) }
        try entry.state.enter(program)
        let before = try program.state()
        let number = try #require(DeviceState.allCases.firstIndex(of: entry.state))
        let expected = Self.outcomes(of: entry.act)[number]

        #expect(program.status(entry.act.perform) == expected.status)

        let after = try program.state()
        #expect(after.lockState == expected.next ?? before.lockState)
        for item in items { #expect(program.find(item) == Self.status(of: item, after.lockState), "\(item.name)") }
        let isWrong = expected.status == errSecAuthFailed
        #expect(after.failedAttempts == (isWrong ? 1 : 0))
        let starts = expected.status == errSecSuccess && entry.act.rawValue.hasPrefix("rotate")
        #expect(after.generation == (starts ? 2 : 1))
        #expect(after.hasRecoveryKey == (expected.status == errSecSuccess && entry.act.rawValue.hasPrefix("make")))
        try expectOnePasscode(in: scene, after: entry, status: expected.status)
        #expect(Set(program.find(items)) == [errSecSuccess])
        #expect(try program.check() == [])
    }

    /// What finds an item in a state, as semantics §5 says.
    private static func status(of item: TestItem, _ state: Llavero.LockState) -> OSStatus {
        let device: DeviceState =
            switch state {
            case .noPasscode: .noPasscode
            case .unlocked: .unlocked
            case .locked: .locked
            case .beforeFirstUnlock: .beforeFirstUnlock
            }
        return MatrixTable.status(of: .findData, MatrixTable.availability(of: item.protection, device))
    }

    /// Leaves the program with everything open.
    private func expectOnePasscode(in scene: Scene, after entry: Case, status: OSStatus) throws {
        let changes: [PasscodeAct] = [.set, .change]
        let isSecond = changes.contains(entry.act) && status == errSecSuccess
        let isGone = entry.act == .remove && status == errSecSuccess
        let program = scene.program
        program.reopen()
        let first = program.status { try $0.unlock(with: Passcodes.first()) }
        let second = program.status { try $0.unlock(with: Passcodes.second()) }
        if isGone || (entry.state == .noPasscode && !isSecond) {
            #expect(first == errSecNotAvailable && second == errSecNotAvailable)
        } else {
            #expect(first == (isSecond ? errSecAuthFailed : errSecSuccess))
            #expect(second == (isSecond ? errSecSuccess : errSecAuthFailed))
        }
    }

    @Test("another program follows a change at its next call, and stays as open as it was", arguments: Ground.onDisk)
    func others(ground: Ground) throws {
        let scene = try Scene(ground)
        let other = try scene.anotherProgram()
        let items = TestItem.each("item", of: Protection.withoutPasscode)
        for item in items { #expect(scene.program.add(item) == errSecSuccess) }
        #expect(Set(other.find(items)) == [errSecSuccess])
        try scene.program.setPasscode(try Passcodes.first())
        #expect(try other.lockState() == .beforeFirstUnlock)
        #expect(other.find(TestItem("item", .ak)) == errSecInteractionNotAllowed)
        try other.unlock(try Passcodes.first())
        try scene.program.keybag { try $0.changePasscode(from: Passcodes.first(), to: Passcodes.second()) }
        #expect(try other.lockState() == .unlocked)
        #expect(Set(other.find(items)) == [errSecSuccess])
        // Locking is each program's own affair.
        try other.lock()
        #expect(try scene.program.lockState() == .unlocked)
        #expect(other.find(TestItem("item", .ck)) == errSecSuccess)
        #expect(other.status { try $0.unlock(with: Passcodes.first()) } == errSecAuthFailed)
        try other.unlock(try Passcodes.second())
        try scene.program.keybag { _ = try $0.removePasscode(Passcodes.second()) }
        #expect(try other.lockState() == .noPasscode)
        #expect(Set(other.find(items)) == [errSecSuccess])
        #expect(try scene.program.check() == [] && other.check() == [])
    }
}
