// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection

/// `security list-keychains`.
enum ListKeychains: SecurityVerb {
    static let name = "list-keychains"
    static let summary = "shows or sets the keychains that are searched"
    static let usage = """
        [-d user] [-s KEYCHAIN…]

        Shows the keychains that are searched where none is named, or sets them.

          -s   sets them to these, in this order, but for those that are not there; without any, to none
          -d   whose; there is only the user's
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d:s"))
        try Keychains.requireUserDomain(options)
        var preferences = try Keychains.preferences()
        guard options.has("s") else {
            try options.requireNoOperands()
            for place in preferences.search { Keychains.printPath(place) }
            return
        }
        var search: [Place] = []
        for name in options.operands {
            guard let place = try Keychains.listedIfPresent(name) else {
                session.warn("\(name) is left out: there is no such keychain")
                continue
            }
            if !search.contains(place) { search.append(place) }
        }
        preferences.search = search
        try Keychains.save(preferences)
    }
}

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
