// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// `security delete-keychain`.
enum DeleteKeychain: SecurityVerb {
    static let name = "delete-keychain"
    static let summary = "deletes keychains"
    static let usage = """
        KEYCHAIN…

        Deletes keychains with everything in them, permanently, and removes them from the lists. One that is in a list
        and no longer on the disk is removed from the lists, and that it was there is forgotten.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: ""))
        guard !options.operands.isEmpty else { throw .usage("the keychain to delete is missing") }
        // All have to exist before the first is deleted, if only in a list.
        var keychains: [ToolKeychain] = []
        for name in options.operands {
            let place = try KeychainSearch.place(name)
            var isKnown = try KeychainSearch.preferences().lists(place)
            if !isKnown { isKnown = try KeychainSearch.loss(of: place) != nil }
            keychains.append(
                isKnown ? try KeychainSearch.open(place) : try KeychainSearch.named(name, for: "SecKeychainDelete"))
        }
        for keychain in keychains {
            if try KeychainSearch.isThere(keychain) {
                try SecurityFailure.translating("SecKeychainDelete \(keychain.path)") { () throws(CommandError) in
                    try keychain.remove()
                }
            } else {
                try SecurityFailure.translating(keychain: "SecKeychainDelete \(keychain.path)") {
                    () throws(KeychainError) in
                    try VanishedKeychain(at: keychain.place)?.forget()
                }
            }
            try SecurityFailure.translating(keychain: "SecKeychainSetSearchList") { () throws(KeychainError) in
                try KeychainPreferences.forget(keychain.place, of: .current())
            }
        }
    }
}
