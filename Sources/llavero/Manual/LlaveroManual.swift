// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainTools
internal import SecurityTool

/// The manual pages of `llavero`, made from the help of its verbs.
enum LlaveroManual {
    static func page(of verb: any Verb.Type) -> String {
        let help = HelpText(verb.help)
        var page = ManualPage("llavero-\(verb.name)", section: 1, verb.summary)
        page.add(synopsis: help.ways)
        page.add(section: "DESCRIPTION", help.paragraphs)
        if !help.options.isEmpty { page.add(section: "OPTIONS") }
        page.add(options: help.options)
        page.add(examples: VerbExamples.of(verb.name))
        return ended(page)
    }

    /// The one that lists the others.
    static func overview(of verbs: [any Verb.Type]) -> String {
        var page = ManualPage("llavero", section: 1, "keeps passwords, keys and certificates")
        page.add(synopsis: ["llavero VERB [OPTION…] [NAME…]"])
        page.add(
            section: "DESCRIPTION",
            [["Each verb has a page of its own, llavero-VERB(1), and `llavero help VERB` says the same."]])
        page.add(section: "VERBS")
        for verb in verbs { page.add(term: verb.name, verb.summary) }
        page.add(
            section: "NAMES",
            [
                [
                    "An item is named by its label, by its service or server, by these with the user after a slash, by its URL, or by its",
                    "identifier, which `llavero show` prints. All of these count alike: when several items have the name, nothing is done, and",
                    "each is listed with a unique name. A person's items may have the same user and URL under two names.",
                ]
            ])
        page.add(
            section: "THE AGENT",
            [
                [
                    "`llavero unlock` and `security unlock-keychain` start llaverod(8), if none runs, as your agent: it keeps keychains",
                    "unlocked between commands. Every command starts it again if an agent with keychains was killed. It",
                    "ends with `llavero lock --end-agent`, and gives its keychains back.",
                ]
            ])
        page.add(examples: [
            ("llavero add github --user ada", "keeps a password"), ("llavero get github", "prints it"),
            ("llavero unlock --for 1h", "unlocks a keychain with a passcode for an hour"),
            ("llavero doctor", "finds problems, and shows how to fix them"),
        ])
        page.add(section: "FILES")
        page.add(term: "~/.local/share/llavero", "a folder for each keychain")
        page.add(section: "ENVIRONMENT")
        for (name, text) in [
            ("LLAVERO_KEYCHAIN", "the name of the only keychain to use, instead of the search list"),
            ("LLAVERO_HOME", "the folder of the keychains"), ("LLAVERO_SOCKET", "the socket of the daemon to ask"),
            ("NO_COLOR", "disables colours when it is set"),
        ] {
            page.add(term: name, text)
        }
        return ended(page)
    }

    private static func ended(_ page: ManualPage) -> String {
        var page = page
        page.add(
            section: "EXIT STATUS",
            [
                [
                    "0 on success, 1 on failure, 2 when the command line is wrong, 36 when the keychain is locked or a person is needed and",
                    "no prompt is possible, 44 when there is no such item, 45 when the item exists already, 46 when several items",
                    "have the name.",
                ]
            ])
        page.add(seeAlso: [("llavero", 1), ("security", 1), ("llaverod", 8)])
        return page.text
    }
}

/// `llavero manual`, for installers.
enum ManualVerb: Verb {
    static let name = "manual"
    static let summary = "writes the manual pages; `make install` calls it"
    static let help = """
        usage: llavero manual FOLDER

        Writes the manual pages (llavero.1, one for each verb, security.1, and those of the helpers) into a folder, and replaces
        existing ones.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let folder = try Options(words, help: help).operand("FOLDER")
        try write(LlaveroManual.overview(of: VerbTable.all), to: "\(folder)/llavero.1")
        for verb in VerbTable.all { try write(LlaveroManual.page(of: verb), to: "\(folder)/llavero-\(verb.name).1") }
        for helper in CredentialHelper.allCases {
            try write(HelperManual.page(of: helper), to: "\(folder)/\(helper.rawValue).1")
        }
        try write(SecurityTool.manual, to: "\(folder)/security.1")
    }

    private static func write(_ text: String, to path: String) throws(CommandError) {
        let file = try NewFile(for: path)
        try file.write(Array(text.utf8))
        try file.publish()
        try file.take()
    }
}
