// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero passcode`.
enum PasscodeVerb: Verb {
    static let name = "passcode"
    static let summary = "sets, changes or removes the passcode"
    static let help = """
        usage: llavero passcode set [--keychain NAME] [--new-fd N | --stdin] [--erase-after N] [--weak] [--no-agent]
               llavero passcode change [--keychain NAME] [--fd N] [--new-fd N] [--weak]
               llavero passcode remove [--keychain NAME] [--fd N | --stdin]

        Asks for what is needed, for a new passcode twice, and says how long it would keep a thief busy if that is not long. A keychain
        whose passcode somebody typed stays unlocked: where no daemon runs, llaverod is started for you. Without its passcode, items
        that need one are gone: `remove` deletes those, and says how many.

          --keychain NAME   that of another keychain, by its name or its path
          --fd N            reads the passcode that counts now from descriptor N
          --new-fd N        reads the new one from descriptor N
          --stdin           reads the one that `set` or `remove` needs from standard input
          --erase-after N   erases what the passcode protects after N wrong ones in a row; never, if not given
          --weak            takes one of fewer than four characters, too
          --no-agent        starts no daemon, so that the keychain is locked after it
          --quiet           says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let action = try options.operand("set, change or remove")
        let allowed: Set<String>
        switch action {
        case "set": allowed = ["--new-fd", "--stdin", "--erase-after", "--weak", "--no-agent"]
        case "change": allowed = ["--fd", "--new-fd", "--weak"]
        case "remove": allowed = ["--fd", "--stdin"]
        default: throw .usage("passcode has set, change and remove, and no \(PlainText.shown(action))")
        }
        let all = ["--fd", "--new-fd", "--stdin", "--erase-after", "--weak", "--no-agent"]
        for option in all where options.has(option) || options.value(option) != nil {
            guard allowed.contains(option) else { throw .usage("passcode \(action) takes no \(option)") }
        }
        let old = action == "set" ? nil : try PasscodeInput.descriptorOrInput(options)
        let new =
            action == "set"
            ? try PasscodeInput.descriptorOrInput(options, "--new-fd")
            : try PasscodeInput.descriptor(options, "--new-fd")
        if let old, old == new { throw .usage("--fd and --new-fd are two descriptors") }
        let limit = try options.number("--erase-after", in: 1...UInt32.max, "a number from 1 on")
        let keychain = try Keychains.one(options)
        if action != "set" { try keychain.requireThere() }
        let hasPasscode = try keychain.isThere ? try keychain.state().lockState != .noPasscode : false
        if action == "set" {
            guard !hasPasscode else {
                throw .failure("the keychain has a passcode; `llavero passcode change` changes it")
            }
        } else {
            guard hasPasscode else { throw .failure("the keychain has no passcode; `llavero passcode set` sets one") }
        }
        switch action {
        case "set": try set(keychain, new, limit ?? 0, options)
        case "change": try change(keychain, from: old, to: new, options)
        default: try remove(keychain, old, options)
        }
    }

    private static func set(
        _ keychain: ToolKeychain, _ descriptor: Int32?, _ limit: UInt32, _ options: Options
    ) throws(CommandError) {
        let passcode = try fresh(descriptor, options)
        try keychain.perform(.setPasscode(passcode, erasingAfter: limit))
        var state = "and is locked: `\(keychain.unlockCommand)` unlocks it"
        if let keeper = leaveOpen(keychain, passcode, mayStart: descriptor == nil && !options.has("--no-agent")) {
            state = "and stays unlocked\(keeper)"
        }
        options.tell("the keychain \(keychain.shownName) has a passcode now, \(state)")
        warn(passcode, keychain, options)
    }

    private static func change(
        _ keychain: ToolKeychain, from old: Int32?, to new: Int32?, _ options: Options
    ) throws(CommandError) {
        let words = "The keychain's passcode is to be changed."
        // A person learns that it was wrong before the new one is typed; one from a descriptor is tried once.
        let before =
            old != nil
            ? try PasscodeInput.passcode(old, words)
            : try PasscodeInput.using(nil, words) { (passcode) throws(CommandError) in
                try keychain.perform(.verify(passcode))
                return passcode
            }
        let passcode = try fresh(new, options)
        try keychain.perform(.changePasscode(from: before, to: passcode))
        options.tell("the keychain \(keychain.shownName) has another passcode now")
        warn(passcode, keychain, options)
    }

    private static func remove(
        _ keychain: ToolKeychain, _ descriptor: Int32?, _ options: Options
    ) throws(CommandError) {
        let words = "The keychain's passcode is to be removed, with the items that need one."
        let count = try PasscodeInput.using(descriptor, words) { (passcode) throws(CommandError) in
            guard case .removed(let count) = try keychain.perform(.removePasscode(passcode)) else {
                throw ToolKeychain.otherReply
            }
            return count
        }
        print("items removed: \(count)")
        options.tell("the keychain \(keychain.shownName) has no passcode any more")
    }

    private static func fresh(_ descriptor: Int32?, _ options: Options) throws(CommandError) -> Passcode {
        let passcode = try PasscodeInput.passcode(
            descriptor, "The keychain's new passcode.", confirms: true, option: "--new-fd")
        guard options.has("--weak") || !PasscodeStrength.isTooShort(passcode) else {
            throw .failure(
                "a passcode of fewer than four characters is guessed at once, so nothing was changed; --weak takes it all the same"
            )
        }
        return passcode
    }

    private static func warn(_ passcode: Passcode, _ keychain: ToolKeychain, _ options: Options) {
        guard let kind = try? keychain.state().enclave.kind,
            let warning = PasscodeStrength(of: passcode).warning(in: kind)
        else { return }
        options.tell(warning)
    }

    /// Keeps it open, as whoever typed the passcode expects; what is to be said of that, or nil where it is locked.
    private static func leaveOpen(_ keychain: ToolKeychain, _ passcode: Passcode, mayStart: Bool) -> String? {
        do throws(CommandError) {
            let isStarted = !keychain.hasDaemon
            if isStarted {
                guard mayStart else { return nil }
                try Agent(for: keychain.host).start()
            }
            try keychain.perform(.unlock(passcode))
            return isStarted ? "; started llaverod, which keeps it so" : ""
        } catch { return nil }
    }
}
