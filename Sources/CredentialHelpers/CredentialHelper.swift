// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The programs that other programs call for passwords, by name.
package enum CredentialHelper: String, CaseIterable {
    case git = "git-credential-llavero"
    case docker = "docker-credential-llavero"
    case cargo = "cargo-credential-llavero"
    case askpass = "llavero-askpass"

    /// Runs the command line, and ends the program.
    package func main(_ words: ArraySlice<String>) -> Never {
        // The calling program may be gone before the answer is written.
        signal(SIGPIPE, SIG_IGN)
        let code =
            switch self {
            case .git: GitHelper.main(words)
            case .docker: DockerHelper.main(words)
            case .cargo: CargoHelper.main(words)
            case .askpass: AskpassHelper.main(words)
            }
        Tool.end(code)
    }

    /// The error on one line.
    static func complain(_ error: CommandError) {
        Tool.say(error.sentence.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}

extension CommandError {
    /// What the caller shows: of a locked keychain, the most frequent error, only which command unlocks it.
    var sentence: String {
        guard case .keychain(let error) = self, error.reason == .interactionNotAllowed else { return description }
        return error.text
    }
}
