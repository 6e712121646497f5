// SPDX-License-Identifier: Apache-2.0

/// `security login-keychain`.
enum LoginKeychain: SecurityVerb {
    static let name = "login-keychain"
    static let summary = "shows the keychain of the user"
    static let usage = """
        [-d user]

        Shows the keychain that programs use which name none. LLAVERO_KEYCHAIN says which one it is, or it is called login; so there
        is nothing to set.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d:s"))
        try Keychains.requireUserDomain(options)
        guard !options.has("s") else { throw .usage("LLAVERO_KEYCHAIN says which keychain it is, and nothing else") }
        try options.requireNoOperands()
        Keychains.printPath(try Keychains.usual())
    }
}
