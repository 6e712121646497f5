// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `security help`.
enum HelpSubcommand: SecurityVerb {
    static let name = "help"
    static let summary = "lists the subcommands, or explains one"
    static let usage = """
        [SUBCOMMAND]

        Lists the subcommands, or explains one.
        """

    static let synopsis = "security [-h] [-q] [-v] [-i] [-p PROMPT] SUBCOMMAND [OPTION…]"
    /// The help for all subcommands.
    static let generalities = """
        -i reads subcommands from standard input, -p PROMPT does so with this prompt; -q suppresses error messages,
        -v prints more. `--help` stands for help, also after a subcommand; `security --version` prints the version of Llavero. The exit status is the lowest byte of the OSStatus: 0 on success, 44 when nothing was found,
        45 when the item exists already, 36 when a prompt would be needed, 51 when a passphrase is wrong; and 2 when
        the command line is wrong.
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
        guard let verb = SecurityTable.verb(wanted) else { throw .usage("unknown subcommand: \(wanted)") }
        print(SecurityTable.help(of: verb))
    }
}

/// The manual page of `security`, made from the help of its subcommands.
enum SecurityManual {
    static var page: String {
        var page = ManualPage("security", section: 1, "keychains from the command line, as on a Mac")
        page.add(synopsis: [HelpSubcommand.synopsis])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "The command of a Mac, for the same keychains that llavero(1) and programs use. `security help SUBCOMMAND` prints the",
                    "same help for one subcommand.",
                ],
                HelpSubcommand.generalities.split(separator: "\n").map(String.init),
                [
                    "A keychain is given by name or path; build.keychain is the same as build.keychain-db. `unlock-keychain` starts llaverod(8),",
                    "if none runs, which keeps the keychain unlocked for later commands; it is ended with",
                    "`llavero lock --end-agent`.",
                ],
            ])
        page.add(section: "SUBCOMMANDS")
        for verb in SecurityTable.all {
            let help = HelpText("usage: security \(verb.name) \(verb.usage)")
            page.add(subsection: verb.name)
            page.add(ways: help.ways)
            page.add([[]] + help.paragraphs)
            page.add(options: help.options)
        }
        page.add(examples: [
            ("security add-generic-password -s deploy -a ci -w", "asks for a password and stores it"),
            ("security find-generic-password -s deploy -w", "prints it"),
            ("security create-keychain -p '' build.keychain", "creates a keychain without a password"),
            (
                "security unlock-keychain --password-fd 3 build.keychain 3< file",
                "unlocks a keychain with a password from a file"
            ),
            ("security import identity.p12 -k build.keychain -P secret", "imports a certificate and its key"),
        ])
        page.add(seeAlso: [("llavero", 1), ("llaverod", 8)])
        return page.text
    }
}
