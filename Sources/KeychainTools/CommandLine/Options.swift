// SPDX-License-Identifier: Apache-2.0

/// The words after a verb, read by what the verb allows: nothing is guessed, nothing is ignored.
package struct Options {
    private var single: [String: String] = [:]
    private var repeated: [String: [String]] = [:]
    private var flags: Set<String> = []
    /// What is no option.
    package private(set) var operands: [String] = []
    /// Every option that there may be.
    private let names: [String]

    /// Options are written `--name VALUE` or `--name=VALUE`, and `flags` `--name`; after `--` there are none.
    ///
    /// Those of `empty` take an empty value, too.
    package init(
        _ words: ArraySlice<String>, single allowed: Set<String> = [], repeated lists: Set<String> = [],
        flags switches: Set<String> = [], empty: Set<String> = []
    ) throws(CommandError) {
        names = allowed.union(lists).union(switches).sorted()
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("--") else {
                guard !word.hasPrefix("-") else { throw .usage("there is no option \(word)") }
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            if switches.contains(name) {
                guard parts.count == 1 else { throw .usage("\(name) takes no value") }
                guard flags.insert(name).inserted else { throw .usage("\(name) is there twice") }
                continue
            }
            guard allowed.contains(name) || lists.contains(name) else {
                throw .usage("there is no option \(name)\(Suggestion.question(name, among: names))")
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(),
                !value.isEmpty || empty.contains(name)
            else {
                throw .usage("\(name) wants a value")
            }
            if lists.contains(name) {
                repeated[name, default: []].append(value)
            } else {
                guard single.updateValue(value, forKey: name) == nil else { throw .usage("\(name) is there twice") }
            }
        }
    }

    /// Says what was changed, on standard error and in a line, unless that is not wanted.
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

    /// Refuses everything that is no option.
    package func requireNoOperands(_ verb: String) throws(CommandError) {
        if let first = operands.first { throw .usage("\(verb) takes no \(first)") }
    }

    /// A number that an option gives; `kind` says what it should be.
    package func number<Value: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Value>, _ kind: String
    ) throws(CommandError) -> Value? {
        guard let text = single[name] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Value(text), range.contains(number)
        else { throw .usage("\(name) wants \(kind)") }
        return number
    }

    /// A time that an option gives, in seconds.
    package func time(_ name: String) throws(CommandError) -> UInt32? {
        guard let text = single[name] else { return nil }
        guard let seconds = TimeSpan.seconds(text) else {
            throw .usage("\(name) wants a time: seconds, or such as 15m, 1h30m, 2d")
        }
        return seconds
    }

    /// The one operand; `what` says what it should be.
    package func operand(_ what: String) throws(CommandError) -> String {
        guard let first = operands.first, operands.count == 1 else {
            throw .usage(operands.isEmpty ? "\(what) is missing" : "one \(what) at a time")
        }
        return first
    }
}
