// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// Shell completions of the verbs and their options; made from the table and the help, so that they cannot be out of date.
///
/// Names of items and keychains are untrusted: they are compared and quoted, and never expanded.
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

    /// The shell command that prints the names.
    private static func command(_ column: Int, _ words: String) -> String {
        "llavero \(words) </dev/null 2>/dev/null | cut -f\(column)"
    }
}

// MARK: bash

extension ShellCompletion {
    private static var bashScript: String {
        var verbs = ""
        var values = ""
        for verb in CompletedVerb.all {
            let options = verb.options.map(\.name).joined(separator: " ")
            verbs += "        \(verb.name)) options='\(options)' words='\(verb.words.joined(separator: " "))'"
            if case .column(let column, let command)? = verb.operands { verbs += " names='\(column) \(command)'" }
            verbs += " ;;\n"
            for option in verb.options {
                guard let source = bashSource(verb.values(of: option)) else { continue }
                values += "        '\(verb.name) \(option.name)') \(source) ;;\n"
            }
        }
        var subcommands = ""
        for verb in CompletedSubcommand.all {
            subcommands += "        \(verb.name)) options='\(verb.options.map(\.name).joined(separator: " "))' ;;\n"
            for option in verb.options {
                guard let source = bashSource(CompletedSubcommand.values(of: option)) else { continue }
                values += "        '\(verb.name) \(option.name)') \(source) ;;\n"
            }
        }
        return """
            # llavero and security, for bash
            # Of a word with a colon in it bash completes what stands behind that; in quotation marks it completes all of it.
            _llavero_names() {
                local name column=${names%% *} typed=$word quote= before= whole='(([^ \\\\]|\\\\.)*)$'
                if [[ $word == [\\'\\"]* ]]; then
                    quote=${word:0:1} typed=${word:1}
                else
                    if [[ ${COMP_LINE:0:COMP_POINT} =~ $whole && ${BASH_REMATCH[1]} == *:* ]]; then
                        typed=${BASH_REMATCH[1]#--*=}
                        before=${typed%:*}:
                    fi
                    typed=${typed//\\\\/}
                fi
                while IFS= read -r name; do
                    if [[ $name != "$typed"* ]]; then continue; fi
                    case $quote in
                        \\') name=${name//\\'/\\'\\\\\\'\\'} ;;
                        \\") if [[ $name == *[\\"\\$\\`\\\\!]* ]]; then continue; fi ;;
                        *) name=$(printf %q "$name") name=${name#"$before"} ;;
                    esac
                    COMPREPLY+=("$name")
                done < <(llavero ${names#* } ${item:+"$item"} </dev/null 2>/dev/null | cut -f"$column" | sort -u)
            }
            # The item whose parts are completed: the first word behind the verb, without the marks of its quoting.
            _llavero_item() {
                local given
                for given in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                    if [[ $given == -* ]]; then continue; fi
                    item=${given//\\\\/}
                    if [[ $item == [\\'\\"]* ]]; then item=${item:1:${#item}-2}; fi
                    return
                done
                names=
            }
            _llavero_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
            _llavero_values() {
                words= names=
                case $1 in
            \(values)        *) return 1 ;;
                esac
                if [[ -n $names ]]; then _llavero_names; elif [[ -n $words ]]; then _llavero_words "$words"; fi
            }
            _llavero() {
                local word=${COMP_WORDS[COMP_CWORD]} place=$COMP_CWORD options= words= names= option item= given
                COMPREPLY=()
                # The equals sign is a word of its own here.
                if [[ $word == = ]]; then word=; elif [[ ${COMP_WORDS[place-1]} == = ]]; then place=$((place - 1)); else place=; fi
                if [[ -n $place ]]; then
                    option=${COMP_WORDS[place-1]}
                    if [[ $option != --* && $place -gt 2 ]]; then
                        case ${COMP_WORDS[place-2]} in --env | --file) names='1 list --plain'; _llavero_names; return ;; esac
                    fi
                else
                    option=${COMP_WORDS[COMP_CWORD-1]}
                fi
                if [[ $COMP_CWORD -eq 1 ]]; then
                    _llavero_words '\(CompletedVerb.all.map(\.name).joined(separator: " "))'
                    return
                fi
                if [[ $option == --* ]] && _llavero_values "${COMP_WORDS[1]} $option"; then return; fi
                options= words= names=
                case ${COMP_WORDS[1]} in
            \(verbs)    esac
                # Behind two dashes a word may begin with one.
                for given in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                    if [[ $given == -- ]]; then options=; if [[ -n $names ]]; then _llavero_names; fi; return; fi
                done
                if [[ $word == -* ]]; then
                    _llavero_words "$options"
                elif [[ -n $words && $COMP_CWORD -eq 2 ]]; then
                    _llavero_words "$words"
                elif [[ -n $names ]]; then
                    _llavero_names
                fi
            }
            _llavero_security() {
                local word=${COMP_WORDS[COMP_CWORD]} options= words= item= names='1 keychains --plain'
                COMPREPLY=()
                if [[ $COMP_CWORD -eq 1 ]]; then
                    _llavero_words '\(CompletedSubcommand.all.map(\.name).joined(separator: " "))'
                    return
                fi
                if [[ ${COMP_WORDS[COMP_CWORD-1]} == -? ]] && _llavero_values "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}"; then return; fi
                names='1 keychains --plain'
                case ${COMP_WORDS[1]} in
                    help) _llavero_words '\(CompletedSubcommand.all.map(\.name).joined(separator: " "))'; return ;;
            \(subcommands)    esac
                if [[ $word == -* ]]; then _llavero_words "$options"; else _llavero_names; fi
            }
            complete -o default -F _llavero llavero
            complete -o default -F _llavero_security security

            """
    }

