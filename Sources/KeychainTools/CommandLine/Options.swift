// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The arguments of a verb, read by the options that the verb accepts: nothing is guessed, nothing is ignored.
package struct Options {
    private var single: [String: String] = [:]
    private var repeated: [String: [String]] = [:]
    private var flags: Set<String> = []
    /// The arguments that are not options.
    package private(set) var operands: [String] = []
    /// Every option that the verb accepts.
    private let names: [String]

    /// Options are written `--name VALUE` or `--name=VALUE`, and `flags` `--name`.
    ///
    /// A value that looks like an option is written `--name=VALUE` alone; after `--` no argument is an option.
    /// Options in `empty` also accept an empty value.
    package init(
        _ words: ArraySlice<String>, single allowed: Set<String> = [], repeated lists: Set<String> = [],
        flags switches: Set<String> = [], empty: Set<String> = [],
        takesDash: Bool = false
    ) throws(CommandError) {
        names = allowed.union(lists).union(switches).sorted()
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("--") else {
                guard !word.hasPrefix("-") || word == "-" && takesDash else { throw .usage("unknown option: \(word)") }
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            if switches.contains(name) {
                guard parts.count == 1 else { throw .usage("\(name) takes no value") }
                guard flags.insert(name).inserted else { throw .usage("\(name) is given twice") }
                continue
            }
            guard allowed.contains(name) || lists.contains(name) else {
                throw .usage("unknown option: \(name)\(Suggestion.question(name, among: names))")
            }
            // An option that was forgotten its value would take the next one for it.
            if parts.count == 1, let next = rest.first, Options.isOption(next) {
                throw .usage("\(name) requires a value; \(name)=\(next) takes \(next) for one")
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(),
                !value.isEmpty || empty.contains(name)
            else {
                throw .usage("\(name) requires a value")
            }
            if lists.contains(name) {
                repeated[name, default: []].append(value)
            } else {
                guard single.updateValue(value, forKey: name) == nil else { throw .usage("\(name) is given twice") }
            }
        }
    }

    private static func isOption(_ word: String) -> Bool {
        guard word.utf8.starts(with: "--".utf8) else { return false }
        return word.utf8.dropFirst(2).first.map { (0x61...0x7A).contains($0) } ?? true
    }

    /// The arguments of a verb, read by its help: an option that the help does not list does not exist.
    ///
    /// Options in `empty` also accept an empty value; some items have no user.
    package init(
        _ words: ArraySlice<String>, help: String, empty: Set<String> = ["--user"]
    ) throws(CommandError) {
        let options = HelpText(help).options
        try self.init(
            words, single: Set(options.filter { $0.value != nil && !$0.isRepeated }.map(\.name)),
            repeated: Set(options.filter(\.isRepeated).map(\.name)),
            flags: Set(options.filter { $0.value == nil }.map(\.name)), empty: empty,
            // Only where it stands for standard input or output; else it would become the name of a file.
            takesDash: help.contains("| -"))
    }

    /// Confirms a change in one line on standard error, unless --quiet is given.
    package func tell(_ text: String) {
        if !has("--quiet") { Tool.say(text) }
    }

    package func has(_ flag: String) -> Bool { flags.contains(flag) }

    package func value(_ name: String) -> String? { single[name] }

    package func required(_ name: String) throws(CommandError) -> String {
        guard let value = single[name] else { throw .usage("\(name) is missing") }
        return value
    }

    package func values(_ name: String) -> [String] { repeated[name] ?? [] }

    /// Refuses arguments that are not options.
    package func requireNoOperands(_ verb: String) throws(CommandError) {
        if let first = operands.first { throw .usage("unexpected argument: \(first)") }
    }

    /// Refuses two options that contradict each other.
    package func requireOne(of names: [String]) throws(CommandError) {
        let given = names.filter { has($0) || value($0) != nil }
        guard given.count < 2 else { throw .usage("\(given[0]) and \(given[1]) cannot be used together") }
    }

    /// The number that an option gives; `kind` describes the expected value.
    package func number<Value: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Value>, _ kind: String
    ) throws(CommandError) -> Value? {
        guard let text = single[name] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Value(text), range.contains(number)
        else { throw .usage("\(name) requires \(kind)") }
        return number
    }

    /// A time that an option gives, in seconds.
    package func time(_ name: String) throws(CommandError) -> UInt32? {
        guard let text = single[name] else { return nil }
        guard let seconds = TimeSpan.seconds(text) else {
            throw .usage("\(name) requires a time in seconds, or such as 15m, 1h30m, 2d")
        }
        return seconds
    }

    /// The one operand; `what` describes it.
    package func operand(_ what: String) throws(CommandError) -> String {
        guard let first = operands.first, operands.count == 1 else {
            throw .usage(operands.isEmpty ? "\(what) is missing" : "only one \(what) is accepted")
        }
        return first
    }
}

