// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// Where a verb's new secret comes from: standard input, a descriptor, a generator, else a person; never the command line.
struct SecretSource {
    private enum Way {
        case standardInput(isRaw: Bool)
        case descriptor(Int32, isRaw: Bool)
        case generator(PasswordRecipe)
        case person
        /// It is to be empty, and nobody is asked.
        case nothing
    }

    private let way: Way
    private let mayBeEmpty: Bool

    /// By `--stdin`, `--fd`, `--generate`, `--empty` and `--raw`.
    init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--stdin", "--fd", "--generate"])
        try options.requireOne(of: ["--generate", "--empty"])
        let isRaw = options.has("--raw")
        let number = try PasscodeInput.descriptor(options, "--fd")
        mayBeEmpty = options.has("--empty")
        guard !isRaw || options.has("--stdin") || number != nil else { throw .usage("--raw goes with --stdin or --fd") }
        if options.has("--generate") {
            way = .generator(try PasswordRecipe(options))
            return
        }
        if let option = PasswordRecipe.options.first(where: { options.has($0) || options.value($0) != nil }) {
            throw .usage("\(option) goes with --generate")
        }
        if options.has("--stdin") {
            way = .standardInput(isRaw: isRaw)
        } else if let number {
            way = .descriptor(number, isRaw: isRaw)
        } else {
            way = mayBeEmpty ? .nothing : .person
        }
    }

    /// Whether anything was said; else a person would be asked.
    var isGiven: Bool { if case .person = way { false } else { true } }

    func secret(for name: String) throws(CommandError) -> SecretValue {
        let secret = try given(for: name)
        // A command in front of a pipe that failed looks like this.
        guard secret.count > 0 || mayBeEmpty else {
            throw .failure("nothing came in; --empty keeps an empty password")
        }
        return secret
    }

    private func given(for name: String) throws(CommandError) -> SecretValue {
        switch way {
        case .nothing: return SecretValue(copying: [])
        case .standardInput(let isRaw):
            if Screen.hasInput {
                throw .usage("--stdin reads what is redirected to it; without it the password is asked for, unseen")
            }
            return try SecretInput.all(from: 0, line: !isRaw)
        case .descriptor(let number, let isRaw): return try SecretInput.all(from: number, line: !isRaw)
        case .generator(let recipe): return try recipe.password()
        case .person:
            return try SecretInput.ask(
                "The password for \(PlainText.shown(name)).", prompt: "Password:", confirms: true,
                otherwise: "--stdin, --fd N or --generate give it without one")
        }
    }
}
