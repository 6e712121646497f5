// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
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

        Asks for the passcodes, for a new one twice, and warns if the new one is weak. A keychain stays unlocked after its passcode was
        typed: if no daemon runs, llaverod is started for you, though not for one from a descriptor or
        standard input. Items that require a passcode cannot exist without one: `remove` deletes them, and prints how many.

          --keychain NAME   for another keychain, by name or path
          --fd N            reads the current passcode from descriptor N
          --new-fd N        reads the new one from descriptor N
          --stdin           reads the passcode for `set` or `remove` from standard input
          --erase-after N   erases everything the passcode protects after N wrong ones in a row; never, if not given
          --weak            accepts a passcode of fewer than four characters
          --no-agent        starts no daemon, so that the keychain is locked afterwards
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let action = try options.operand("set, change or remove")
        let allowed: Set<String>
        switch action {
        case "set": allowed = ["--new-fd", "--stdin", "--erase-after", "--weak", "--no-agent"]
        case "change": allowed = ["--fd", "--new-fd", "--weak"]
        case "remove": allowed = ["--fd", "--stdin"]
        default:
            throw .usage(
                "unknown action of passcode: \(PlainText.shown(action)); the actions are set, change and remove")
        }
        let all = ["--fd", "--new-fd", "--stdin", "--erase-after", "--weak", "--no-agent"]
        for option in all where options.has(option) || options.value(option) != nil {
            guard allowed.contains(option) else {
                let instead = option == "--fd" ? "; --new-fd gives the new passcode" : ""
                throw .usage("passcode \(action) does not accept \(option)\(instead)")
            }
        }
        let old = action == "set" ? nil : try PasscodeInput.descriptorOrInput(options)
        let new =
            action == "set"
            ? try PasscodeInput.descriptorOrInput(options, "--new-fd")
            : try PasscodeInput.descriptor(options, "--new-fd")
        if let old, old == new { throw .usage("--fd and --new-fd have to be different descriptors") }
        let limit = try options.number("--erase-after", in: 1...UInt32.max, "a number from 1 to 4294967295")
        let keychain = try Keychains.one(options)
        try MissedKeychain.refuse(keychain)
        if action != "set" { try keychain.requireThere() }
        let hasPasscode = try keychain.isThere ? try keychain.state().lockState != .noPasscode : false
        if action == "set" {
            guard !hasPasscode else {
                throw .failure("the keychain already has a passcode; `llavero passcode change` changes it")
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
        let keeper = leaveOpen(keychain, passcode, mayStart: descriptor == nil && !options.has("--no-agent"))
        let state =
            keeper.map { "and stays unlocked\($0)" } ?? "and is locked: `\(keychain.unlockCommand)` unlocks it"
        options.tell("the keychain \(keychain.shownName) has a passcode now, \(state)")
        if keeper != nil, !options.has("--quiet") { keychain.tellOfEarlierEnd() }
        warn(passcode, keychain, options)
    }

    private static func change(
        _ keychain: ToolKeychain, from old: Int32?, to new: Int32?, _ options: Options
    ) throws(CommandError) {
        let words = "The keychain's passcode is to be changed."
        // A wrong passcode is reported before the person types the new one; one from a descriptor is tried once.
        let before =
            old != nil
            ? try PasscodeInput.passcode(old, words)
            : try PasscodeInput.using(nil, words) { (passcode) throws(CommandError) in
                try keychain.perform(.verify(passcode))
                return passcode
            }
        let passcode = try fresh(new, options)
        try keychain.perform(.changePasscode(from: before, to: passcode))
        // Who typed it is not asked for it at the next command; from a descriptor a locked one stays locked.
        let state = old == nil && new == nil ? leaveOpen(keychain, passcode, mayStart: true) : nil
        options.tell("changed the passcode of the keychain \(keychain.shownName)\(state ?? "")")
        warn(passcode, keychain, options)
    }

    private static func remove(
        _ keychain: ToolKeychain, _ descriptor: Int32?, _ options: Options
    ) throws(CommandError) {
        let words = "The keychain's passcode is to be removed, together with the items that require it."
        let count = try PasscodeInput.using(descriptor, words) { (passcode) throws(CommandError) in
            guard case .removed(let count) = try keychain.perform(.removePasscode(passcode)) else {
                throw ToolKeychain.otherReply
            }
            return count
        }
        print("items removed: \(count)")
        options.tell("removed the passcode of the keychain \(keychain.shownName)")
    }

    private static func fresh(_ descriptor: Int32?, _ options: Options) throws(CommandError) -> Passcode {
        let passcode = try PasscodeInput.passcode(
            descriptor, "The keychain's new passcode.", confirms: true,
            least: options.has("--weak") ? 0 : PasscodeStrength.leastCharacters, option: "--new-fd")
        guard options.has("--weak") || !PasscodeStrength.isTooShort(passcode) else {
            throw .failure(
                "a passcode of fewer than four characters can be guessed at once, so nothing was changed; --weak accepts it anyway"
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

    /// Keeps it unlocked, as the person expects after typing the passcode; returns the remark, or nil if it is locked.
    private static func leaveOpen(_ keychain: ToolKeychain, _ passcode: Passcode, mayStart: Bool) -> String? {
        do throws(CommandError) {
            let isStarted = !keychain.hasDaemon
            if isStarted {
                guard mayStart else { return nil }
                try Agent(for: keychain.host.owner).start()
            }
            try keychain.perform(.unlock(passcode))
            return isStarted ? "; started llaverod, which keeps it unlocked" : ""
        } catch { return nil }
    }
}
