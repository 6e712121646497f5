// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The programs that others call for passwords, each by the name that they look for.
package enum CredentialHelper: String, CaseIterable {
    case git = "git-credential-llavero"
    case docker = "docker-credential-llavero"
    case askpass = "llavero-askpass"

    /// Does what the words say, and ends the program.
    package func main(_ words: ArraySlice<String>) -> Never {
        // Whoever asked may be gone before it is answered.
        signal(SIGPIPE, SIG_IGN)
        let code =
            switch self {
            case .git: GitHelper.main(words)
            case .docker: DockerHelper.main(words)
            case .askpass: AskpassHelper.main(words)
            }
        Tool.end(code)
    }

    /// What went wrong, on one line, with what to do about it where that is known.
    static func complain(_ error: CommandError) {
        Tool.say(error.withAdvice.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}

extension CommandError {
    /// A locked keychain is what people meet most, and unlocking it is something else than what they were about.
    var withAdvice: String {
        guard case .keychain(let error) = self, error.reason == .interactionNotAllowed else { return description }
        guard let keychain = try? ToolKeychain(), let state = try? keychain.state(),
            state.lockState != .unlocked, state.lockState != .noPasscode
        else { return error.text }
        return keychain.lockedSentence
    }
}
