// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// `git-credential-llavero`: what git calls for passwords, once `credential.helper` says "llavero".
enum GitHelper {
    static func main(_ words: ArraySlice<String>) -> Int32 {
        do throws(CommandError) {
            guard let action = words.first, words.count == 1 else { throw .failure(usage) }
            switch action {
            case "get": try get(try message())
            case "store": try store(try message())
            case "erase": try erase(try message())
            // The version of the capability list, which is empty.
            case "capability": print("version 0")
            case "-h", "--help", "help": print(usage)
            // Git's protocol asks helpers to ignore unknown operations.
            default: break
            }
            return 0
        } catch {
            CredentialHelper.complain(error)
            return 1
        }
    }

    private static func get(_ asked: GitMessage) throws(CommandError) {
        guard let origin = origin(of: asked),
            let answer = try keychain().credential(for: origin, account: asked.username)
        else { return }
        guard !answer.account.contains(where: \.isNewline), !answer.account.contains(byte: 0) else {
            throw .failure(
                "the user name of \(origin.title) has a line feed, a carriage return or a NUL, which git's protocol does not allow"
            )
        }
        var parts: [SecretValue] = []
        func say(_ key: String, _ value: SecretValue) {
            parts += [SecretValue(text: "\(key)="), value, SecretValue(copying: [0x0A])]
        }
        say("username", SecretValue(text: answer.account))
        if !answer.isExpired {
            say("password", answer.secret.password)
            if let expiry = answer.secret.expiry {
                say("password_expiry_utc", SecretValue(text: String(expiry)))
            }
        }
        // Also for an expired password: another helper gets a new one with the token.
        if let token = answer.secret.refreshToken { say("oauth_refresh_token", token) }
        try SecretOutput.write(SecretValue.joined(parts), to: STDOUT_FILENO)
    }

    private static func store(_ said: GitMessage) throws(CommandError) {
        guard let origin = origin(of: said), let account = said.username, let password = said.password else { return }
        let secret = GitSecret(password: password, expiry: said.expiry, refreshToken: said.refreshToken)
        try keychain().store(secret, for: origin, account: account)
    }

    private static func erase(_ said: GitMessage) throws(CommandError) {
        guard let origin = origin(of: said) else { return }
        try keychain().erase(said.password, of: origin, account: said.username)
    }

    private static func message() throws(CommandError) -> GitMessage {
        let said = try HelperInput.message(from: STDIN_FILENO, endsWithBlankLine: true)
        do throws(GitMessage.Fault) { return try GitMessage(said) } catch { throw .failure(error.description) }
    }

    private static func origin(of said: GitMessage) -> GitOrigin? {
        GitOrigin(protocol: said.protocol, host: said.host, path: said.path)
    }

    private static func keychain() throws(CommandError) -> GitKeychain {
        GitKeychain(try HelperKeychains(), now: UInt64(max(0, time(nil))))
    }

    private static let usage = """
        usage: git-credential-llavero (get | store | erase | capability); git calls it after `git config --global \
        credential.helper llavero`
        """
}
