// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// The arguments of a subcommand, read as `getopt` on a Mac reads them: letters may be combined, a value may follow its letter
/// directly, and the first word that is not an option ends them.
struct SecurityOptions {
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []
    /// The arguments that are not options: keychains, files.
    private(set) var operands: [String] = []

    /// The options that a subcommand accepts.
    ///
    /// Arrays, since they are short: the metadata of sets costs more than all lookups.
    struct Allowed {
        /// Each letter; `:` after it for a value, `?` for a value that may be missing as the last word.
        var letters: String
        /// Letters with a value that may come more than once.
        var repeated: [Character] = []
        /// Our own options, written `--name`.
        var words: [String] = []
        /// Our own options with a value, written `--name VALUE` or `--name=VALUE`.
        var valued: [String] = []
    }

    private enum Kind { case flag, value, lastOrValue }

    init(_ words: ArraySlice<String>, _ allowed: Allowed) throws(SecurityFailure) {
        var rest = words
        while let word = rest.first {
            if word == "--" {
                rest = rest.dropFirst()
                break
            }
            guard word.hasPrefix("-"), word != "-" else { break }
            rest = rest.dropFirst()
            if word.hasPrefix("--") {
                try take(long: word, &rest, allowed)
            } else {
                try take(letters: word.dropFirst(), &rest, allowed)
            }
        }
        operands = Array(rest)
    }

    private mutating func take(
        long word: String, _ rest: inout ArraySlice<String>, _ allowed: Allowed
    ) throws(SecurityFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if allowed.words.contains(word) {
            flags.insert(word)
            return
        }
        guard allowed.valued.contains(parts[0]) else { throw .usage("unknown option: \(parts[0])") }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw .usage("\(word) requires a value")
        }
        try set(parts[0], value, mayRepeat: false)
    }

    private mutating func take(
        letters: Substring, _ rest: inout ArraySlice<String>, _ allowed: Allowed
    ) throws(SecurityFailure) {
        var letters = letters
        while let letter = letters.popFirst() {
            switch SecurityOptions.kind(of: letter, in: allowed.letters) {
            case nil: throw .usage("unknown option: -\(letter)")
            case .flag: flags.insert(String(letter))
            case .value:
                guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                    throw .usage("-\(letter) requires a value")
                }
                try set(String(letter), value, mayRepeat: allowed.repeated.contains(letter))
                return
            case .lastOrValue:
                guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                    flags.insert(String(letter))
                    return
                }
                try set(String(letter), value, mayRepeat: false)
                return
            }
        }
    }

    private mutating func set(_ name: String, _ value: String, mayRepeat: Bool) throws(SecurityFailure) {
        let dash = name.count == 1 ? "-" : ""
        guard mayRepeat || values[name] == nil else { throw .usage("\(dash)\(name) is given twice") }
        values[name, default: []].append(value)
    }

    private static func kind(of letter: Character, in letters: String) -> Kind? {
        guard letter != ":", letter != "?", let place = letters.firstIndex(of: letter) else { return nil }
        let behind = letters[letters.index(after: place)...].first
        return behind == ":" ? .value : behind == "?" ? .lastOrValue : .flag
    }

    /// Whether it is given; for an option with a value, whether it was given without.
    func has(_ name: String) -> Bool { flags.contains(name) }

    func value(_ name: String) -> String? { values[name]?.last }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    func requireNoOperands() throws(SecurityFailure) {
        if let first = operands.first { throw .usage("unexpected argument: \(first)") }
    }

    /// The one operand, if there is one.
    func operandIfAny(_ what: String) throws(SecurityFailure) -> String? {
        guard operands.count <= 1 else {
            // As on a Mac what follows the first operand is no option.
            if let option = operands.dropFirst().first(where: { $0.hasPrefix("-") }) {
                throw .usage("\(PlainText.shown(option)) stands behind the \(what); options come before it")
            }
            throw .usage("only one \(what) is accepted")
        }
        return operands.first
    }

    func number<Value: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Value>, _ kind: String
    ) throws(SecurityFailure) -> Value? {
        guard let text = value(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Value(text), range.contains(number)
        else { throw .usage("\(name.count == 1 ? "-" : "")\(name) requires \(kind)") }
        return number
    }

    /// The descriptor that an option names: one that this program was started with.
    func descriptor(_ name: String) throws(SecurityFailure) -> Int32? {
        guard let number: Int32 = try number(name, in: 0...Int32.max, "a descriptor number") else { return nil }
        return try SecurityFailure.translating("read") { () throws(CommandError) in
            try PasscodeInput.requireHandedOver(number, name)
            return number
        }
    }
}
