// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A manual page, made from a program's help.
package struct ManualPage: Sendable {
    /// The roff source that `man` reads.
    package private(set) var text: String
    private let name: String
    /// Whether what follows would go on in the paragraph of a term.
    private var isInTerm = false

    package init(_ name: String, section: Int, _ summary: String) {
        self.name = name
        let title = ManualPage.escaped(name.uppercased())
        text = ".TH \(title) \(section) \"\" \"Llavero\" \"Llavero\"\n"
        text += ".SH NAME\n\(ManualPage.escaped(name)) \\- \(ManualPage.escaped(summary))\n"
    }

    package mutating func add(synopsis ways: [String]) {
        add(section: "SYNOPSIS")
        add(ways: ways)
    }

    /// The ways to call a command, a line each.
    package mutating func add(ways: [String]) {
        text += ways.map { ".B \(ManualPage.escaped($0))\n" }.joined(separator: ".br\n")
    }

    package mutating func add(section: String, _ paragraphs: [[String]] = []) {
        text += ".SH \(section)\n"
        isInTerm = false
        add(paragraphs)
    }

    package mutating func add(subsection: String) {
        text += ".SS \(ManualPage.escaped(subsection))\n"
        isInTerm = false
    }

    /// Indented lines keep their line breaks.
    package mutating func add(_ paragraphs: [[String]]) {
        if isInTerm, !paragraphs.isEmpty { text += ".PP\n" }
        isInTerm = false
        text += paragraphs.map { lines in lines.map { ManualPage.line($0) }.joined() }.joined(separator: ".PP\n")
    }

    package mutating func add(options: [HelpText.Option]) {
        for option in options {
            let words = [option.name] + (option.value?.split(separator: " ").map(String.init) ?? [])
            let head = words.map { "\\f\($0.hasPrefix("-") ? "B" : "I")\(ManualPage.escaped($0))\\fR" }
            text += ".TP\n\(head.joined(separator: " "))\n\(ManualPage.line(option.explanation))"
        }
    }

    package mutating func add(term: String, _ explanation: String) {
        text += ".TP\n\\fB\(ManualPage.escaped(term))\\fR\n\(ManualPage.line(explanation))"
        isInTerm = true
    }

    /// Commands, each with what it does.
    package mutating func add(examples: [(command: String, explanation: String)]) {
        add(section: "EXAMPLES")
        for example in examples { add(term: example.command, example.explanation) }
    }

    /// The last section; a page does not name itself.
    package mutating func add(seeAlso pages: [(name: String, section: Int)]) {
        add(section: "SEE ALSO")
        let others = pages.filter { $0.name != name }
        text += others.map { ".BR \(ManualPage.escaped($0.name)) (\($0.section))\n" }.joined()
    }

    /// Lines of the source are short, as readers of roff expect them; those of text that keeps its own stay.
    private static func line(_ text: String) -> String {
        guard !text.hasPrefix(" ") else { return escaped(text) + "\n" }
        var lines: [String] = []
        var rest = ""
        for word in text.split(separator: " ") {
            let longer = rest.isEmpty ? String(word) : "\(rest) \(word)"
            if !rest.isEmpty, escaped(longer).utf8.count > 80 {
                lines.append(escaped(rest))
                rest = String(word)
            } else {
                rest = longer
            }
        }
        return (lines + [escaped(rest)]).joined(separator: "\n") + "\n"
    }

    /// A line that begins with a dot or a quotation mark would be a request.
    private static func escaped(_ text: String) -> String {
        let body = text.replacingScalars { letter in
            switch letter {
            case "\\": "\\e"
            case "-": "\\-"
            case "…": "..."
            case "`": "\\(ga"
            default: nil
            }
        }
        return body.begins(with: ".") || body.begins(with: "'") ? "\\&" + body : body
    }
}
