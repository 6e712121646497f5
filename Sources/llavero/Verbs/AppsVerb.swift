// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainSystem
internal import KeychainTools

/// `llavero apps`.
enum AppsVerb: Verb {
    static let name = "apps"
    static let summary = "lists the programs that use the Secret Service, and decides about them"
    static let help = """
        usage: llavero apps [list] [--json | --plain]
               llavero apps allow | ask | refuse | forget PROGRAM [--quiet]
               llavero apps others allow | ask | refuse [--quiet]

        Lists the programs that asked for passwords on the session's bus (browsers, libsecret, Python's keyring and others), and
        what each may: `allow` shows it all items, `ask` has you asked when it wants to unlock them, `refuse` has it find every
        collection locked. `others` is what holds for programs about which nothing was decided; that is `allow` at first. What is
        decided counts at once, and is remembered. `forget` takes a decision back.

        PROGRAM is written as the list shows it, or as its file's name if no other program has that.

        A program is known by the file that it executes, a script by its interpreter and the full path of its file, a Flatpak or
        snap by its name. Code on a command line (python3 -c) and modules (python3 -m) are known by the interpreter alone. That
        keeps programs in order that mean well. Another program of yours can pass itself off as any of them.

          --json     an object for each program
          --plain    a line for each program, with fields separated by tabs
          --quiet    prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let form = try OutputForm(options)
        var operands = options.operands[...]
        let action = operands.popFirst() ?? "list"
        guard action == "list" || form == .people else { throw .usage("apps \(action) prints no list") }
        let file = ProgramFile(
            root: try ToolKeychain.translating { () throws(KeychainError) in try Place.root(named: .current()) })
        switch action {
        case "list":
            guard operands.isEmpty else { throw .usage("apps list takes no arguments") }
            try list(file, form)
        case "others":
            guard let word = operands.popFirst(), operands.isEmpty, let decision = ProgramList.Decision(rawValue: word)
            else { throw .usage("apps others takes allow, ask or refuse") }
            try change(file) { list in
                list.others = decision
                return true
            }
            options.tell("programs about which nothing was decided: \(decision.rawValue)")
        case "allow", "ask", "refuse", "forget":
            guard let word = operands.popFirst(), operands.isEmpty else {
                throw .usage("apps \(action) takes one program")
            }
            let program = try program(word, file)
            let decision = ProgramList.Decision(rawValue: action)
            try change(file) { list in
                guard let decision else { return list.forget(program) }
                return list.decide(decision, on: program, at: UInt64(clamping: Glibc.time(nil)))
            }
            options.tell("\(program.key): \(decision?.rawValue ?? "nothing is decided any more")")
        default:
            throw .usage(
                "unknown action of apps: \(PlainText.shown(action)); the actions are list, allow, ask, refuse, forget and others"
            )
        }
    }

    private static func list(_ file: ProgramFile, _ form: OutputForm) throws(CommandError) {
        let list = try ToolKeychain.translating { () throws(KeychainError) in try file.list() }
        var listing = Listing([
            .init("PROGRAM", "program"), .init("MAY", "decision"), .init("FIRST SEEN", "firstSeen"),
            .init("LAST SEEN", "lastSeen"),
        ])
        listing.rows = list.entries.map { entry in
            let decision = entry.decision.map(\.rawValue) ?? (form == .people ? "\(list.others.rawValue) (others)" : "")
            return [
                .text(entry.program.key), .text(decision), .text(time(entry.firstSeen)),
                .text(time(entry.lastSeen)),
            ]
        }
        listing.print(form)
    }

    private static func time(_ seconds: UInt64) -> String {
        UTCTime(secondsSince1970: Int64(clamping: seconds)).text
    }

    private static func change(
        _ file: ProgramFile, _ body: (inout ProgramList) -> Bool
    ) throws(CommandError) {
        try ToolKeychain.translating { () throws(KeychainError) in try file.change(body) }
    }

    /// The program that a word means: one of the list, or any by its full name.
    private static func program(_ word: String, _ file: ProgramFile) throws(CommandError) -> BusProgram {
        if let program = BusProgram(key: word) { return program }
        if word.hasPrefix("/"), let program = BusProgram(key: "program:\(word)") { return program }
        guard !word.hasPrefix("script:") else {
            throw .usage(
                "a script is named by the full path of its interpreter and its own, as script:/usr/bin/python3.11 /PATH"
            )
        }
        let known = try ToolKeychain.translating { () throws(KeychainError) in try file.list() }.entries.map(\.program)
        let meant = known.filter { $0.name == word || $0.name.split(separator: "/").last.map(String.init) == word }
        guard let program = meant.first else {
            throw .notFound("no program of that name used the Secret Service; `llavero apps` lists those that did")
        }
        guard meant.count == 1 else {
            throw .usage("several programs have that name: \(meant.map(\.key).joined(separator: ", "))")
        }
        return program
    }
}
