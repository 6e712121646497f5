// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainTools
internal import SecurityTool

/// The shell completions of one verb: read from its help, so that they cannot be out of date.
struct CompletedVerb {
    /// The source of completions.
    enum Source: Equatable {
        case words([String])
        /// A column of what a command prints, by its number.
        case column(Int, of: String)
        /// What the item that is named before has, by the kind that `llavero completed` knows.
        case ofItem(String)
        /// A variable's name, and after its equals sign an item's.
        case variables
        case files
    }

    let name: String
    let summary: String
    let options: [HelpText.Option]
    /// The choices for its first word, as `make`, `use` and `remove` of `recovery`.
    let words: [String]
    /// The source for the words after that; nil if unknown.
    let operands: Source?

    static let all: [CompletedVerb] = VerbTable.all.map(CompletedVerb.init(of:))

    static let items = Source.column(1, of: "list --plain")
    static let keychains = Source.column(1, of: "keychains --plain")

    init(of verb: any Verb.Type) {
        let help = HelpText(verb.help)
        (name, summary) = (verb.name, verb.summary)
        options = help.options + [HelpText.Option(name: "--help", value: nil, explanation: "explains the verb")]
        words = verb.name == HelpVerb.name ? VerbTable.all.map { $0.name } : CompletedVerb.words(in: help.ways)
        if verb.name == KeychainsVerb.name {
            operands = CompletedVerb.keychains
        } else if verb.name == UndeleteVerb.name {
            operands = .column(2, of: "history --plain")
        } else if [CodeVerb.name, HistoryVerb.name, RestoreVersionVerb.name, ForgetVerb.name].contains(verb.name) {
            operands = CompletedVerb.items
        } else if help.options.contains(where: { $0.name == "--apps" })
            && help.ways.contains(where: { $0.split(separator: " ").contains { $0 == "NAME" || $0 == "NAME…" } })
        {
            operands = CompletedVerb.items
        } else {
            operands = nil
        }
    }

    /// The lower-case choices at the start of its synopsis, such as `bash | zsh | fish`.
    private static func words(in ways: [String]) -> [String] {
        var words: [String] = []
        for way in ways {
            var mayFollow = true
            for word in way.split(separator: " ").dropFirst(2) {
                if word == "|" {
                    mayFollow = true
                    continue
                }
                let bare = word.trimmingBrackets
                guard mayFollow, bare.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D }), bare.first != "-"
                else { break }
                if !words.contains(bare) { words.append(bare) }
                mayFollow = false
            }
        }
        return words
    }

    /// The source for an option's value; nil for free text.
    func values(of option: HelpText.Option) -> Source? {
        switch option.name {
        case "--keychain": CompletedVerb.keychains
        case "--group" where name != SignVerb.name && option.value == "GROUP": .column(1, of: "groups --plain")
        case "--user" where name != AddVerb.name: .column(2, of: "list --plain")
        case "--kind": .words(ItemClass.allCases.map(ToolItem.kind(of:)))
        case "--enclave": .words(["software", "tpm"])
        case "--lock-with-session", "--daily-snapshots": .words(["yes", "no"])
        case "--format":
            .words(
                name == ImportVerb.name ? ImportFormat.allCases.map(\.name) : ExportedFormat.allCases.map(\.rawValue))
        case "--env", "--file": .variables
        case "--field": .ofItem([GetVerb.name, CopyVerb.name].contains(name) ? "values" : "fields")
        case "--no-field": .ofItem("fields")
        case "--detach", "--attachment": .ofItem("attachments")
        case "--no-tag": .ofItem("tags")
        case "--tag": .column(1, of: "completed tags")
        case "--attach", "--env-file", "--html", "--key", "--key-file", "--out", "--output", "--signer", "--signers",
            "--store":
            .files
        default: nil
        }
    }
}

/// The same of `security`, whose options are letters.
struct CompletedSubcommand {
    let name: String
    let summary: String
    let options: [HelpText.Option]

    static let all = SecurityTool.subcommands.map { verb in
        CompletedSubcommand(name: verb.name, summary: verb.summary, options: verb.options)
    }

    static func values(of option: HelpText.Option) -> CompletedVerb.Source? {
        switch (option.name, option.value) {
        case ("-l", .some): .column(1, of: "list --apps --plain")
        case ("-a", .some): .column(2, of: "list --apps --plain")
        case ("-s", .some): .column(3, of: "list --apps --plain")
        default: nil
        }
    }
}

extension Substring {
    /// Without the brackets that mark it as optional.
    fileprivate var trimmingBrackets: String { String(filter { $0 != "[" && $0 != "]" }) }
}
