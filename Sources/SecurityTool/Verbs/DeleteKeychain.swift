// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

/// `security delete-keychain`.
enum DeleteKeychain: SecurityVerb {
    static let name = "delete-keychain"
    static let summary = "deletes keychains"
    static let usage = """
        KEYCHAIN…

        Deletes keychains with everything in them, and takes them out of the lists. Nothing of them comes back.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: ""))
        guard !options.operands.isEmpty else { throw .usage("a keychain to be deleted is missing") }
        // All have to be there before the first is gone.
        var keychains: [ToolKeychain] = []
        for name in options.operands { keychains.append(try Keychains.named(name)) }
        for keychain in keychains {
            try SecurityFailure.translating("SecKeychainDelete \(keychain.path)") { () throws(CommandError) in
                try keychain.remove()
            }
            var preferences = try Keychains.preferences()
            let before = preferences
            preferences.forget(keychain.place)
            if preferences != before { try Keychains.save(preferences) }
        }
    }
}
