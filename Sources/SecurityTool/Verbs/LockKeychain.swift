// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `security lock-keychain`.
enum LockKeychain: SecurityVerb {
    static let name = "lock-keychain"
    static let summary = "locks a keychain, or all"
    static let usage = """
        [-a | KEYCHAIN]

        Locks a keychain, the default one if none is named: the daemon that keeps it unlocked forgets its keys.

          -a   locks all keychains of the search list
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "a"))
        let name = try options.operandIfAny("keychain")
        var keychains: [ToolKeychain] = []
        if options.has("a") {
            guard name == nil else { throw .usage("-a locks all, and takes no keychain") }
            // Those that have no password cannot be locked, and whoever wants all locked means the others.
            for keychain in try Keychains.searched([]) where try KeychainLock.state(of: keychain) != .noPasscode {
                keychains.append(keychain)
            }
        } else {
            keychains = [try Keychains.chosen(name)]
        }
        for keychain in keychains {
            try SecurityFailure.translating("SecKeychainLock \(keychain.path)") { () throws(CommandError) in
                _ = try keychain.perform(.lock)
            }
        }
    }
}
