// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What `llavero` does about a keychain that is locked: where a person looks on it asks for the passcode, as `security` does.
///
/// A person looks on where standard error is a terminal: completion, scripts and what runs in the background are not to wait for
/// somebody.
extension ToolKeychain {
    func unlocking<Result>(_ body: () throws(KeychainError) -> Result) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch {
            guard Tool.name == "llavero", Screen.complaints.isTerminal, wantsUnlock(error) else {
                throw CommandError(advising(error))
            }
        }
        try askToUnlock()
        return try answering(body)
    }

    private func wantsUnlock(_ error: KeychainError) -> Bool {
        guard error.reason == .interactionNotAllowed, let subject = error.subject, Accessibility(name: subject) != nil,
            let state = try? standing().lockState
        else { return false }
        return state == .locked || state == .beforeFirstUnlock
    }

    private func askToUnlock() throws(CommandError) {
        let name = PlainText.shown(KeychainNames.name(of: place))
        do throws(CommandError) {
            try PasscodeInput.using(nil, "The keychain \(name) is locked.") { (passcode) throws(CommandError) in
                _ = try perform(.unlock(passcode))
            }
        } catch {
            // Who was asked and typed something wrong is told that; who typed nothing has a locked keychain.
            if case .keychain(let cause) = error, cause.reason == .authenticationFailed { throw error }
            throw .keychain(
                KeychainError(
                    relaying: .interactionNotAllowed, lockedSentence, subject: nil, code: nil, retryAfter: nil))
        }
        if !hasDaemon { Tool.say("it is unlocked for this command alone; `\(unlockCommand)` keeps it unlocked") }
    }
}
