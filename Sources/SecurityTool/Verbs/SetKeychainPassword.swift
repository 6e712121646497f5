// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security set-keychain-password`.
enum SetKeychainPassword: SecurityVerb {
    static let name = "set-keychain-password"
    static let summary = "changes the password of a keychain"
    static let usage = """
        [-o OLD | --old-fd N] [-p NEW | --password-fd N] [KEYCHAIN]

        Sets, changes or removes the password of a keychain, of the default one if none is named. It asks for passwords that are
        not given. An empty new password removes the password.

          -o OLD            the current password; empty for a keychain without one
          --old-fd N        reads it from descriptor N
          -p NEW            the new password
          --password-fd N   reads it from descriptor N
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "o:p:", valued: ["--old-fd", "--password-fd"]))
        let keychain = try KeychainSearch.chosen(try options.operandIfAny("keychain"))
        let call = "SecKeychainChangePassword \(keychain.path)"
        let hasPassword = try KeychainLock.state(of: keychain) != .noPasscode
        let givenOld = try GivenPasscode.read(options, "o", descriptor: "--old-fd", session)
        let givenNew = try GivenPasscode.read(options, "p", session)
        var old = givenOld ?? .none
        if givenOld == nil, hasPassword {
            old = try .ask(.oldPassword(of: keychain), descriptor: "--old-fd", call: call)
        }
        var new = givenNew ?? .none
        if givenNew == nil {
            new = try .ask(.newPassword(of: keychain), call: call)
        }
        let request: KeybagRequest
        switch (old, new) {
        case (.none, .none):
            guard !hasPassword else { throw .status(.authenticationFailed, call: call, why: nil) }
            return
        case (.none, .passcode(let new)):
            guard !hasPassword else { throw .status(.authenticationFailed, call: call, why: nil) }
            request = .setPasscode(new, erasingAfter: 0)
        case (.passcode(let old), .passcode(let new)):
            guard hasPassword else { throw .status(.authenticationFailed, call: call, why: nil) }
            request = .changePasscode(from: old, to: new)
        case (.passcode(let old), .none):
            guard hasPassword else { throw .status(.authenticationFailed, call: call, why: nil) }
            try refuseLosses(keychain)
            request = .removePasscode(old)
        }
        try SecurityFailure.translating(call) { () throws(CommandError) in _ = try keychain.perform(request) }
    }

    /// D21: removing the password would delete items that need one, so this subcommand refuses it if there are any.
    private static func refuseLosses(_ keychain: ToolKeychain) throws(SecurityFailure) {
        for itemClass in ItemClass.allCases {
            var predicate = ItemPredicate.all(of: .stored(itemClass), AttributeList())
            predicate.accessibility = .whenPasscodeSetThisDeviceOnly
            let request = MatchRequest(predicate: predicate, returning: [], limit: .single)
            let found = try SecurityFailure.translating(SecurityFailure.CallName.search) { () throws(CommandError) in
                try keychain.match(request, of: .everybody)
            }
            guard found.isEmpty else {
                throw .failure(
                    "the keychain has items that need a password and would be lost; `llavero passcode remove` removes them together with it"
                )
            }
        }
    }
}
