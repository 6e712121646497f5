// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainTools

/// `llavero ssh-add`.
enum SSHAddVerb: Verb {
    static let name = "ssh-add"
    static let summary = "gives keys of the keychain to the ssh-agent"
    static let help = SSHAdd.help

    static func run(_ words: ArraySlice<String>) throws(CommandError) { try SSHAdd.run(words) }
}
