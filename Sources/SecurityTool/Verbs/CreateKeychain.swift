// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security create-keychain`.
enum CreateKeychain: SecurityVerb {
    static let name = "create-keychain"
    static let summary = "creates keychains"
    static let usage = """
        [-p PASSWORD | --password-fd N | -P] KEYCHAIN…

        Creates keychains, each by its name or path. Without -p and --password-fd it asks for their password, twice. A keychain
        with an empty password (-p "") is never locked.

          -p PASSWORD        the password
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end is dropped
          -P                 asks for it, even if one was given
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "p:P", valued: ["--password-fd"]))
        guard !options.operands.isEmpty else { throw .usage("the keychain to create is missing") }
        let given = try GivenPasscode.read(options, "p", session)
        var keychains: [ToolKeychain] = []
        for name in options.operands {
            let keychain = try KeychainSearch.open(try KeychainSearch.place(name), call(name))
            guard try KeychainSearch.isThere(keychain) == false else {
                throw .status(.duplicateKeychain, call: call(name), why: nil)
            }
            keychains.append(keychain)
        }
        let password: GivenPasscode
        if let given, !options.has("P") {
            password = given
        } else {
            password = try .ask(.newKeychain, call: call(options.operands[0]))
        }
        let passcode: Passcode? = if case .passcode(let passcode) = password { passcode } else { nil }
        for keychain in keychains {
            try SecurityFailure.translating(call(keychain.path)) { () throws(CommandError) in
                try ToolKeychain.translating { () throws(KeychainError) in
                    _ = try keychain.host.make(passcode: passcode)
                }
            }
            if let passcode { KeychainLock.leaveOpen(keychain, passcode, session) }
        }
    }

    private static func call(_ name: String) -> String { "SecKeychainCreate \(name)" }
}