/// A time as people write it: seconds, or numbers with s, m, h, d or w behind each, such as 1h30m.
package enum TimeSpan {
    /// nil for malformed text, for no text, and for more seconds than 32 bits have.
    package static func seconds(_ text: String) -> UInt32? {
        var (total, number): (UInt64, UInt64?) = (0, nil)
        for byte in text.utf8 {
            if (0x30...0x39).contains(byte) {
                number = (number ?? 0) * 10 + UInt64(byte - 0x30)
            } else {
                let units: [UInt8: UInt64] = [0x73: 1, 0x6D: 60, 0x68: 3600, 0x64: 86_400, 0x77: 604_800]
                guard let count = number, let unit = units[byte] else { return nil }
                total += count * unit
                number = nil
            }
            guard total <= UInt32.max, number ?? 0 <= UInt32.max else { return nil }
        }
        total += number ?? 0
        guard let seconds = UInt32(exactly: total), seconds > 0 else { return nil }
        return seconds
    }

    /// The same in words: `15 minutes`, `1 hour 30 minutes`.
    package static func words(_ seconds: UInt32) -> String {
        var rest = seconds
        var words: [String] = []
        for (unit, name) in [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")] as [(UInt32, String)] {
            let count = rest / unit
            rest %= unit
            if count > 0 { words.append("\(count) \(name)\(count == 1 ? "" : "s")") }
        }
        return words.joined(separator: " ")
    }
}

/// Known words that are close to an unknown one.
///
/// Words are considered one by one, and three are kept at most, so there may be any number of them.
package struct Suggestion {
    private let wanted: [Character]
    /// How many letters a word may differ by: one of three letters has too many neighbours at two letters' distance.
    private let most: Int
    /// The nearest first.
    private var near: [(distance: Int, word: String)] = []

    package init(for word: String) {
        wanted = Suggestion.letters(word)
        most = wanted.count < 4 ? 1 : 2
    }

    /// `; did you mean add?`; empty where no word is close enough.
    package static func question(_ word: String, among words: [String]) -> String {
        var suggestion = Suggestion(for: word)
        for candidate in words { suggestion.consider(candidate) }
        return suggestion.question
    }

    /// The same among the words that were considered.
    package var question: String {
        guard let last = near.last?.word else { return "" }
        let others = near.dropLast().map { PlainText.shown($0.word) }.joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? "" : others + " or ")\(PlainText.shown(last))?"
    }

    /// Keeps the word if it differs by a letter or two, or begins with the unknown one.
    package mutating func consider(_ candidate: String) {
        guard !wanted.isEmpty, !near.contains(where: { $0.word.hasSameBytes(as: candidate) }) else { return }
        let letters = Suggestion.letters(candidate)
        if wanted.count >= 3, letters.starts(with: wanted) {
            keep(candidate, most)
        } else if abs(letters.count - wanted.count) <= most {
            let distance = Suggestion.distance(wanted, letters)
            if distance <= most { keep(candidate, distance) }
        }
    }

    private mutating func keep(_ word: String, _ distance: Int) {
        near.append((distance, word))
        near.sort { ($0.distance, $0.word) < ($1.distance, $1.word) }
        if near.count > 3 { near.removeLast() }
    }

    private static func letters(_ word: String) -> [Character] { Array(word.lowercased().prefix(longest)) }

    /// How many letters have to be inserted, removed, changed or swapped with their neighbour.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                var best = min(
                    last[column] + (first[row] == second[column] ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, last) = (last, current)
        }
        return last[second.count]
    }

    /// Longer words are compared by their first letters.
    private static let longest = 64
}
