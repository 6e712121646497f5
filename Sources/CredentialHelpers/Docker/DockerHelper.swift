// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainModel
internal import KeychainTools

/// `docker-credential-llavero`: what docker calls once its configuration says "credsStore": "llavero", and podman, skopeo and
/// buildah once theirs says credential-helpers = ["llavero"].
///
/// Errors are written to standard output, where docker reads them.
enum DockerHelper {
    static func main(_ words: ArraySlice<String>) -> Int32 {
        do throws(CommandError) {
            guard let action = words.first, words.count == 1 else { throw .failure(usage) }
            switch action {
            case "get": try get()
            case "store": try store()
            case "erase": try keychain().erase(try url())
            case "list": try list()
            case "version", "--version", "-v": print("\(Tool.name) (llavero) \(VersionText.version)")
            case "--help", "-h": print(usage)
            default: throw .failure("\(Tool.name): unknown action: \(action)")
            }
            return 0
        } catch {
            print(error.sentence.split(whereSeparator: \.isNewline).joined(separator: " "))
            return 1
        }
    }

    private static func get() throws(CommandError) {
        let url = try url()
        guard let found = try keychain().credential(for: url) else {
            // Docker recognizes exactly these words.
            throw .failure("credentials not found in native keychain")
        }
        guard let secret = JSONStrings.quoted(found.secret) else {
            throw .failure("the password of this registry is not text, and docker accepts only text")
        }
        try write([
            ("ServerURL", try quoted(url.text)), ("Username", try quoted(found.account)), ("Secret", secret),
        ])
    }

    private static func store() throws(CommandError) {
        let said = try HelperInput.message(from: STDIN_FILENO, endsWithBlankLine: false)
        let members: JSONStrings
        do throws(CodingError) { members = try JSONStrings(said) } catch {
            throw .failure("docker sent credentials that are not a valid JSON object")
        }
        let url = try registry(members["ServerURL"])
        guard let account = members["Username"], account.count > 0 else { throw .failure("no credentials username") }
        guard let name = account.text else { throw .failure("the username has a NUL byte") }
        try keychain().store(members["Secret"] ?? SecretValue(copying: []), account: name, for: url)
    }

    private static func list() throws(CommandError) {
        var members: [(String, SecretValue)] = []
        for (url, account) in try keychain().accounts() { members.append((url, try quoted(account))) }
        try write(members)
    }

    /// The registry on standard input: its lines joined, as docker's own helpers do.
    private static func url() throws(CommandError) -> RegistryURL {
        try registry(try HelperInput.message(from: STDIN_FILENO, endsWithBlankLine: false))
    }

    private static func registry(_ said: SecretValue?) throws(CommandError) -> RegistryURL {
        guard let said else { throw .failure("no credentials server URL") }
        guard let text = said.text else { throw .failure("the server URL is not text") }
        let lines = text.split(whereSeparator: \.isNewline).joined()
        let url = lines.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        guard !url.isEmpty else { throw .failure("no credentials server URL") }
        return RegistryURL(String(url))
    }

    private static func write(_ members: [(name: String, value: SecretValue)]) throws(CommandError) {
        var parts = [SecretValue(text: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { parts.append(SecretValue(text: ",")) }
            parts += [try quoted(member.name), SecretValue(text: ":"), member.value]
        }
        try SecretOutput.write(SecretValue.joined(parts + [SecretValue(text: "}\n")]), to: STDOUT_FILENO)
    }

    private static func quoted(_ text: String) throws(CommandError) -> SecretValue {
        guard let quoted = JSONStrings.quoted(SecretValue(text: text)) else { throw .failure("the value is not text") }
        return quoted
    }

    private static func keychain() throws(CommandError) -> DockerKeychain { DockerKeychain(try HelperKeychains()) }

    private static var usage: String { "Usage: \(Tool.name) <store|get|erase|list|version>" }
}
