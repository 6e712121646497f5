// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel

/// What people are told to type about this keychain, which they may not know to be another than the usual one.
extension ToolKeychain {
    /// What unlocks it, by the tool that they use.
    package var unlockCommand: String {
        if Tool.name == "security" {
            let isStandard = (try? KeychainPreferences(of: .current()).standard) == place
            return "security unlock-keychain"
                + (isStandard ? "" : " " + ShellWord.quoted(KeychainNames.name(of: place)))
        }
        return "llavero unlock" + option
    }

    /// ` --keychain NAME`; nothing of the one that verbs are about which are given none.
    package var option: String {
        let name = KeychainNames.name(of: place)
        if name == Place.usualName, place == (try? Place.named(by: .current())) { return "" }
        return " --keychain \(ShellWord.quoted(name))"
    }

    package var lockedSentence: String { "the keychain is locked; `\(unlockCommand)` unlocks it" }

    /// What the keychain refuses, in the words of the tools.
    func answering<Result>(_ body: () throws(KeychainError) -> Result) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch { throw CommandError(advising(error)) }
    }

    /// What moves it out of the way, so that a new one can be made.
    package var setAsideCommand: String {
        "llavero keychains set-aside \(ShellWord.quoted(KeychainNames.name(of: place)))"
    }

    /// Of a key that is not there, what to do instead of which one it is.
    func advising(_ error: KeychainError) -> KeychainError {
        if error.reason == .notAvailable, let loss = host.deviceLoss(), !loss.isExposed, !loss.hasRecoveryKey {
            return KeychainError(
                relaying: error.reason, "\(error.text); to begin anew: `\(setAsideCommand)`", subject: error.subject,
                code: error.code, retryAfter: error.retryAfter)
        }
        guard error.reason == .interactionNotAllowed, let subject = error.subject, Accessibility(name: subject) != nil
        else { return error }
        return KeychainError(
            relaying: error.reason, lockedSentence, subject: nil, code: nil, retryAfter: error.retryAfter)
    }
}
