// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// A page of the manual, made from what a verb's help says.
enum ManualPage {
    static func page(of verb: any Verb.Type) -> String {
        let help = HelpText(verb.help)
        var text = head("llavero-\(verb.name)", verb.summary)
        text += ".SH SYNOPSIS\n" + help.ways.map { ".B \(escaped($0))\n" }.joined(separator: ".br\n")
        text += ".SH DESCRIPTION\n" + paragraphs(help.paragraphs)
        if !help.options.isEmpty {
            text += ".SH OPTIONS\n"
            for option in help.options {
                let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
                text += ".TP\n\\fB\(escaped(option.name))\\fR\(value)\n\(line(option.explanation))"
            }
        }
        return text + ending
    }

    /// The one that lists the others.
    static func overview(of verbs: [any Verb.Type]) -> String {
        var text = head("llavero", "keeps passwords, keys and certificates")
        text += ".SH SYNOPSIS\n.B llavero\n.I VERB\n.RI [ OPTION ...]\n.RI [ NAME ...]\n"
        text +=
            ".SH DESCRIPTION\n"
            + line("Each verb has a page of its own, llavero-VERB(1), and `llavero help VERB` says the same.")
        text += ".SH VERBS\n"
        for verb in verbs { text += ".TP\n\\fB\(escaped(verb.name))\\fR\n\(line(verb.summary))" }
        text += """
            .SH NAMES
            An item is named by its label, by its service or server with the user behind a slash, by its service or server, or by its
            identifier, which \\fBllavero show\\fR prints. When several are called so, nothing is done, and they are listed.
            .SH FILES
            .TP
            \\fI~/.local/share/llavero\\fR
            a folder for each keychain
            .SH ENVIRONMENT
            .TP
            \\fBLLAVERO_KEYCHAIN\\fR
            the name of the keychain to use instead of login
            .TP
            \\fBLLAVERO_HOME\\fR
            the folder of the keychains
            .TP
            \\fBLLAVERO_SOCKET\\fR
            the socket of the daemon to ask
            .TP
            \\fBNO_COLOR\\fR
            nothing is coloured when it is set

            """
        return text + ending
    }

    private static func head(_ name: String, _ summary: String) -> String {
        ".TH \(escaped(name.uppercased())) 1 \"\" \"Llavero\" \"Llavero\"\n.SH NAME\n\(escaped(name)) \\- \(escaped(summary))\n"
    }

    private static let ending = """
        .SH EXIT STATUS
        0 when it did what it was to, 1 when that failed, 2 when it was not understood, 36 when a person is needed and nobody can be
        asked or the keychain is locked, 44 when there is no such item, 45 when there is one already.
        .SH SEE ALSO
        .BR llavero (1)

        """

    private static func paragraphs(_ paragraphs: [[String]]) -> String {
        paragraphs.enumerated().map { index, lines in
            (index == 0 ? "" : ".PP\n") + lines.map { line($0) }.joined()
        }.joined()
    }

    private static func line(_ text: String) -> String { escaped(text) + "\n" }

    /// A line that begins with a dot or a quotation mark would be a request.
    private static func escaped(_ text: String) -> String {
        let body = text.map { letter in
            switch letter {
            case "\\": "\\e"
            case "-": "\\-"
            case "…": "..."
            case "`": "\\(ga"
            default: String(letter)
            }
        }.joined()
        return body.hasPrefix(".") || body.hasPrefix("'") ? "\\&" + body : body
    }
}
