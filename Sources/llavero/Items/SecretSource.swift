// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// Where a verb's new secret comes from; never the command line.
enum SecretSource {
    case editor(EditedSecret)
    case reading(SecretReading)

    /// By `--stdin`, `--fd`, `--generate`, `--editor`, `--empty` and `--raw`.
    init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--stdin", "--fd", "--generate", "--editor"])
        try options.requireOne(of: ["--generate", "--empty"])
        let isRaw = options.has("--raw")
        let number = try PasscodeInput.descriptor(options, "--fd")
        let mayBeEmpty = options.has("--empty")
        guard !isRaw || options.has("--stdin") || number != nil else { throw .usage("--raw requires --stdin or --fd") }
        func reading(_ way: SecretReading.Way) -> SecretSource { .reading(.init(way: way, mayBeEmpty: mayBeEmpty)) }
        if options.has("--generate") {
            self = reading(.generator(try PasswordRecipe(options)))
            return
        }
        if let option = PasswordRecipe.options.first(where: { options.has($0) || options.value($0) != nil }) {
            throw .usage("\(option) requires --generate")
        }
        if options.has("--editor") {
            self = .editor(EditedSecret(mayBeEmpty: mayBeEmpty))
        } else if options.has("--stdin") {
            self = reading(.standardInput(isRaw: isRaw))
        } else if let number {
            self = reading(.descriptor(number, isRaw: isRaw))
        } else {
            self = reading(mayBeEmpty ? .nothing : .person)
        }
    }

    fileprivate static let isEmpty = "the input is empty; --empty keeps an empty password"
}

/// A secret that the person writes in an editor.
struct EditedSecret {
    fileprivate let mayBeEmpty: Bool

    /// Refuses an empty text unless that is wanted.
    func require(_ text: SecretValue) throws(CommandError) {
        guard text.count > 0 || mayBeEmpty else { throw .failure("the text is empty; --empty keeps an empty one") }
    }

    /// Hands on what the person writes in an editor.
    ///
    /// What `keep` refuses may be edited again, so that nothing that was typed is lost.
    func write(_ title: String, keep: (SecretValue) throws(CommandError) -> Void) throws(CommandError) {
        let nothing = SecretValue(copying: [])
        let outcome = try TextEditor.edit(nothing, called: title) { (text) throws(CommandError) in
            try require(text)
            try keep(text)
        }
        guard case .unchanged(let advice) = outcome else { return }
        guard mayBeEmpty else { throw .failure("\(SecretSource.isEmpty)\(advice)") }
        try keep(nothing)
    }
}

/// A secret that comes from standard input, a descriptor or a generator, else from a person who is asked.
struct SecretReading {
    fileprivate enum Way {
        case standardInput(isRaw: Bool)
        case descriptor(Int32, isRaw: Bool)
        case generator(PasswordRecipe)
        case person
        /// An empty secret, without a prompt.
        case nothing
    }

    fileprivate let way: Way
    fileprivate let mayBeEmpty: Bool

    /// Whether a source is given; otherwise the person is asked.
    var isGiven: Bool { if case .person = way { false } else { true } }

    /// `what` begins the question to a person, before the name.
    func secret(
        for name: String, what: String = "The password for", prompt: String = "Password:", confirms: Bool = true
    ) throws(CommandError) -> SecretValue {
        let secret = try given("\(what) \(PlainText.shown(name)).", prompt, confirms)
        // A failed command at the start of a pipe looks like this.
        guard secret.count > 0 || mayBeEmpty else { throw .failure(SecretSource.isEmpty) }
        return secret
    }

    private func given(_ question: String, _ prompt: String, _ confirms: Bool) throws(CommandError) -> SecretValue {
        switch way {
        case .nothing: return SecretValue(copying: [])
        case .standardInput(let isRaw):
            if Screen.hasInput {
                throw .usage("--stdin requires redirected input; without it the password is asked for, without echo")
            }
            return try SecretInput.all(from: 0, line: !isRaw)
        case .descriptor(let number, let isRaw): return try SecretInput.all(from: number, line: !isRaw)
        case .generator(let recipe): return try recipe.password()
        case .person:
            return try SecretInput.ask(
                question, prompt: prompt, confirms: confirms,
                otherwise: confirms ? "or use --stdin, --fd N or --generate" : "or use --stdin or --fd N")
        }
    }
}
