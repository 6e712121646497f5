// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// How a password is made up.
enum PasswordRecipe {
    /// Groups of six with dashes between: small letters, but for one capital letter and one digit. Easily typed anywhere.
    case groups(Int)
    case words(Int)
    case characters(PasswordRules)

    /// What the options are called.
    static let options = ["--length", "--groups", "--words", "--symbols", "--rules"]

    init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--length", "--groups", "--words", "--rules"])
        let length = try options.number("--length", in: 4...1000, "a number from 4 to 1000")
        let hasSymbols = options.has("--symbols")
        if let count = try options.number("--groups", in: 2...100, "a number from 2 to 100") {
            guard !hasSymbols else { throw .usage("--symbols goes with --length") }
            self = .groups(count)
        } else if let count = try options.number("--words", in: 3...100, "a number from 3 to 100") {
            guard !hasSymbols else { throw .usage("--symbols goes with --length") }
            self = .words(count)
        } else if let text = options.value("--rules") {
            guard !hasSymbols else { throw .usage("--rules says itself which characters there are") }
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

    /// One that is no dash.
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
