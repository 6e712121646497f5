// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero generate`.
enum GenerateVerb: Verb {
    static let name = "generate"
    static let summary = "generates a password"
    static let help = """
        usage: llavero generate [--length N | --groups N | --words N | --rules RULES] [--symbols] [--count N]

        Prints a new random password: three groups of six characters, separated by dashes, unless an option says otherwise. It is not
        stored; `llavero add NAME --generate` stores one without showing it.

          --length N      N letters and digits, at least one of each kind
          --symbols       also other characters
          --groups N      N groups of six: lower-case letters, with one capital letter and one digit
          --words N       N words out of 1024, separated by dashes; each gives ten bits
          --rules RULES   the site's requirements, in the syntax of Apple's password rules: "minlength: 12; required: lower;
                          required: digit; allowed: [-_]; max-consecutive: 2"
          --count N       N passwords, one a line
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        if let word = options.operands.first {
            if Int(word) != nil {
                throw .usage("unexpected argument: \(word); `llavero generate --length \(word)` makes one that long")
            }
            throw .usage(
                "unexpected argument: \(word); it stores nothing, and `llavero add \(ShellWord.quoted(PlainText.shown(word))) --generate` does"
            )
        }
        let recipe = try PasswordRecipe(options)
        let count = try options.number("--count", in: 1...10_000, "a number from 1 to 10000") ?? 1
        for _ in 0..<count { try SecretOutput.write(try recipe.password(), to: 1, ending: "\n") }
    }
}

/// How a password is generated.
enum PasswordRecipe {
    /// Groups of six, separated by dashes: lower-case letters with one capital letter and one digit. Easy to type anywhere.
    case groups(Int)
    case words(Int)
    case characters(PasswordRules)

    /// The names of the options.
    static let options = ["--length", "--groups", "--words", "--symbols", "--rules"]

    init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--length", "--groups", "--words", "--rules"])
        let length = try options.number("--length", in: 4...1000, "a number from 4 to 1000")
        let hasSymbols = options.has("--symbols")
        if let count = try options.number("--groups", in: 2...100, "a number from 2 to 100") {
            guard !hasSymbols else { throw .usage("--symbols requires --length") }
            self = .groups(count)
        } else if let count = try options.number("--words", in: 3...100, "a number from 3 to 100") {
            guard !hasSymbols else { throw .usage("--symbols requires --length") }
            self = .words(count)
        } else if let text = options.value("--rules") {
            guard !hasSymbols else {
                throw .usage("--symbols cannot be used with --rules, which lists the characters itself")
            }
            self = .characters(try PasswordRules(text))
        } else if length != nil || hasSymbols {
            self = .characters(PasswordRules(length: length ?? 20, hasSymbols: hasSymbols))
        } else {
            self = .groups(3)
        }
    }

    func password() throws(CommandError) -> SecretValue {
        var random = SystemRandomNumberGenerator()
        switch self {
        case .groups(let count): return PasswordRecipe.groups(count, &random)
        case .words(let count): return PasswordRecipe.words(count, &random)
        case .characters(let rules): return try rules.password(&random)
        }
    }

    private static func groups(_ count: Int, _ random: inout SystemRandomNumberGenerator) -> SecretValue {
        let small = PasswordRules.small
        return unsafe SecretValue(count: 7 * count - 1) { output in
            for index in 0..<output.count {
                unsafe output[index] =
                    index % 7 == 6 ? UInt8(ascii: "-") : small[Int.random(in: 0..<small.count, using: &random)]
            }
            let capital = place(count, &random)
            var digit = capital
            while digit == capital { digit = place(count, &random) }
            unsafe output[capital] -= 0x20
            unsafe output[digit] = 0x30 + UInt8.random(in: 0...9, using: &random)
        }
    }

    /// A random character other than a dash.
    private static func place(_ groups: Int, _ random: inout SystemRandomNumberGenerator) -> Int {
        let letter = Int.random(in: 0..<6 * groups, using: &random)
        return letter + letter / 6
    }

    private static func words(_ count: Int, _ random: inout SystemRandomNumberGenerator) -> SecretValue {
        let words = RecoveryWordList.words
        var letters: [UInt8] = []
        defer { for index in letters.indices { letters[index] = 0 } }
        letters.reserveCapacity(count * 16)
        for index in 0..<count {
            if index > 0 { letters.append(UInt8(ascii: "-")) }
            let word = words[Int.random(in: 0..<words.count, using: &random)]
            for place in 0..<word.count { letters.append(word.letter(at: place)) }
        }
        return SecretValue(copying: letters)
    }
}

/// A site's requirements for passwords, in the syntax of Apple's password rules:
/// `minlength: 12; required: lower; required: digit; allowed: [-_]; max-consecutive: 2`.
struct PasswordRules {
    /// Character sets, each of which gives at least one character.
    private(set) var required: [[UInt8]] = []
    private(set) var allowed: [UInt8] = []
    private(set) var length: Int
    private(set) var mostConsecutive = Int.max

    /// Letters of both cases and digits, optionally other characters; at least one of each.
    init(length: Int, hasSymbols: Bool) {
        self.length = length
        required = [PasswordRules.small, PasswordRules.capital, PasswordRules.digits]
        if hasSymbols { required.append(PasswordRules.special) }
        allowed = PasswordRules.union(required)
    }

    /// Refuses unknown rules, and rules that no password can satisfy.
    init(_ text: String) throws(CommandError) {
        var least = 0
        var most = Int.max
        length = 0
        for rule in try PasswordRules.split(text) {
            let parts = rule.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw PasswordRules.unknown(rule) }
            let value = parts[1].trimmed
            switch parts[0].trimmed.lowercased() {
            case "minlength": least = max(least, try PasswordRules.number(value, rule))
            case "maxlength": most = min(most, try PasswordRules.number(value, rule))
            case "max-consecutive": mostConsecutive = min(mostConsecutive, try PasswordRules.number(value, rule))
            case "required": required.append(try PasswordRules.classes(value))
            case "allowed": allowed = PasswordRules.union([allowed, try PasswordRules.classes(value)])
            default: throw PasswordRules.unknown(rule)
            }
        }
        if required.isEmpty, allowed.isEmpty {
            required = [PasswordRules.small, PasswordRules.capital, PasswordRules.digits]
        }
        allowed = PasswordRules.union([allowed] + required)
        length = max(least, min(most, 20), required.count)
        guard length <= most, length >= 1, length <= 1000, mostConsecutive >= 1,
            mostConsecutive >= length || allowed.count > 1
        else { throw .usage("no password can satisfy these rules") }
    }

    func password(_ random: inout SystemRandomNumberGenerator) throws(CommandError) -> SecretValue {
        for _ in 0..<PasswordRules.mostAttempts {
            let attempt = unsafe SecretValue(count: length) { output in
                for index in 0..<length {
                    let set = index < required.count ? required[index] : allowed
                    unsafe output[index] = set[Int.random(in: 0..<set.count, using: &random)]
                }
                for index in stride(from: length - 1, to: 0, by: -1) {
                    unsafe output.swapAt(index, Int.random(in: 0...index, using: &random))
                }
            }
            if isFollowed(by: attempt) { return attempt }
        }
        throw .failure("no password was found that satisfies the rules; allow more equal characters in a row")
    }

    private func isFollowed(by password: SecretValue) -> Bool {
        unsafe password.withUnsafeBytes { bytes in
            var run = 0
            for index in bytes.indices {
                run = unsafe index > 0 && bytes[index] == bytes[index - 1] ? run + 1 : 1
                if run > mostConsecutive { return false }
            }
            return true
        }
    }

    static let small = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    private static let capital = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    private static let digits = Array("0123456789".utf8)
    private static let special = Array("-~!@#$%^&*_+=`|(){}[:;\"'<>,.?] /\\".utf8).filter { $0 != 0x20 }
    private static let mostAttempts = 10_000
}

extension PasswordRules {
    /// Split at semicolons outside brackets.
    private static func split(_ text: String) throws(CommandError) -> [Substring] {
        var rules: [Substring] = []
        var start = text.startIndex
        var isInside = false
        for index in text.indices {
            if text[index] == "[" { isInside = true }
            // A closing bracket right after the opening one is a character of the set.
            if text[index] == "]", isInside, closes(index, in: text) { isInside = false }
            if text[index] == ";", !isInside {
                rules.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        guard !isInside else { throw .usage("a [ in the rules is not closed") }
        rules.append(text[start...])
        return rules.filter { !$0.trimmed.isEmpty }
    }

    /// Whether a set ends here: before the next one, the next rule, or the end.
    private static func closes(_ index: String.Index, in text: String) -> Bool {
        guard let next = text[text.index(after: index)...].trimmed.first else { return true }
        return next == ";" || next == ","
    }

    private static func number(_ text: String, _ rule: Substring) throws(CommandError) -> Int {
        guard let number = Int(text), (0...1000).contains(number) else { throw unknown(rule) }
        return number
    }

    /// Names of sets and characters in brackets, separated by commas.
    private static func classes(_ text: String) throws(CommandError) -> [UInt8] {
        var sets: [[UInt8]] = []
        var rest = text[...]
        while !rest.isEmpty {
            if rest.hasPrefix("[") {
                guard let end = rest.indices.first(where: { rest[$0] == "]" && closes($0, in: text) }) else {
                    throw .usage("a [ in the rules is not closed")
                }
                let set = Array(rest[rest.index(after: rest.startIndex)..<end].utf8)
                guard !set.isEmpty, set.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                    throw .usage("between [ and ] only printable ASCII characters are allowed")
                }
                sets.append(set)
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { $0 != "," }
                sets.append(try named(name.trimmed))
                rest = rest[name.endIndex...]
            }
            rest = rest.drop { $0 == " " }
            if rest.hasPrefix(",") { rest = rest.dropFirst().drop { $0 == " " } }
        }
        guard !sets.isEmpty else { throw .usage("a rule lists no characters") }
        return union(sets)
    }

    private static func named(_ name: String) throws(CommandError) -> [UInt8] {
        switch name.lowercased() {
        case "lower": return small
        case "upper": return capital
        case "digit": return digits
        case "special": return special
        case "ascii-printable", "unicode": return Array(0x21...0x7E)
        default:
            throw .usage("a rule accepts lower, upper, digit, special, ascii-printable, and characters in brackets")
        }
    }

    fileprivate static func union(_ sets: [[UInt8]]) -> [UInt8] { Set(sets.joined()).sorted() }

    private static func unknown(_ rule: Substring) -> CommandError {
        .usage("unknown rule: \(PlainText.shown(rule.trimmed))")
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let front = drop { $0 == " " || $0 == "\n" || $0 == "\t" }
        guard let end = front.lastIndex(where: { $0 != " " && $0 != "\n" && $0 != "\t" }) else { return "" }
        return String(front[...end])
    }
}
