// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainModel
internal import KeychainTools

/// `cargo-credential-llavero`: what cargo (1.74 or newer) calls for the tokens of registries, once its configuration names it as
/// a credential provider.
///
/// One line of JSON for each question and each answer; errors are answers too.
enum CargoHelper {
    static func main(_ words: ArraySlice<String>) -> Int32 {
        if words == ["--help"] || words == ["-h"] {
            print(usage)
            return 0
        }
        guard words == ["--cargo-plugin"] else {
            Tool.say(usage)
            return 1
        }
        do throws(CommandError) {
            // The versions of the protocol.
            try say(SecretValue(text: #"{"v":[1]}"#))
            var source = LineSource()
            while let line = try source.next() {
                if line.count > 0 { try say(answer(line)) }
            }
            return 0
        } catch {
            CredentialHelper.complain(error)
            return 1
        }
    }

    private static func answer(_ line: SecretValue) -> SecretValue {
        do throws(CargoRefusal) { return SecretValue.joined(try answer(to: CargoQuestion(line))) } catch {
            return error.answer
        }
    }

    private static func answer(to question: CargoQuestion) throws(CargoRefusal) -> [SecretValue] {
        let keychain = CargoKeychain(
            try CargoRefusal.translating { () throws(CommandError) in try HelperKeychains() })
        switch question.kind {
        case "get":
            let token = try CargoRefusal.translating { () throws(CommandError) in
                try keychain.token(for: question.registry)
            }
            guard let token else { throw .notFound }
            guard let quoted = JSONStrings.quoted(token) else {
                throw .other("the token of \(question.registry.title) is not text, and cargo accepts only text")
            }
            // One token for every operation, which cargo may keep as long as it runs.
            return [
                SecretValue(text: #"{"Ok":{"kind":"get","token":"#), quoted,
                SecretValue(text: #","cache":"session","operation_independent":true}}"#),
            ]
        case "login":
            try CargoRefusal.translating { () throws(CommandError) in
                try keychain.store(try newToken(question), for: question.registry)
            }
            return [SecretValue(text: #"{"Ok":{"kind":"login"}}"#)]
        case "logout":
            let isGone = try CargoRefusal.translating { () throws(CommandError) in
                try keychain.erase(question.registry)
            }
            guard isGone else { throw .notFound }
            return [SecretValue(text: #"{"Ok":{"kind":"logout"}}"#)]
        default: throw .operationNotSupported
        }
    }

    /// The token that cargo was given, or else the person's answer.
    private static func newToken(_ question: CargoQuestion) throws(CommandError) -> SecretValue {
        let given: SecretValue
        if let token = question.token {
            given = token
        } else {
            let place = question.loginURL.map { "; it is shown at \($0)" } ?? ""
            given = try SecretInput.ask(
                "The token of \(question.registry.title)\(place).", prompt: "Token:", confirms: false,
                otherwise: "`cargo login` reads it from standard input, too")
        }
        let token = given.withoutSpaceAround
        guard token.count > 0 else { throw .failure("the token is empty; nothing was stored") }
        return token
    }

    private static func say(_ answer: SecretValue) throws(CommandError) {
        try SecretOutput.write(answer, to: STDOUT_FILENO, ending: "\n")
    }

    private static let usage = """
        usage: cargo-credential-llavero --cargo-plugin; cargo calls it after global-credential-providers = \
        ["cargo-credential-llavero"] below [registry] in its config.toml
        """
}

/// What cargo asks, in one line.
struct CargoQuestion {
    let kind: String
    let registry: CargoRegistry
    /// Of a login; nil where the person is to be asked.
    let token: SecretValue?
    /// Where the person finds a token.
    let loginURL: String?

    init(_ line: SecretValue) throws(CargoRefusal) {
        let (question, registry): (JSONStrings, JSONStrings?)
        do throws(CodingError) {
            question = try JSONStrings(line)
            registry = try question.object("registry")
        } catch { throw .other("cargo sent a line that is not a valid JSON object") }
        // Those of the provider in cargo's configuration, and those after `cargo login --`.
        if let words = question.nested("args"), !words.isEmptyList {
            throw .other("cargo-credential-llavero takes no arguments")
        }
        guard let kind = question["kind"]?.text else { throw .other("cargo sent a question without a kind") }
        guard let index = registry?["index-url"]?.text, index.contains("://") else { throw .urlNotSupported }
        self.kind = kind
        self.registry = CargoRegistry(index: index, name: registry?["name"]?.text)
        token = question["token"]
        loginURL = question["login-url"]?.text
    }
}

/// An answer that something failed.
enum CargoRefusal: Error {
    case notFound
    case urlNotSupported
    case operationNotSupported
    case other(String)

    var answer: SecretValue {
        switch self {
        case .notFound: SecretValue(text: #"{"Err":{"kind":"not-found"}}"#)
        case .urlNotSupported: SecretValue(text: #"{"Err":{"kind":"url-not-supported"}}"#)
        case .operationNotSupported: SecretValue(text: #"{"Err":{"kind":"operation-not-supported"}}"#)
        case .other(let text):
            SecretValue.joined([
                SecretValue(text: #"{"Err":{"kind":"other","message":"#),
                // A text of Swift's is always UTF-8.
                JSONStrings.quoted(SecretValue(text: text)) ?? SecretValue(text: "\"\""),
                SecretValue(text: #","caused-by":[]}}"#),
            ])
        }
    }

    static func translating<Result>(_ body: () throws(CommandError) -> Result) throws(CargoRefusal) -> Result {
        do throws(CommandError) { return try body() } catch { throw .other(error.sentence) }
    }
}

extension SecretValue {
    /// Without the white space of ASCII at both ends.
    fileprivate var withoutSpaceAround: SecretValue {
        unsafe withUnsafeBytes { bytes in
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
            guard let first = unsafe bytes.firstIndex(where: { !isSpace($0) }),
                let last = unsafe bytes.lastIndex(where: { !isSpace($0) })
            else { return SecretValue(copying: []) }
            return unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[first...last]))
        }
    }

    /// Whether it is a JSON list without elements.
    fileprivate var isEmptyList: Bool {
        var cursor = JSONCursor(self)
        guard cursor.skip("[") else { return false }
        cursor.skipSpace()
        return cursor.skip("]")
    }
}
