// SPDX-License-Identifier: Apache-2.0

/// The words after a verb, read by what the verb allows: nothing is guessed, nothing is ignored.
struct Options {
    private var single: [String: String] = [:]
    private var repeated: [String: [String]] = [:]
    /// What is no option.
    private(set) var operands: [String] = []

    /// Options are written `--name VALUE` or `--name=VALUE`; after `--` there are none.
    init(
        _ words: ArraySlice<String>, single allowed: Set<String> = [], repeated lists: Set<String> = []
    ) throws(CommandError) {
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
            guard allowed.contains(name) || lists.contains(name) else { throw .usage("there is no option \(name)") }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                throw .usage("\(name) wants a value")
            }
            if lists.contains(name) {
                repeated[name, default: []].append(value)
            } else {
                guard single.updateValue(value, forKey: name) == nil else { throw .usage("\(name) is there twice") }
            }
        }
    }

    func value(_ name: String) -> String? { single[name] }

    func required(_ name: String) throws(CommandError) -> String {
        guard let value = single[name] else { throw .usage("\(name) is missing") }
        return value
    }

    func values(_ name: String) -> [String] { repeated[name] ?? [] }

    /// The one operand; `what` says what it should be.
    func operand(_ what: String) throws(CommandError) -> String {
        guard let first = operands.first, operands.count == 1 else {
            throw .usage(operands.isEmpty ? "\(what) is missing" : "one \(what) at a time")
        }
        return first
    }
}
