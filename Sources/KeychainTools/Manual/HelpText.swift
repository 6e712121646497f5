// SPDX-License-Identifier: Apache-2.0

/// A verb's help, parsed: it defines the options that the verb accepts, what shells complete, and the manual page.
package struct HelpText: Sendable {
    /// One option that the help explains.
    package struct Option: Sendable, Equatable {
        /// With its dashes.
        package let name: String
        /// The placeholder of its value; nil for a switch.
        package let value: String?
        package let explanation: String

        package init(name: String, value: String?, explanation: String) {
            (self.name, self.value, self.explanation) = (name, value, explanation)
        }

        /// Whether it may be given more than once; an ellipsis in the help marks that.
        package var isRepeated: Bool { value?.hasSuffix("…") ?? false }
    }

    /// The ways to call it, one a line.
    package let ways: [String]
    /// The paragraphs of the description; indented lines keep their line breaks.
    package let paragraphs: [[String]]
    package let options: [Option]

    package init(_ help: String) {
        var ways: [String] = []
        var paragraphs: [[String]] = []
        var options: [Option] = []
        var isNew = true
        var isInOptions = false
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("usage: ") || (paragraphs.isEmpty && options.isEmpty && line.hasPrefix("       ")) {
                ways.append(String(line.dropFirst(7)))
            } else if line.isEmpty {
                (isNew, isInOptions) = (true, false)
            } else if let option = HelpText.option(line) {
                options.append(option)
                isInOptions = true
            } else if isInOptions, line.hasPrefix("    "), let last = options.popLast() {
                let more = line.drop { $0 == " " }
                options.append(
                    Option(
                        name: last.name, value: last.value,
                        explanation: last.explanation + (last.explanation.isEmpty ? "" : " ") + more))
            } else if isNew || paragraphs.isEmpty {
                paragraphs.append([String(line)])
                (isNew, isInOptions) = (false, false)
            } else {
                paragraphs[paragraphs.count - 1].append(String(line))
            }
        }
        (self.ways, self.paragraphs, self.options) = (ways, paragraphs, options)
    }

    /// `  --name VALUE   what it does`, or `  -n VALUE   …`; the explanation may be on the next line.
    private static func option(_ line: Substring) -> Option? {
        guard line.hasPrefix("  -"), line.dropFirst(3).first != " " else { return nil }
        let body = line.dropFirst(2)
        var end = body.startIndex
        while end < body.endIndex, !body[end...].hasPrefix("  ") { end = body.index(after: end) }
        let head = body[..<end].split(separator: " ", maxSplits: 1).map(String.init)
        return Option(
            name: head[0], value: head.count > 1 ? head[1] : nil,
            explanation: String(body[end...].drop { $0 == " " }))
    }
}
