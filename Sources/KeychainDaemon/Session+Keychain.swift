// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainWire

/// Which keychain a connection is about: said by its program before the first call, or the usual one.
extension Session {
    private static func keychain(
        _ choice: KeychainChoice, of peer: Peer, in keychains: UserKeychains
    ) -> Result<UserKeychain, KeychainError> {
        do throws(KeychainError) {
            return .success(
                try keychains.keychain(choice.keychain, of: peer.process.user, makesIt: choice.makesIt))
        } catch { return .failure(error) }
    }

    /// Opens the keychain when the first call comes that is about it: which one it is may be said first.
    func openIfNeeded(for call: WireCall) {
        switch call {
        case .sit, .choose: return
        default: if keychain == nil { choose(choice, for: call) }
        }
    }

    /// One that was not there may be by now, and one that was may be gone.
    func chosenKeychain(for call: WireCall) throws(KeychainError) -> UserKeychain {
        if case .success(let keychain)? = keychain, !keychain.isDismissed { return keychain }
        return try choose(choice, for: call).get()
    }

    @discardableResult
    func choose(_ choice: KeychainChoice, for call: WireCall) -> Result<UserKeychain, KeychainError> {
        self.choice = choice
        // Who has no group at all has nothing to put into one that is not there yet, and who only looks makes none.
        let caller = program.caller()
        let mayMake =
            choice.makesIt && (choice.keychain == .usual || call.putsSomething)
            && (caller.seesEveryGroup || !caller.groups.isEmpty)
        let chosen = Session.keychain(
            KeychainChoice(choice.keychain, claimsPasswords: choice.claimsPasswords, makesIt: mayMake), of: peer,
            in: keychains)
        keychain = chosen
        let opened = try? chosen.get()
        audit = SessionAudit(opened?.audit, peer, program)
        if opened?.use.remaining() != nil { timer?.lookAgain() }
        return chosen
    }

    /// Of a keychain with a name; what programs use that name none is not to be had that way.
    func dismiss(_ keychain: UserKeychain) throws(KeychainError) {
        let caller = program.caller()
        guard caller.administersKeys, !keychains.isUsual(keychain, of: peer.process.user) else {
            throw KeychainError(.missingEntitlement, "the program may not take this keychain from the daemon")
        }
        try keychain.dismiss()
    }

    /// What may have changed when it locks by itself.
    func look(at request: KeybagRequest, of keychain: UserKeychain) {
        switch request {
        case .change:
            keychain.follow()
            timer?.lookAgain()
        case .unlock, .setPasscode, .changePasscode, .recover: timer?.lookAgain()
        default: break
        }
    }
}

extension WireCall {
    /// Whether somebody uses the keychain with it, and does not only ask how it stands.
    var usesKeychain: Bool {
        switch self {
        case .keybag(.standing), .keybag(.settings), .check, .audit, .introduce, .means: false
        default: true
        }
    }

    /// Whether it is a reason to make the keychain, where there is none.
    var putsSomething: Bool {
        switch self {
        case .add, .addAll, .generateKey, .keybag(.setPasscode): true
        default: false
        }
    }
}
