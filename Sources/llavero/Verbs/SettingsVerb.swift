// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainTools

/// `llavero settings`.
enum SettingsVerb: Verb {
    static let name = "settings"
    static let summary = "shows or sets when the keychain locks automatically, and its snapshots"
    static let help = """
        usage: llavero settings [--keychain NAME] [--json | --plain]
               llavero settings [--keychain NAME] [--lock-after TIME] [--lock-with-session yes | no]
                                [--daily-snapshots yes | no]

        Shows or sets when a keychain that a daemon keeps unlocked is locked automatically, and whether the day's first change is
        preceded by a snapshot; settings that are not given stay. `llavero unlock --for`
        has it locked after a time however it is used, once, and these settings hold meanwhile, too.

          --lock-after TIME         after that time without a call: seconds, or such as 15m, 1h30m; or never
          --lock-with-session WORD  yes: when the machine sleeps, a session of yours is locked, or your last one ends, be it
                                    over ssh and with programs left running; no: not then
          --daily-snapshots WORD    yes: the tools make a snapshot each day; no: only before a restore, or when asked to
          --keychain NAME           settings of another keychain, by name or path
          --json                    one object
          --plain                   a line for each field: its name, a tab, its value
          --quiet                   prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        let (time, session) = (options.value("--lock-after"), options.value("--lock-with-session"))
        let daily = options.value("--daily-snapshots")
        for (name, word) in [("--lock-with-session", session), ("--daily-snapshots", daily)] {
            if let word, !["yes", "no"].contains(word) { throw .usage("\(name) requires yes or no") }
        }
        let timeout = time == "never" ? nil : try options.time("--lock-after")
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        var settings = try keychain.settings()
        guard time != nil || session != nil || daily != nil else {
            if options.has("--quiet") { throw .usage("--quiet requires a setting to change") }
            return show(settings, Snapshots(of: keychain)?.areDaily, form)
        }
        guard form == .people else { throw .usage("--json and --plain cannot be used with settings to change") }
        if let daily {
            try Snapshots.required(of: keychain).setDaily(daily == "yes")
            options.tell(
                "the keychain \(keychain.shownName) gets \(daily == "yes" ? "a" : "no") snapshot each day from now on")
        }
        guard time != nil || session != nil else { return }
        if time != nil { settings.timeout = timeout }
        if let session { settings.locksWithSession = session == "yes" }
        try keychain.perform(.change(settings))
        options.tell("the keychain \(keychain.shownName) locks \(sentence(settings)) from now on")
    }

    private static func show(_ settings: KeychainSettings, _ areDaily: Bool?, _ form: OutputForm) {
        let members: [(String, JSONText)] = [
            ("lock-after", .optional(settings.timeout.map { Int64($0) })),
            ("lock-with-session", .boolean(settings.locksWithSession)),
            ("daily-snapshots", areDaily.map { .boolean($0) } ?? .null),
        ]
        switch form {
        case .json: print(JSONText.object(members).line)
        case .plain: for (name, value) in members { print("\(name)\t\(PlainText.field(value))") }
        case .people:
            print("locks \(sentence(settings))")
            if let areDaily { print(areDaily ? "a snapshot each day" : "no snapshot each day") }
        }
    }

    private static func sentence(_ settings: KeychainSettings) -> String {
        let time = settings.timeout.map { "after \(TimeSpan.words($0)) without a call" }
        let session = settings.locksWithSession ? "with the session and when the machine sleeps" : nil
        let ways = [time, session].compactMap(\.self)
        return ways.isEmpty
            ? "only by `llavero lock`, and at the end of an `llavero unlock --for`" : ways.joined(separator: ", and ")
    }
}
