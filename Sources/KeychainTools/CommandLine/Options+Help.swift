// SPDX-License-Identifier: Apache-2.0

internal import KeychainManual

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
