// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

/// `security delete-keychain`.
enum DeleteKeychain: SecurityVerb {
    static let name = "delete-keychain"
    static let summary = "deletes keychains"
    static let usage = """
        KEYCHAIN…

        Deletes keychains with everything in them, permanently, and removes them from the lists.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: ""))
        guard !options.operands.isEmpty else { throw .usage("the keychain to delete is missing") }
        // All have to exist before the first is deleted.
        var keychains: [ToolKeychain] = []
        for name in options.operands { keychains.append(try KeychainSearch.named(name)) }
        for keychain in keychains {
            try SecurityFailure.translating("SecKeychainDelete \(keychain.path)") { () throws(CommandError) in
                try keychain.remove()
            }
            var preferences = try KeychainSearch.preferences()
            let before = preferences
            preferences.forget(keychain.place)
            if preferences != before { try KeychainSearch.save(preferences) }
        }
    }
}
