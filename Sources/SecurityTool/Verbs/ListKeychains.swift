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
