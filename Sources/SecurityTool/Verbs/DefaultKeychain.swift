// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection

/// `security default-keychain`.
enum DefaultKeychain: SecurityVerb {
    static let name = "default-keychain"
    static let summary = "shows or sets the default keychain"
    static let usage = """
        [-d user] [-s [KEYCHAIN]]

        Shows the keychain that new items go to where none is named, or sets it.

          -s   sets it to KEYCHAIN; without one, to the one that it is where nobody set it
          -d   whose; there is only the user's
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d:s"))
        try Keychains.requireUserDomain(options)
        let name = try options.operandIfAny("keychain")
        var preferences = try Keychains.preferences()
        guard options.has("s") else {
            if let name { throw .usage("\(name) takes -s before it") }
            Keychains.printPath(preferences.standard)
            return
        }
        if let name {
            preferences.standard = try Keychains.listed(name)
        } else {
            preferences.standard = try Keychains.usual()
        }
        try Keychains.save(preferences)
    }
}
