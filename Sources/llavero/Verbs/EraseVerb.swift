// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero erase`.
enum EraseVerb: Verb {
    static let name = "erase"
    static let summary = "destroys a keychain for good"
    static let help = """
        usage: llavero erase NAME [--yes]

        Destroys a keychain with all its items: first the device key, on which all others hang, then the rest. It needs no passcode, so
        it can also be done in a hurry; it asks for the keychain's name to be typed once more. Backups survive, and open with their
        passphrase or recovery key; what only this device could open is gone. NAME is a name, or a path.

          --yes     does not ask
          --quiet   prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let name = try options.operand("NAME")
        let keychain = try ToolKeychain(written: name)
        guard try keychain.isThere else {
            let isFinished = try ToolKeychain.translating { () throws(KeychainError) in
                try KeychainRemoval.finish(keychain.place)
            }
            guard isFinished else {
                guard try KeychainsVerb.forget(keychain) else {
                    throw .notFound("there is no keychain \(PlainText.shown(name))")
                }
                return options.tell("forgot the keychain \(keychain.shownName), which was gone already")
            }
            return options.tell(
                "destroyed what was left of the keychain \(PlainText.shown(name)), whose erasing was cut off")
        }
        if !options.has("--yes") {
            guard Screen.complaints.isTerminal, Screen.hasInput else {
                throw .needsPerson("everything in the keychain \(keychain.shownName) would be destroyed; --yes does it")
            }
            try PersonalAnswer.requireAllowed(otherwise: "--yes does it")
            Tool.say("everything in the keychain \(keychain.shownName) is destroyed once you type its name")
            guard readLine() == name else { throw .failure("nothing was changed") }
        }
        Snapshots(of: keychain)?.remove()
        try keychain.remove()
        options.tell("destroyed the keychain \(keychain.shownName) and its device key; backups of it are not touched")
        try KeychainsVerb.leaveOutOfLists(keychain)
    }
}
