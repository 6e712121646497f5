// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// The four states of semantics §5.1.
enum DeviceState: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case noPasscode = "no passcode"
    case unlocked
    case locked
    case beforeFirstUnlock = "before first unlock"

    var testDescription: String { rawValue }

    /// Brings a program whose keychain has its passcode, if it is to have one, into the state.
    func enter(_ program: Program) throws {
        switch self {
        case .noPasscode: break
        case .unlocked: try program.unlock(try Passcodes.first())
        case .locked:
            try program.unlock(try Passcodes.first())
            try program.lock()
        case .beforeFirstUnlock:
            // In a program that was started just now, this changes nothing.
            program.reopen()
        }
        #expect(try program.lockState() == lockState)
    }

    private var lockState: Llavero.LockState {
        switch self {
        case .noPasscode: .noPasscode
        case .unlocked: .unlocked
        case .locked: .locked
        case .beforeFirstUnlock: .beforeFirstUnlock
        }
    }
}
