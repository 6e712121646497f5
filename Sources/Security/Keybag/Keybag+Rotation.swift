// SPDX-License-Identifier: Apache-2.0

internal import KeychainEngine
internal import KeychainModel

extension Llavero.Keybag {
    /// Starts a new generation of class keys: what is stored from now on is sealed under them.
    ///
    /// Older items stay readable, and are sealed again a few at a time after writes, or all at once by `reseal`. Where the
    /// keychain has a passcode, it is needed.
    public func rotateKeys(passcode: Llavero.Passcode?) throws {
        try call { (engine) throws(KeychainError) in try engine.rotateKeys(KeybagAuthorization(passcode)) }
    }

    /// Seals every item again that is still sealed under older keys, then gives those up.
    ///
    /// `progress` hears how many of how many items were looked at; false stops, and the next call goes on from there.
    public func reseal(progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }) throws {
        try callLong { (engine) throws(KeychainError) in try engine.reseal(progress: progress) }
    }
}

extension KeybagAuthorization {
    init(_ passcode: Llavero.Passcode?) {
        if let passcode { self = .passcode(passcode.passcode) } else { self = .unlocked }
    }
}
