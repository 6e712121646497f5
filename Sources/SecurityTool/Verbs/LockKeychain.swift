// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security lock-keychain`.
enum LockKeychain: SecurityVerb {
    static let name = "lock-keychain"
    static let summary = "locks a keychain, or all"
    static let usage = """
        [-a | KEYCHAIN]

        Locks a keychain, the default one if none is named: the daemon that keeps it unlocked wipes its keys. A keychain
        without a password stays open.

          -a   locks all of your keychains, those of the search list and the others
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "a"))
        let name = try options.operandIfAny("keychain")
        var keychains: [ToolKeychain] = []
        var failure: SecurityFailure?
        if options.has("a") {
            guard name == nil else { throw .usage("-a locks all keychains and cannot be used with KEYCHAIN") }
            // Keychains without a password cannot be locked; "all" means the others.
            for keychain in try KeychainSearch.searched([], session)
            where try KeychainLock.state(of: keychain) != .noPasscode {
                keychains.append(keychain)
            }
            // One of them that cannot be opened keeps none of the others open.
            for place in try KeychainSearch.others() {
                do throws(SecurityFailure) {
                    let keychain = try KeychainSearch.open(place)
                    guard try KeychainSearch.isThere(keychain), try KeychainLock.state(of: keychain) != .noPasscode
                    else { continue }
                    keychains.append(keychain)
                } catch { failure = failure ?? error }
            }
        } else {
            keychains = [try KeychainSearch.chosen(name, for: "SecKeychainLock")]
        }
        for keychain in keychains {
            // Not a failure: scripts that make one for a build lock it at their end, as on a Mac.
            guard try KeychainLock.state(of: keychain) != .noPasscode else {
                session.remark(
                    "the keychain \(keychain.path) has no password and stays open; \(keychain.passwordAdvice)")
                continue
            }
            try SecurityFailure.translating("SecKeychainLock \(keychain.path)") { () throws(CommandError) in
                _ = try keychain.perform(.lock)
            }
        }
        if let failure { throw failure }
    }
}

/// `security unlock-keychain`.
enum UnlockKeychain: SecurityVerb {
    static let name = "unlock-keychain"
    static let summary = "unlocks a keychain"
    static let usage = """
        [-u] [-p PASSWORD | --password-fd N] [KEYCHAIN]

        Unlocks a keychain, the default one if none is named, also for later programs: the daemon keeps it unlocked, and if none
        runs, llaverod is started for you. Without -p and --password-fd it asks for the password.

          -p PASSWORD        the password
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end is dropped
          -u                 not supported: a keychain cannot be unlocked without its password
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "up:", valued: ["--password-fd"]))
        guard !options.has("u") else {
            throw .usage("-u is not supported: a keychain cannot be unlocked without its password")
        }
        let name = try options.operandIfAny("keychain")
        let keychain = try KeychainSearch.chosen(name, for: "SecKeychainUnlock")
        let call = "SecKeychainUnlock \(keychain.path)"
        let given = try GivenPasscode.read(options, "p", session)
        let state = try KeychainLock.state(of: keychain)
        if state == .noPasscode {
            // It is unlocked already; a password that was given is still checked.
            guard case .passcode? = given else { return }
            throw .status(
                .authenticationFailed, call: call, why: keychain.nothingLocksIt)
        }
        if given == nil, state == .unlocked, keychain.hasDaemon { return }
        let question = AskedSecret.unlocking(name, "The keychain \(keychain.path) is to be unlocked.")
        var password = given ?? .none
        if given == nil { password = try .ask(question, call: call) }
        try KeychainLock.unlock(keychain, password)
    }
}
