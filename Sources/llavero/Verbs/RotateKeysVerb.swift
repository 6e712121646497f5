// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero rotate-keys`.
enum RotateKeysVerb: Verb {
    static let name = "rotate-keys"
    static let summary = "encrypts every item under new keys"
    static let help = """
        usage: llavero rotate-keys [--keychain NAME] [--fd N]

        Generates new keys for the keychain, encrypts every item again under them, and deletes the old keys. Use it when an attacker
        may have an old copy of the keychain and its passcode. That copy stays readable, but its keys do not open items that are stored
        from now on. Passcode, recovery key and items stay the same. It asks for the passcode, if there is one; a locked keychain is
        unlocked while it works, and locked again. If it is interrupted, new and old keys stay in use, and the next call continues.

          --keychain NAME   keys of another keychain, by name or path
          --fd N            reads the passcode from descriptor N
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let descriptor = try PasscodeInput.descriptor(options, "--fd")
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        var shown = KeybagAuthorization.unlocked
        let state = try keychain.state()
        defer { if state.isLocked { lockAgain(keychain) } }
        if state.lockState != .noPasscode {
            let passcode = try PasscodeInput.passcode(descriptor, "The keychain's keys are to be changed.")
            // Items of a locked keychain cannot be encrypted again.
            try keychain.perform(.unlock(passcode))
            shown = .passcode(passcode)
        }
        try keychain.perform(.rotateKeys(shown))
        let count = try reseal(keychain)
        guard try !keychain.state().isResealing else {
            throw .failure(
                "the new keys are in use, but some items could not be encrypted again and keep the old ones: see `llavero check\(keychain.option)`"
            )
        }
        if let snapshots = Snapshots(of: keychain), !snapshots.all.isEmpty {
            // The earlier ones opened with the keys that are gone.
            do throws(CommandError) { try snapshots.make(.daily, of: keychain) } catch { snapshots.removeAll() }
        }
        print("items encrypted under new keys: \(count)")
    }

    /// A daemon would leave it open for every program.
    private static func lockAgain(_ keychain: ToolKeychain) {
        do throws(CommandError) { try keychain.perform(.lock) } catch {
            Tool.say("the keychain was locked before, and could not be locked again: \(error.description)")
        }
    }

    /// Encrypts all items again, and returns their number.
    private static func reseal(_ keychain: ToolKeychain) throws(CommandError) -> Int {
        var bar = ProgressBar("encrypting items")
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
