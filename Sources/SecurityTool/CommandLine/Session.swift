// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainStatus
internal import KeychainTools

/// One run of the program: what counts for all of its subcommands.
struct Session {
    var isQuiet = false
    var isVerbose = false
    /// Whether the subcommand stands in the words that every program of the machine may read.
    var isOnCommandLine = true

    /// Reads the words before the subcommand, and does it; what the program is to end with.
    static func run(_ words: ArraySlice<String>) -> Int32 {
        var session = Session()
        var (rest, isInteractive, prompt) = (words, false, Interaction.usualPrompt)
        if let place = Tool.unreadableWord() {
            return session.report(.usage("word \(place) is no UTF-8; -X takes a password of other bytes"), of: nil)
        }
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
                        return session.report(.usage("-p wants a prompt"), of: nil)
                    }
                    (prompt, isInteractive) = (text, true)
                case "l":
                    let why = "-l (leaks of memory) is of the Mac's own tools"
                    return session.report(.usage(why), of: nil)
                default: return session.report(.usage("there is no option -\(letter)"), of: nil)
                }
            }
        }
        if isInteractive {
            guard rest.isEmpty else { return session.report(.usage("-i reads subcommands from its input"), of: nil) }
            session.isOnCommandLine = false
            return Interaction(session, prompt: prompt).run()
        }
        return session.execute(rest)
    }

    /// Does one subcommand, and says what went wrong.
    func execute(_ words: ArraySlice<String>) -> Int32 {
        guard let name = words.first else {
            return report(.usage("say what to do"), of: nil)
        }
        guard let verb = SecurityTable.verb(name) else {
            return report(.usage("there is no subcommand \(name)\(SecurityTable.question(name))"), of: nil)
        }
        do throws(SecurityFailure) {
            if words.dropFirst().first == "-h", words.count == 2 {
                print(SecurityTable.help(of: verb))
            } else {
                try verb.run(words.dropFirst(), self)
            }
            return 0
        } catch { return report(error, of: verb) }
    }

    /// Says why something failed, on standard error; returns what the program is to end with.
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

    /// Says something that a person may want to know, where one is looking: on a terminal, or with -v.
    func remark(_ text: String) {
        guard !isQuiet, isVerbose || isatty(STDERR_FILENO) == 1 else { return }
        fflush(nil)
        Session.say("security: \(text)")
    }

    /// Says what was done otherwise than was asked.
    func warn(_ text: String) {
        guard !isQuiet else { return }
        fflush(nil)
        Session.say("security: \(text)")
    }

    /// An answer that a Mac gives on standard error.
    func answer(_ text: String) {
        fflush(nil)
        Session.say(text)
    }

    private static func say(_ text: String) {
        let line = Array((PlainText.lines(text) + "\n").utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
