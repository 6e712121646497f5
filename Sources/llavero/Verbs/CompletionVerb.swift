// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// `llavero completion`.
enum CompletionVerb: Verb {
    static let name = "completion"
    static let summary = "prints the completion script for a shell"
    static let help = """
        usage: llavero completion bash | zsh | fish

        Prints a completion script for the shell: verbs, options, and the names of your items.

        bash: source <(llavero completion bash), in ~/.bashrc.
        zsh: source <(llavero completion zsh), in ~/.zshrc behind compinit.
        fish: llavero completion fish | source, in ~/.config/fish/config.fish.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let shell = try Options(words, help: help).operand("SHELL")
        guard let completion = ShellCompletion(rawValue: shell) else {
            throw .usage("the shell has to be bash, zsh or fish")
        }
        print(completion.script, terminator: "")
    }
}

/// `llavero completed`: names that the completion scripts ask for, a line each; it asks nobody.
enum CompletedVerbNames: Verb {
    static let name = "completed"
    static let summary = "names of tags, or of what an item has; completion scripts call it"
    static let help = """
        usage: llavero completed tags | values | fields | attachments [NAME]

        Prints names for a shell's completion, a line each: tags of all items or of one, or the values, fields or attachments of an
        item.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard let kind = options.operands.first, options.operands.count <= 2 else { throw .usage("KIND is missing") }
        let keychains = try Keychains(options)
        guard options.operands.count == 2 else {
            guard kind == "tags" else { throw .usage("NAME is missing") }
            var tags: Set<String> = []
            try ItemScope.own.forEachItem(in: try OpenKeychains(among: keychains.searched).open) { item in
                tags.formUnion(item.properties.tags)
            }
            return put(tags.sorted())
        }
        let item = try ItemName(options.operands[1]).item(in: keychains, try ItemScope(options))
        let (further, properties) = (try item.furtherItems(), item.properties)
        let fields = properties.fields.map(\.name) + further.filter { $0.kind == .field }.map(\.name)
        switch kind {
        case "tags": put(properties.tags)
        case "attachments": put(further.filter { $0.kind == .attachment }.map(\.name))
        case "fields": put(fields + (further.contains { $0.kind == .notes } ? ["note"] : []))
        case "values":
            var values = ["user", "url", "note"]
            if further.contains(where: { $0.kind == .code }) { values.append("code") }
            put(values + fields)
        default: throw .usage("KIND has to be tags, values, fields or attachments")
        }
    }

    private static func put(_ names: [String]) {
        for name in names { print(PlainText.field(.text(name))) }
    }
}
