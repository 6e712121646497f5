// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero recovery`.
enum RecoveryVerb: Verb {
    static let name = "recovery"
    static let summary = "makes, uses or removes the recovery key"
    static let help = """
        usage: llavero recovery make [--keychain NAME] [--fd N]
               llavero recovery use [--keychain NAME] [--fd N | --stdin] [--enclave KIND] [--new-fd N | --no-passcode]
               llavero recovery remove [--keychain NAME] [--fd N]

        `make` prints fourteen words, once: write them down. They open the keychain when its device key is lost; one that was
        made before opens nothing any more. `make` and `remove` ask for the passcode if there is one.

        `use` opens a keychain with these words whose device key is lost (another machine, a cleared TPM, a missing file), or whose
        passcode is forgotten. It asks for the words, gives the keychain a new device key on this machine, and says what was lost:
        items that were for the old device alone stay where they are, and nothing opens them. If the keychain had a passcode, it asks
        for a new one. The words count from then on as before.

          --keychain NAME   of another keychain, by its name or its path
          --fd N            reads the passcode, or for `use` the words, from descriptor N
          --stdin           reads the words from standard input
          --enclave KIND    what guards the keys from now on: software (a file) or tpm; as before, if not given
          --new-fd N        reads the new passcode from descriptor N
          --no-passcode     does without a new passcode
          --quiet           says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let deed = try options.operand("make, use or remove")
        let ofUse = ["--stdin", "--enclave", "--new-fd", "--no-passcode"]
        switch deed {
        case "use": try options.requireOne(of: ["--new-fd", "--no-passcode"])
        case "make", "remove":
            for option in ofUse where options.has(option) || options.value(option) != nil {
                throw .usage("recovery \(deed) takes no \(option)")
            }
        default: throw .usage("recovery has make, use and remove, and no \(PlainText.shown(deed))")
        }
        let kind = try EnclaveKind.named(by: options)
        let (descriptor, new) = (
            try PasscodeInput.descriptor(options, "--fd"), try PasscodeInput.descriptor(options, "--new-fd")
        )
        if let new, descriptor == new { throw .usage("--fd and --new-fd are two descriptors") }
        if new == 0, options.has("--stdin") { throw .usage("--stdin and --new-fd are two descriptors") }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        if deed == "use" {
            let recovery = try Recovery(of: keychain, into: kind)
            let seed = try TypedRecoveryKey.seed(options)
            try recovery.run(with: seed, newPasscode: new, without: options.has("--no-passcode"))
        } else {
            try change(keychain, isMade: deed == "make", descriptor, options)
        }
    }

    private static func change(
        _ keychain: ToolKeychain, isMade: Bool, _ descriptor: Int32?, _ options: Options
    ) throws(CommandError) {
        let standing = try keychain.standing()
        if !isMade, !standing.hasRecoveryKey { throw .failure("the keychain has no recovery key") }
        var shown = KeybagAuthorization.unlocked
        if standing.lockState != .noPasscode {
            let words = "The keychain's recovery key is to be \(isMade ? "made" : "removed")."
            let passcode =
                descriptor != nil
                ? try PasscodeInput.passcode(descriptor, words)
                : try PasscodeInput.using(nil, words) { (passcode) throws(CommandError) in
                    try keychain.perform(.verify(passcode))
                    return passcode
                }
            shown = .passcode(passcode)
        }
        guard isMade else {
            try keychain.perform(.removeRecoveryKey(shown))
            options.tell(
                "removed the recovery key of the keychain \(keychain.shownName): its words open nothing any more")
            return
        }
        guard case .recoverySeed(let seed?) = try keychain.perform(.makeRecoveryKey(shown)) else {
            throw ToolKeychain.otherReply
        }
        try ShownRecoveryKey.show(seed)
        options.tell(
            """
            these words open the keychain \(keychain.shownName) where its device key is lost: write them down, they are shown \
            once; older ones are void
            """)
    }
}
