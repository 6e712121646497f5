// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero rotate-keys`.
enum RotateKeysVerb: Verb {
    static let name = "rotate-keys"
    static let summary = "seals every item under new keys"
    static let help = """
        usage: llavero rotate-keys [--keychain NAME] [--fd N]

        Draws new keys for the keychain, seals every item again under them, and gives the old ones up: for when an old copy of the
        keychain and its passcode may be in other hands. That copy stays readable; what is stored from now on is not in it. Passcode,
        recovery key and items stay as they are. Asks for the passcode if there is one. When it is interrupted, both the new and the
        old keys count; the next call goes on.

          --keychain NAME   those of another keychain, by its name or its path
          --fd N            reads the passcode from descriptor N
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let descriptor = try PasscodeInput.descriptor(options, "--fd")
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        var shown = KeybagAuthorization.unlocked
        if try keychain.state().lockState != .noPasscode {
            let passcode = try PasscodeInput.passcode(descriptor, "The keychain's keys are to be changed.")
            // Items of a locked keychain could not be sealed again.
            try keychain.perform(.unlock(passcode))
            shown = .passcode(passcode)
        }
        try keychain.perform(.rotateKeys(shown))
        let count = try reseal(keychain)
        guard try !keychain.state().isResealing else {
            throw .failure(
                "new keys count from now on; some items could not be sealed again and keep the old ones: see `llavero check\(keychain.option)`"
            )
        }
        print("items sealed under new keys: \(count)")
    }

    /// How many items there are, which are all sealed again.
    private static func reseal(_ keychain: ToolKeychain) throws(CommandError) -> Int {
        var bar = ProgressBar("sealing items again")
        defer { bar.end() }
        var (done, most, isSecondRound) = (0, 0, false)
        while true {
            guard case .resealed(let step) = try keychain.perform(.reseal(isSecondRound: isSecondRound)) else {
                throw ToolKeychain.otherReply
            }
            most = max(most, step.total)
            done = min(done + step.examined, step.total)
            bar.step(to: done, of: step.total)
            if step.end == .ofAll { return most }
            if step.end == .ofRound { (done, isSecondRound) = (0, true) }
        }
    }
}
