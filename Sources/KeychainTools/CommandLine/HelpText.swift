// SPDX-License-Identifier: Apache-2.0

/// A verb's help, taken apart: what it says is what the verb takes, what shells complete, and what the manual prints.
package struct HelpText: Sendable {
    /// One option that the help explains.
    package struct Option: Sendable, Equatable {
        /// With its dashes.
        package let name: String
        /// What stands for its value; nil of a switch.
        package let value: String?
        package let explanation: String

        /// Whether it may be given more than once, which the help says with an ellipsis.
        package var isRepeated: Bool { value?.hasSuffix("…") ?? false }
    }

    /// How it is called, one way a line.
    package let ways: [String]
    /// What it does, a paragraph each; lines that are indented keep their place.
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
                    Option(name: last.name, value: last.value, explanation: last.explanation + " " + more))
            } else if isNew || paragraphs.isEmpty {
                paragraphs.append([String(line)])
                (isNew, isInOptions) = (false, false)
            } else {
                paragraphs[paragraphs.count - 1].append(String(line))
            }
        }
        (self.ways, self.paragraphs, self.options) = (ways, paragraphs, options)
    }

    /// `  --name VALUE   what it does`.
    private static func option(_ line: Substring) -> Option? {
        guard line.hasPrefix("  --") else { return nil }
        let body = line.dropFirst(2)
        let name = body.prefix { $0 != " " }
        let rest = body.dropFirst(name.count)
        let hasValue = rest.hasPrefix(" ") && !rest.hasPrefix("  ")
        let value = hasValue ? rest.dropFirst().prefix { $0 != " " } : ""
        let explanation = rest.dropFirst(hasValue ? value.count + 1 : 0).drop { $0 == " " }
        return Option(
            name: String(name), value: hasValue ? String(value) : nil, explanation: String(explanation))
    }
}

extension Options {
    /// The words after a verb, read by what its help explains: an option that the help is silent about does not exist.
    ///
    /// Those of `empty` take an empty value, too; some items are nobody's.
    package init(
        _ words: ArraySlice<String>, help: String, empty: Set<String> = ["--user"]
    ) throws(CommandError) {
        let options = HelpText(help).options
        try self.init(
            words, single: Set(options.filter { $0.value != nil && !$0.isRepeated }.map(\.name)),
            repeated: Set(options.filter(\.isRepeated).map(\.name)),
            flags: Set(options.filter { $0.value == nil }.map(\.name)), empty: empty)
    }

    /// Refuses two options that contradict each other.
    package func requireOne(of names: [String]) throws(CommandError) {
        let given = names.filter { has($0) || value($0) != nil }
        guard given.count < 2 else { throw .usage("either \(given[0]) or \(given[1])") }
    }
}
