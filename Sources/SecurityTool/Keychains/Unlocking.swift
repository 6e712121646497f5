// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// What needs an unlocked keychain: the person is asked for the passcode, where there is one to ask.
enum Unlocking {
    /// Does `body`; when that fails because the keychain is locked, once more after it was unlocked.
    static func retrying<Result>(
        _ keychain: ToolKeychain, _ call: String, _ body: () throws(CommandError) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(CommandError) { return try body() } catch {
            guard case .keychain(let cause) = error, cause.reason == .interactionNotAllowed,
                let standing = try? keychain.standing(), isLocked(standing.lockState)
            else { throw SecurityFailure(error, in: call) }
            let words = "The keychain \(keychain.path) is locked."
            let passcode: Passcode
            do throws(CommandError) { passcode = try PasscodeInput.passcode(nil, words) } catch {
                throw .status(
                    .interactionNotAllowed, call: call,
                    why: "the keychain \(keychain.path) is locked; \(keychain.unlockCommand) unlocks it")
            }
            try SecurityFailure.translating("SecKeychainUnlock") { () throws(CommandError) in
                _ = try keychain.perform(.unlock(passcode))
            }
        }
        return try SecurityFailure.translating(call, body)
    }

    static func isLocked(_ state: LockState) -> Bool { state == .locked || state == .beforeFirstUnlock }
}