    private static func bashSource(_ source: CompletedVerb.Source?) -> String? {
        switch source {
        case .words(let words)?: "words='\(words.joined(separator: " "))'"
        case .column(let column, let command)?: "names='\(column) \(command)'"
        case .ofItem(let kind)?: "names='1 completed \(kind) --'; _llavero_item"
        // After the equals sign it is another word.
        case .variables?, .files?, nil: nil
        }
    }
}

// MARK: zsh

extension ShellCompletion {
    private static var zshScript: String {
        var verbs = ""
        var cases = ""
        for verb in CompletedVerb.all {
            verbs += "        '\(verb.name):\(quoted(verb.summary))'\n"
            var specifications = verb.options.map { zshOption($0, verb.values(of: $0)) }
            if !verb.words.isEmpty { specifications.append("'1:word:(\(verb.words.joined(separator: " ")))'") }
            specifications.append(verb.operands.map { "'*:name:\(zshAction($0))'" } ?? "'*: :_default'")
            cases += "        \(verb.name)) _arguments -S \(specifications.joined(separator: " ")) ;;\n"
        }
        var subcommands = ""
        var ofSecurity = ""
        for verb in CompletedSubcommand.all {
            subcommands += "        '\(verb.name):\(quoted(verb.summary))'\n"
            let options = verb.options.map { zshOption($0, CompletedSubcommand.values(of: $0)) }
            let operands =
                verb.name == "help"
                ? "'1:subcommand:->subcommands'" : "'*:keychain:\(zshAction(CompletedVerb.keychains))'"
            ofSecurity += "        \(verb.name)) _arguments \((options + [operands]).joined(separator: " ")) ;;\n"
        }
        return """
            #compdef llavero security
            # llavero and security, for zsh
            _llavero_names() {
                local -a names
                names=(${(f)"$(llavero ${(z)2} </dev/null 2>/dev/null | cut -f$1)"})
                compadd -a names
            }
            _llavero_of_item() {
                local -a given names
                given=(${words[2,CURRENT-1]:#-*})
                (( $#given )) || return
                names=(${(f)"$(llavero completed $1 -- "${(Q)given[1]}" </dev/null 2>/dev/null)"})
                compadd -a names
            }
            _llavero_variables() {
                if compset -P '*='; then _llavero_names 1 'list --plain'; fi
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
            _llavero_security() {
                local -a subcommands
                local context state line
                subcommands=(
            \(subcommands)    )
                if (( CURRENT == 2 )); then
                    _describe subcommand subcommands
                    return
                fi
                shift words
                (( CURRENT-- ))
                case $words[1] in
            \(ofSecurity)    esac
                if [[ $state == subcommands ]]; then _describe subcommand subcommands; fi
            }
            _llavero_any() {
                if [[ $service == security ]]; then _llavero_security "$@"; else _llavero "$@"; fi
            }
            if [[ $funcstack[1] == _llavero ]]; then _llavero_any "$@"; else compdef _llavero_any llavero security; fi

            """
    }

