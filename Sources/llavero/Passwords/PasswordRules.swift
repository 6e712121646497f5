// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// What a password has to be, as sites write it for Apple's password rules:
/// `minlength: 12; required: lower; required: digit; allowed: [-_]; max-consecutive: 2`.
struct PasswordRules {
    /// Sets each of which gives one character at least.
    private(set) var required: [[UInt8]] = []
    private(set) var allowed: [UInt8] = []
    private(set) var length: Int
    private(set) var mostConsecutive = Int.max

    /// Letters of both cases and digits, and the other characters if so wanted; one of each at least.
    init(length: Int, hasSymbols: Bool) {
        self.length = length
        required = [PasswordRules.small, PasswordRules.capital, PasswordRules.digits]
        if hasSymbols { required.append(PasswordRules.special) }
        allowed = PasswordRules.union(required)
    }

    /// Refuses rules that it does not understand, and those that no password could follow.
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
        else { throw .usage("no password follows these rules") }
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
        throw .failure("no password was found that follows the rules; allow more characters in a row")
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
    /// At semicolons, but for those between brackets.
    private static func split(_ text: String) throws(CommandError) -> [Substring] {
        var rules: [Substring] = []
        var start = text.startIndex
        var isInside = false
        for index in text.indices {
            if text[index] == "[" { isInside = true }
            // A bracket that closes at once is a character of the set.
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

    /// Whether a class ends here: before the next one, the next rule, or the end.
    private static func closes(_ index: String.Index, in text: String) -> Bool {
        guard let next = text[text.index(after: index)...].trimmed.first else { return true }
        return next == ";" || next == ","
    }

    private static func number(_ text: String, _ rule: Substring) throws(CommandError) -> Int {
        guard let number = Int(text), (0...1000).contains(number) else { throw unknown(rule) }
        return number
    }

    /// Names of classes and characters in brackets, with commas between them.
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
                    throw .usage("between [ and ] stand characters of ASCII that can be seen")
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
        guard !sets.isEmpty else { throw .usage("the rules name no characters") }
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
            throw .usage("the rules know lower, upper, digit, special, ascii-printable, and characters in brackets")
        }
    }

    fileprivate static func union(_ sets: [[UInt8]]) -> [UInt8] { Set(sets.joined()).sorted() }

    private static func unknown(_ rule: Substring) -> CommandError {
        .usage("there is no rule \(PlainText.shown(rule.trimmed))")
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let front = drop { $0 == " " || $0 == "\n" || $0 == "\t" }
        guard let end = front.lastIndex(where: { $0 != " " && $0 != "\n" && $0 != "\t" }) else { return "" }
        return String(front[...end])
    }
}
