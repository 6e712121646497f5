// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `security unlock-keychain`.
enum UnlockKeychain: SecurityVerb {
    static let name = "unlock-keychain"
    static let summary = "unlocks a keychain"
    static let usage = """
        [-u] [-p PASSWORD | --password-fd N] [KEYCHAIN]

        Unlocks a keychain, the default one if none is named, for the programs that come after too: the daemon keeps it unlocked, and
        where none runs, llaverod is started for you. Without -p and --password-fd it asks for the password.

          -p PASSWORD        the password
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end does not count
          -u                 accepted; without a password the keychain is not unlocked
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "up:", valued: ["--password-fd"]))
        guard !options.has("u") else {
            throw .usage("-u would unlock it without its password, which nothing here can")
        }
        let keychain = try Keychains.chosen(try options.operandIfAny("keychain"))
        let call = "SecKeychainUnlock \(keychain.path)"
        let given = try GivenPasscode.read(options, "p", session)
        let state = try KeychainLock.state(of: keychain)
        if state == .noPasscode {
            // It is open already, to whoever does not say something wrong.
            if let given { try KeychainLock.verify(keychain, given, call: call) }
            return
        }
        if given == nil, state == .unlocked, keychain.hasDaemon { return }
        let words = "The keychain \(keychain.path) is to be unlocked."
        var password = given ?? .none
        if given == nil { password = try .ask(words, confirms: false, call: call) }
        try KeychainLock.unlock(keychain, password)
    }
}