    private static func zshOption(_ option: HelpText.Option, _ source: CompletedVerb.Source?) -> String {
        let mark = option.isRepeated ? "*" : ""
        let value = option.value.map { ":\(quoted($0)):\(source.map(zshAction) ?? "")" } ?? ""
        return "'\(mark)\(option.name)[\(quoted(option.explanation))]\(value)'"
    }

    /// A command begins with a space: before the first word of one that does not, _arguments puts options of its own.
    private static func zshAction(_ source: CompletedVerb.Source) -> String {
        switch source {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .column(let column, let command): " _llavero_names \(column) \"\(command)\""
        case .ofItem(let kind): " _llavero_of_item \(kind)"
        case .variables: "_llavero_variables"
        case .files: "_files"
        }
    }

    /// For zsh quotation marks, in which colons and brackets are special to _arguments.
    private static func quoted(_ text: String) -> String {
        text.replacingScalars { letter in
            switch letter {
            case "'": "'\\''"
            case ":", "[", "]": "\\\(letter)"
            default: nil
            }
        }
    }
}

// MARK: fish

extension ShellCompletion {
    private static var fishScript: String {
        var lines = """
            # llavero and security, for fish
            function __llavero_variables
                set -l word (commandline -ct | string replace -r '^--(env|file)=' '')
                string match -q '*=*' -- $word; or return
                set -l name (string split -m1 = -- $word)[1]
                \(command(1, "list --plain")) | string replace -r '^' "$name="
            end
            function __llavero_of_item
                set -l given (commandline -opc)
                for word in $given[3..-1]
                    string match -q -- '-*' $word; and continue
                    llavero completed $argv[1] -- $word </dev/null 2>/dev/null
                    return
                end
            end
            complete -c llavero -n __fish_use_subcommand -f
            complete -c security -n __fish_use_subcommand -f

            """
        for verb in CompletedVerb.all {
            let seen = "-n '__fish_seen_subcommand_from \(verb.name)'"
            lines += "complete -c llavero -n __fish_use_subcommand -a \(verb.name) -d '\(escaped(verb.summary))'\n"
            for option in verb.options {
                lines += "complete -c llavero \(seen) \(fishOption(option, verb.values(of: option)))\n"
            }
            if !verb.words.isEmpty {
                let isFirst = "-n '__fish_seen_subcommand_from \(verb.name); and test (count (commandline -opc)) -eq 2'"
                lines += "complete -c llavero \(isFirst) -f -a '\(verb.words.joined(separator: " "))'\n"
            }
            if case .column(let column, let words)? = verb.operands {
                lines += "complete -c llavero \(seen) -f -a '(\(command(column, words)))'\n"
            }
        }
        for verb in CompletedSubcommand.all {
            let seen = "-n '__fish_seen_subcommand_from \(verb.name)'"
            lines += "complete -c security -n __fish_use_subcommand -a \(verb.name) -d '\(escaped(verb.summary))'\n"
            for option in verb.options {
                lines += "complete -c security \(seen) \(fishOption(option, CompletedSubcommand.values(of: option)))\n"
            }
            lines += "complete -c security \(seen) -a '(\(command(1, "keychains --plain")))'\n"
        }
        return lines
    }

    private static func fishOption(_ option: HelpText.Option, _ source: CompletedVerb.Source?) -> String {
        let name = option.name.hasPrefix("--") ? "-l \(option.name.dropFirst(2))" : "-s \(option.name.dropFirst())"
        let value =
            switch source {
            case .words(let words)?: " -x -a '\(words.joined(separator: " "))'"
            case .column(let column, let words)?: " -x -a '(\(command(column, words)))'"
            case .ofItem(let kind)?: " -x -a '(__llavero_of_item \(kind))'"
            case .variables?: " -x -a '(__llavero_variables)'"
            case .files?: " -r -F"
            case nil: option.value == nil ? "" : " -r"
            }
        return "\(name)\(value) -d '\(escaped(option.explanation))'"
    }

    private static func escaped(_ text: String) -> String {
        text.marking("'\\", with: "\\")
    }
}
