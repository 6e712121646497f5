// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainTools

/// The programs that others call for passwords, each by the name that they look for.
package enum CredentialHelper: String, CaseIterable {
    case git = "git-credential-llavero"
    case docker = "docker-credential-llavero"
    case askpass = "llavero-askpass"

    /// Does what the words say, and ends the program.
    package func main(_ words: ArraySlice<String>) -> Never {
        Tool.say("nothing yet")
        exit(2)
    }
}
