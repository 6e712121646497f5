// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero passcode`.
enum PasscodeVerb: Verb {
    static let name = "passcode"
    static let summary = "sets, changes or removes the passcode"
    static let help = """
        usage: llavero passcode set [--keychain NAME] [--new-fd N] [--erase-after N]
               llavero passcode change [--keychain NAME] [--fd N] [--new-fd N]
               llavero passcode remove [--keychain NAME] [--fd N]

        Asks for what is needed; a new passcode is asked for twice. Without its passcode, items that need one are gone:
        `remove` deletes those, and says how many.

          --keychain NAME   that of another keychain, by its name or its path
          --fd N            reads the passcode that counts now from descriptor N
          --new-fd N        reads the new one from descriptor N
          --erase-after N   erases what the passcode protects after N wrong ones in a row; never, if not given
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let deed = try options.operand("set, change or remove")
        let allowed: Set<String>
        switch deed {
        case "set": allowed = ["--new-fd", "--erase-after"]
        case "change": allowed = ["--fd", "--new-fd"]
        case "remove": allowed = ["--fd"]
        default: throw .usage("passcode has set, change and remove, and no \(deed)")
        }
        for option in ["--fd", "--new-fd", "--erase-after"] where options.value(option) != nil {
            guard allowed.contains(option) else { throw .usage("passcode \(deed) takes no \(option)") }
        }
        let (old, new) = (
            try PasscodeInput.descriptor(options, "--fd"), try PasscodeInput.descriptor(options, "--new-fd")
        )
        if let old, old == new { throw .usage("--fd and --new-fd are two descriptors") }
        let limit = try options.number("--erase-after", in: 1...UInt32.max, "a number from 1 on")
        let keychain = try Keychains.one(options)
        if deed != "set" { try keychain.requireThere() }
        let hasPasscode = try keychain.isThere ? try keychain.standing().lockState != .noPasscode : false
        switch deed {
        case "set":
            guard !hasPasscode else {
                throw .failure("the keychain has a passcode; `llavero passcode change` changes it")
            }
            let passcode = try PasscodeInput.passcode(new, newWords, confirms: true, option: "--new-fd")
            try keychain.perform(.setPasscode(passcode, erasingAfter: limit ?? 0))
        case "change":
            try require(hasPasscode)
            let before = try PasscodeInput.passcode(old, "The keychain's passcode is to be changed.")
            let passcode = try PasscodeInput.passcode(new, newWords, confirms: true, option: "--new-fd")
            try keychain.perform(.changePasscode(from: before, to: passcode))
        default:
            try require(hasPasscode)
            let words = "The keychain's passcode is to be removed, with the items that need one."
            let passcode = try PasscodeInput.passcode(old, words)
            guard case .removed(let count) = try keychain.perform(.removePasscode(passcode)) else {
                throw ToolKeychain.otherReply
            }
            print("items removed: \(count)")
        }
    }

    private static func require(_ hasPasscode: Bool) throws(CommandError) {
        if !hasPasscode { throw .failure("the keychain has no passcode; `llavero passcode set` sets one") }
    }

    private static let newWords = "The keychain's new passcode."
}
