// SPDX-License-Identifier: Apache-2.0

/// `security help`.
enum HelpSubcommand: SecurityVerb {
    static let name = "help"
    static let summary = "lists the subcommands, or explains one"
    static let usage = """
        [SUBCOMMAND]

        Lists the subcommands, or explains one.
        """

    static let synopsis = "security [-h] [-q] [-v] [-i] [-p PROMPT] SUBCOMMAND [OPTION…]"
    /// What counts for all subcommands.
    static let generalities = """
        -i reads subcommands from standard input, -p PROMPT does so with a prompt of its own; -q says nothing of
        what went wrong, -v says more. It ends with the lowest byte of the status: 0 when it did what it was to,
        44 when nothing was found, 45 when something is there already, 36 when somebody would have to be asked,
        51 when a passphrase is wrong; and with 2 when it was not understood.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: ""))
        guard let wanted = try options.operandIfAny("subcommand") else {
            print("Usage: \(synopsis)\n")
            let width = SecurityTable.all.map({ $0.name.count }).max() ?? 0
            for verb in SecurityTable.all {
                print("    \(verb.name)\(String(repeating: " ", count: width - verb.name.count))  \(verb.summary)")
            }
            print("\n" + generalities)
            return
        }
        guard let verb = SecurityTable.verb(wanted) else { throw .usage("there is no subcommand \(wanted)") }
        print(SecurityTable.help(of: verb))
    }
}
