// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

extension Llavero.Keybag {
    /// Starts a new generation of class keys: what is stored from now on is sealed under them.
    ///
    /// Older items stay readable, and are sealed again a few at a time after writes, or all at once by `reseal`. Where the
    /// keychain has a passcode, it is needed.
    public func rotateKeys(passcode: Llavero.Passcode?) throws {
        try perform(.rotateKeys(KeybagAuthorization(passcode)))
    }

    /// Seals every item again that is still sealed under older keys, then gives those up.
    ///
    /// `progress` hears how many of how many items were looked at; false stops, and the next call goes on from there.
    public func reseal(progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }) throws {
        var done = 0
        var isSecondRound = false
        // Step by step, so that nobody waits long for whoever reseals.
        while true {
            guard case .resealed(let step) = try reply(to: .reseal(isSecondRound: isSecondRound)) else {
                throw Llavero.Keybag.otherReply
            }
            if step.total == 0, step.end == .ofAll { return }
            done = step.end == .notYet ? min(done + step.examined, step.total) : step.total
            guard progress(done, step.total), step.end != .ofAll else { return }
            if step.end == .ofRound { (done, isSecondRound) = (0, true) }
        }
    }
}

extension KeybagAuthorization {
    init(_ passcode: Llavero.Passcode?) {
        if let passcode { self = .passcode(passcode.passcode) } else { self = .unlocked }
    }
}
