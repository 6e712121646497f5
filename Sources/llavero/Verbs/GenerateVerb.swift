// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero generate`.
enum GenerateVerb: Verb {
    static let name = "generate"
    static let summary = "makes up a password"
    static let help = """
        usage: llavero generate [--length N | --groups N | --words N | --rules RULES] [--symbols] [--count N]

        Prints a password that nobody has had before: three groups of six characters with dashes between, unless told otherwise.
        It is kept nowhere; `llavero add NAME --generate` keeps one without showing it.

          --length N      so many letters and digits, of each kind one at least
          --symbols       other characters too
          --groups N      so many groups of six: small letters, with one capital letter and one digit
          --words N       so many words out of 1024, with dashes between; each is worth ten bits
          --rules RULES   what a site asks for, as in Apple's password rules: "minlength: 12; required: lower; required: digit;
                          allowed: [-_]; max-consecutive: 2"
          --count N       so many passwords, a line each
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let recipe = try PasswordRecipe(options)
        let count = try options.number("--count", in: 1...10_000, "a number from 1 to 10000") ?? 1
        for _ in 0..<count { try SecretOutput.write(try recipe.password(), to: 1, ending: "\n") }
    }
}
