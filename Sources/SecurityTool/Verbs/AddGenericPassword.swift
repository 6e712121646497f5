// SPDX-License-Identifier: Apache-2.0

/// `security add-generic-password`.
enum AddGenericPassword: SecurityVerb {
    static let name = "add-generic-password"
    static let summary = "adds a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN]

        Adds a password for a service. Without KEYCHAIN it goes into the default keychain.

        \(PasswordKind.generic.usage)
        \(PasswordAddition.usage)
          -p VALUE           the same as -w, as it was once
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordAddition.run(.generic, words, session)
    }
}
