// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainTools

/// `llavero settings`.
enum SettingsVerb: Verb {
    static let name = "settings"
    static let summary = "says, or sets, when the keychain locks by itself"
    static let help = """
        usage: llavero settings [--keychain NAME] [--json | --plain]
               llavero settings [--keychain NAME] [--lock-after TIME] [--lock-with-session yes | no]

        Says when a keychain that a daemon keeps unlocked is locked by itself, or sets it; what is not told stays. `llavero unlock --for`
        does it once.

          --lock-after TIME         after that time without a call: seconds, or such as 15m, 1h30m; never for no such time
          --lock-with-session WORD  yes: when the machine sleeps, the session is locked, or it ends; no: then it stays as it is
          --keychain NAME           those of another keychain, by its name or its path
          --json                    one object
          --plain                   a line for each thing: its name, a tab, its value
          --quiet                   says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        let (time, session) = (options.value("--lock-after"), options.value("--lock-with-session"))
        if let session, !["yes", "no"].contains(session) { throw .usage("--lock-with-session wants yes or no") }
        let timeout = time == "never" ? nil : try options.time("--lock-after")
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        var settings = try keychain.settings()
        guard time != nil || session != nil else {
            if options.has("--quiet") { throw .usage("--quiet goes with what is to be set") }
            return show(settings, form)
        }
        guard form == .people else { throw .usage("--json and --plain say what is set, and set nothing") }
        if time != nil { settings.timeout = timeout }
        if let session { settings.locksWithSession = session == "yes" }
        try keychain.perform(.change(settings))
        options.tell("the keychain \(keychain.shownName) locks \(sentence(settings)) from now on")
    }

    private static func show(_ settings: KeychainSettings, _ form: OutputForm) {
        let members: [(String, JSONText)] = [
            ("lock-after", .optional(settings.timeout.map { Int64($0) })),
            ("lock-with-session", .boolean(settings.locksWithSession)),
        ]
        switch form {
        case .json: print(JSONText.object(members).line)
        case .plain: for (name, value) in members { print("\(name)\t\(PlainText.field(value))") }
        case .people: print("locks \(sentence(settings))")
        }
    }

    private static func sentence(_ settings: KeychainSettings) -> String {
        let time = settings.timeout.map { "after \(TimeSpan.words($0)) without a call" }
        let session = settings.locksWithSession ? "with the session and when the machine sleeps" : nil
        let ways = [time, session].compactMap(\.self)
        return ways.isEmpty ? "by `llavero lock` alone" : ways.joined(separator: ", and ")
    }
}
