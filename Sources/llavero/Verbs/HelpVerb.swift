// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero help`: lists the verbs, or explains one.
enum HelpVerb: Verb {
    static let name = "help"
    static let summary = "lists the verbs, or explains one"
    static let help = """
        usage: llavero help [VERB]

        Lists the verbs, or explains one.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let operands = try Options(words).operands
        guard let wanted = operands.first else {
            print("usage: llavero VERB [OPTION…] [FILE]\n")
            let width = VerbTable.all.map({ $0.name.count }).max() ?? 0
            for verb in VerbTable.all {
                print("  \(verb.name)\(String(repeating: " ", count: width - verb.name.count))  \(verb.summary)")
            }
            print(
                """

                Exit status: 0 on success, 1 on failure, 2 when the command line is wrong, 36 when the keychain is locked or no prompt is
                possible, 44 when there is no such item, 45 when the item exists already, 46 when several items have the name.
                """)
            return
        }
        guard let verb = VerbTable.all.first(where: { $0.name == wanted }) else {
            throw .usage(VerbTable.nothing(called: wanted))
        }
        // `help passcode set` means the verb, whose help explains the word too.
        if operands.count > 1, !CompletedVerb(of: verb).words.contains(operands[1]) || operands.count > 2 {
            let calls = operands.filter { name in VerbTable.all.contains { $0.name == name } }.map {
                "`llavero help \($0)`"
            }
            throw .usage("help explains one verb at a time: \(calls.joined(separator: ", "))")
        }
        print(verb.help + VerbExamples.text(of: verb.name))
    }
}

/// `llavero version`.
enum VersionVerb: Verb {
    static let name = "version"
    static let summary = "prints the version, and those of the libraries"
    static let help = """
        usage: llavero version

        Prints the version, the commit that it was made of, the format of the files that it writes, and the versions of SQLite and
        OpenSSL and the file of tpm2-tss that it runs with. `llavero --version` is the same.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        guard try Options(words).operands.isEmpty else { throw .usage("version accepts no arguments") }
        print(VersionText.lines(of: "llavero"))
    }
}
