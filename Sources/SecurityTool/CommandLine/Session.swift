// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainStatus
internal import KeychainTools

/// One run of the program: the settings for all of its subcommands.
struct Session {
    var isQuiet = false
    var isVerbose = false
    /// Whether the subcommand is on the command line, which every program on the machine can read.
    var isOnCommandLine = true

    /// Reads the options before the subcommand, and runs it; returns the exit code.
    static func run(_ words: ArraySlice<String>) -> Int32 {
        var session = Session()
        var (rest, isInteractive, prompt) = (words, false, InteractiveMode.usualPrompt)
        if let place = Tool.unreadableWord() {
            return session.report(
                .usage("argument \(place) is not UTF-8; -X or --password-fd accepts a password of other bytes"), of: nil
            )
        }
        // A Mac's has no such option.
        if rest.elementsEqual(["--version"]) {
            print(VersionText.lines(of: "security"))
            return 0
        }
        if rest.elementsEqual(["--help"]) { return session.execute(["help"]) }
        while let word = rest.first, word.hasPrefix("-"), word != "-" {
            rest = rest.dropFirst()
            for letter in word.dropFirst() {
                switch letter {
                case "q": session.isQuiet = true
                case "v": session.isVerbose = true
                case "i": isInteractive = true
                case "h": return session.execute(["help"])
                case "p" where word == "-p":
                    guard let text = rest.popFirst() else {
                        return session.report(.usage("-p requires a prompt"), of: nil)
                    }
                    (prompt, isInteractive) = (text, true)
                case "l":
                    let why = "-l (memory leaks) is only available on a Mac"
                    return session.report(.usage(why), of: nil)
                default: return session.report(.usage("unknown option: -\(letter)"), of: nil)
                }
            }
        }
        if isInteractive {
            guard rest.isEmpty else {
                return session.report(
                    .usage("-i reads subcommands from standard input and accepts none on the command line"), of: nil)
            }
            session.isOnCommandLine = false
            return InteractiveMode(session, prompt: prompt).run()
        }
        return session.execute(rest)
    }

    /// Runs one subcommand, and reports its failure.
    func execute(_ words: ArraySlice<String>) -> Int32 {
        guard let name = words.first else {
            return report(.usage("no subcommand is given"), of: nil)
        }
        guard let verb = SecurityTable.verb(name) else {
            return report(.usage("unknown subcommand: \(name)\(SecurityTable.question(name))"), of: nil)
        }
        do throws(SecurityFailure) {
            if let word = words.dropFirst().first, ["-h", "--help"].contains(word), words.count == 2 {
                print(SecurityTable.help(of: verb))
            } else {
                try verb.run(words.dropFirst(), self)
            }
            return 0
        } catch { return report(error, of: verb) }
    }

    /// Writes the reason of a failure to standard error; returns the exit code.
    func report(_ failure: SecurityFailure, of verb: (any SecurityVerb.Type)?) -> Int32 {
        fflush(nil)
        if isQuiet { return failure.code }
        switch failure {
        case .usage(let why):
            Session.say("security: \(why)")
            if let verb {
                Session.say("Usage: security \(verb.name) \(SecurityTable.synopsis(of: verb))")
                Session.say("`security help \(verb.name)` explains it")
            } else {
                Session.say("Usage: security [-q] [-v] [-i] SUBCOMMAND …; `security help` lists the subcommands")
            }
        case .status(let status, let call, let why):
            let text = status.sentence ?? "OSStatus \(status.number)"
            Session.say("security: \(call): \(text)")
            if let why { Session.say("security: \(why)") }
        case .failure(let why): Session.say("security: \(why)")
        case .silent: break
        case .ending(let failure, _): _ = report(failure, of: verb)
        }
        return failure.code
    }

    /// Writes a remark for a person: only on a terminal, or with -v.
    func remark(_ text: String) {
        guard !isQuiet, isVerbose || isatty(STDERR_FILENO) == 1 else { return }
        fflush(nil)
        Session.say("security: \(text)")
    }

    /// Writes a warning about something that was done differently than requested.
    func warn(_ text: String) {
        guard !isQuiet else { return }
        fflush(nil)
        Session.say("security: \(text)")
    }

    /// Output that a Mac writes to standard error.
    func answer(_ text: String) {
        fflush(nil)
        Session.say(text)
    }

    private static func say(_ text: String) {
        let line = Array((PlainText.lines(text) + "\n").utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
