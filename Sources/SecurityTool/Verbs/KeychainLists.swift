// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

/// `security list-keychains`.
enum ListKeychains: SecurityVerb {
    static let name = "list-keychains"
    static let summary = "shows or sets the keychains that are searched"
    static let usage = """
        [-d DOMAIN] [-s KEYCHAIN…]

        Shows the keychains that are searched when none is named, or sets them.

          -s   sets them to these, in this order, without those that do not exist; with no keychain, empties the list
          -d   the domain: user, or system, common or dynamic, which have no keychains here and whose list cannot be set
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d:s"))
        if let domain = options.value("d"), KeychainSearch.emptyDomains.contains(domain), !options.has("s") {
            try options.requireNoOperands()
            session.remark("the domain \(domain) has no keychains here; the system's authorities are in /etc/ssl/certs")
            return
        }
        try KeychainSearch.requireUserDomain(options)
        guard options.has("s") else {
            try options.requireNoOperands()
            for place in try KeychainSearch.preferences().search { KeychainSearch.printPath(place) }
            return
        }
        var search: [Place] = []
        for name in options.operands {
            guard let place = try KeychainSearch.listedIfPresent(name) else {
                session.warn("\(name) is left out: the keychain does not exist")
                continue
            }
            if !search.contains(place) { search.append(place) }
        }
        try KeychainSearch.changePreferences { $0.search = search }
    }
}

/// `security default-keychain`.
enum DefaultKeychain: SecurityVerb {
    static let name = "default-keychain"
    static let summary = "shows or sets the default keychain"
    static let usage = """
        [-d user] [-s [KEYCHAIN]]

        Shows the keychain for new items when none is named, or sets it.

          -s   sets it to KEYCHAIN; without KEYCHAIN, resets it
          -d   the domain; only the user's exists here
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d:s"))
        try KeychainSearch.requireUserDomain(options)
        let name = try options.operandIfAny("keychain")
        guard options.has("s") else {
            if let name { throw .usage("\(name) requires -s before it") }
            KeychainSearch.printPath(try KeychainSearch.preferences().standard)
            return
        }
        let standard = if let name { try KeychainSearch.listed(name) } else { try KeychainSearch.usual() }
        try KeychainSearch.changePreferences { $0.standard = standard }
        if let name, try !KeychainSearch.preferences().search.contains(standard) {
            session.remark(
                "\(name) is not on the search list, so find-… does not look there: `security list-keychains -d user -s \(ShellWord.quoted(name)) …` puts it there"
            )
        }
    }
}

/// `security login-keychain`.
enum LoginKeychain: SecurityVerb {
    static let name = "login-keychain"
    static let summary = "shows the user's keychain"
    static let usage = """
        [-d user]

        Shows the keychain of programs that name none. It is set by LLAVERO_KEYCHAIN, or is login; so -s is not supported.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "d:s"))
        try KeychainSearch.requireUserDomain(options)
        guard !options.has("s") else { throw .usage("-s is not supported: only LLAVERO_KEYCHAIN sets this keychain") }
        try options.requireNoOperands()
        KeychainSearch.printPath(try KeychainSearch.usual())
    }
}
