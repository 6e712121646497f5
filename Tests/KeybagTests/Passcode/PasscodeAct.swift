// SPDX-License-Identifier: Apache-2.0

import Security

/// Everything that can be asked of a keybag with a passcode, or without one.
enum PasscodeAct: String, Sendable, CaseIterable {
    case set
    case change
    case changeByWrong
    case remove
    case removeByWrong
    case verify
    case verifyWrong
    case unlock
    case unlockWrong
    case lock
    case rotate
    case rotateByWrong
    case rotateWithout
    case makeRecoveryKey
    case makeRecoveryKeyByWrong
    case makeRecoveryKeyWithout
    case removeRecoveryKey
    case removeRecoveryKeyByWrong
    case removeRecoveryKeyWithout

    /// Acts that give the wrong passcode.
    static let wrong = allCases.filter { $0.rawValue.contains("rong") }

    /// Does it, with the first passcode as the right one and the second as the new one.
    func perform(on keybag: Llavero.Keybag) throws {
        let (first, second, wrong) = (try Passcodes.first(), try Passcodes.second(), try Passcodes.wrong())
        switch self {
        case .set: try keybag.setPasscode(second, erasingAfter: nil)
        case .change: try keybag.changePasscode(from: first, to: second)
        case .changeByWrong: try keybag.changePasscode(from: wrong, to: second)
        case .remove: try keybag.removePasscode(first)
        case .removeByWrong: try keybag.removePasscode(wrong)
        case .verify: try keybag.verify(first)
        case .verifyWrong: try keybag.verify(wrong)
        case .unlock: try keybag.unlock(with: first)
        case .unlockWrong: try keybag.unlock(with: wrong)
        case .lock: try keybag.lock()
        case .rotate: try keybag.rotateKeys(passcode: first)
        case .rotateByWrong: try keybag.rotateKeys(passcode: wrong)
        case .rotateWithout: try keybag.rotateKeys(passcode: nil)
        case .makeRecoveryKey: _ = try keybag.makeRecoveryKey(passcode: first)
        case .makeRecoveryKeyByWrong: _ = try keybag.makeRecoveryKey(passcode: wrong)
        case .makeRecoveryKeyWithout: _ = try keybag.makeRecoveryKey(passcode: nil)
        case .removeRecoveryKey: try keybag.removeRecoveryKey(passcode: first)
        case .removeRecoveryKeyByWrong: try keybag.removeRecoveryKey(passcode: wrong)
        case .removeRecoveryKeyWithout: try keybag.removeRecoveryKey(passcode: nil)
        }
    }
}
