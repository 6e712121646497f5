// SPDX-License-Identifier: Apache-2.0

internal import KeychainManual
internal import KeychainTools

/// What shells are told of the verbs and their options; made from the table and the help, so that it cannot be out of date.
enum ShellCompletion: String, CaseIterable {
    case bash
    case zsh
    case fish

    var script: String {
        switch self {
        case .bash: ShellCompletion.bashScript
        case .zsh: ShellCompletion.zshScript
        case .fish: ShellCompletion.fishScript
        }
    }

    /// Whether the words behind a verb are names of items.
    private static func takesItems(_ help: HelpText) -> Bool {
        help.options.contains { $0.name == "--apps" }
            && help.ways.contains { $0.split(separator: " ").contains { $0 == "NAME" || $0 == "NAME…" } }
    }

    /// Names come from anywhere: they are compared and quoted, and never expanded.
    private static var bashScript: String {
        var cases = ""
        for verb in VerbTable.all {
            let help = HelpText(verb.help)
            let options = (help.options.map(\.name) + ["--help"]).joined(separator: " ")
            cases += "        \(verb.name)) options='\(options)' items=\(takesItems(help) ? "yes" : "no") ;;\n"
        }
        return """
            # llavero, for bash
            _llavero() {
                local word=${COMP_WORDS[COMP_CWORD]} options= items=no name
                COMPREPLY=()
                if [[ $COMP_CWORD -eq 1 ]]; then
                    COMPREPLY=($(compgen -W '\(VerbTable.all.map { $0.name }.joined(separator: " "))' -- "$word"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases)    esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$word"))
                elif [[ $items == yes ]]; then
                    while IFS= read -r name; do
                        if [[ $name == "$word"* ]]; then COMPREPLY+=("$(printf %q "$name")"); fi
                    done < <("${COMP_WORDS[0]}" list --plain </dev/null 2>/dev/null | cut -f1)
                fi
            }
            complete -o default -F _llavero llavero

            """
    }

    private static var zshScript: String {
        var verbs = ""
        var cases = ""
        for verb in VerbTable.all {
            let help = HelpText(verb.help)
            verbs += "        '\(verb.name):\(quoted(verb.summary))'\n"
            let options = help.options.map { option in
                let mark = option.isRepeated ? "*" : ""
                let value = option.value.map { ":\(quoted($0)):" } ?? ""
                return " '\(mark)\(option.name)[\(quoted(option.explanation))]\(value)'"
            }
            let operands = takesItems(help) ? " '*:item:_llavero_items'" : " '*: :_default'"
            cases += "        \(verb.name)) _arguments\(options.joined())\(operands) ;;\n"
        }
        return """
            #compdef llavero
            # llavero, for zsh
            _llavero_items() {
                local -a items
                items=(${(f)"$(llavero list --plain </dev/null 2>/dev/null | cut -f1)"})
                compadd -a items
            }
            _llavero() {
                local -a verbs
                verbs=(
            \(verbs)    )
                if (( CURRENT == 2 )); then
                    _describe verb verbs
                    return
                fi
                shift words
                (( CURRENT-- ))
                case $words[1] in
            \(cases)    esac
            }
            if [[ $funcstack[1] == _llavero ]]; then _llavero "$@"; else compdef _llavero llavero; fi

            """
    }

    private static var fishScript: String {
        var lines = "# llavero, for fish\ncomplete -c llavero -n __fish_use_subcommand -f\n"
        for verb in VerbTable.all {
            let help = HelpText(verb.help)
            let seen = "-n '__fish_seen_subcommand_from \(verb.name)'"
            lines += "complete -c llavero -n __fish_use_subcommand -a \(verb.name) -d '\(escaped(verb.summary))'\n"
            for option in help.options {
                let value = option.value == nil ? "" : " -r"
                let name =
                    option.name.hasPrefix("--") ? "-l \(option.name.dropFirst(2))" : "-s \(option.name.dropFirst())"
                lines += "complete -c llavero \(seen) \(name)\(value) -d '\(escaped(option.explanation))'\n"
            }
            if takesItems(help) {
                lines += "complete -c llavero \(seen) -f -a '(llavero list --plain </dev/null 2>/dev/null | cut -f1)'\n"
            }
        }
        return lines
    }

    /// Inside of quotation marks of zsh, where colons and brackets mean something to _arguments.
    private static func quoted(_ text: String) -> String {
        text.map { letter in
            switch letter {
            case "'": "'\\''"
            case ":", "[", "]": "\\\(letter)"
            default: String(letter)
            }
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
