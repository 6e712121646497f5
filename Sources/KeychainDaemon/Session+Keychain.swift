// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainWire

/// Which keychain a connection is about: said by its program before the first call, or the usual one.
extension Session {
    /// The keychain that a call is about, opened where it is not; it stays open until `leave`.
    ///
    /// One that was not there may be by now, and one that was may be gone, or closed meanwhile.
    func enter(for call: WireCall) -> Result<UserKeychain, KeychainError> {
        for _ in 0..<Session.mostTries {
            if let keychain = opened, keychain.presence.enter() { return .success(keychain) }
            choose(for: call)
            if case .failure(let error)? = keychain { return .failure(error) }
        }
        return .failure(KeychainError(.notAvailable, "the keychain is being closed again and again"))
    }

    /// The call is over.
    func leave(_ keychain: UserKeychain) {
        if keychain.presence.leave() { keychains.timer?.lookAgain() }
    }

    /// The keychain as it was at the last call.
    var opened: UserKeychain? { try? keychain?.get() }

    private func choose(for call: WireCall) {
        // Who has no group at all has nothing to put into one that is not there yet, and who only looks makes none.
        let mayMake = choice.makesIt && (choice.keychain == .usual || call.putsSomething) && hasGroups
        do throws(KeychainError) {
            take(try keychains.keychain(choice.keychain, of: peer.process.user, makesIt: mayMake))
        } catch {
            keychain = .failure(error)
            audit = SessionAudit(nil, peer, program)
        }
    }

    private func take(_ opened: UserKeychain) {
        keychain = .success(opened)
        audit = SessionAudit(opened.audit, peer, program)
    }

    private var hasGroups: Bool {
        let caller = program.caller()
        return caller.seesEveryGroup || !caller.groups.isEmpty
    }

    /// Makes the keychain that was chosen.
    ///
    /// Its first passcode needs no right here: there is nothing in it that anybody could be kept from.
    func make(_ passcode: Passcode?) throws(KeychainError) {
        guard hasGroups || program.caller().administersKeys else {
            throw KeychainError(.missingEntitlement, "the program has no access group, so it has nothing to keep")
        }
        take(try keychains.make(choice.keychain, of: peer.process.user, passcode, work))
        if passcode != nil { audit.recordFirstPasscode() }
    }

    /// Removes the keychain that was chosen, which has a name: what programs use that name none is not to be had that way.
    func remove(at path: String?) throws(KeychainError) {
        guard program.caller().administersKeys else {
            throw KeychainError(
                .missingEntitlement,
                "the program may not remove keychains; its entitlement file would have to say administers-keys")
        }
        try keychains.remove(choice.keychain, of: peer.process.user, at: path)
    }

    /// What may have changed when it locks by itself.
    func look(at request: KeybagRequest, of keychain: UserKeychain) {
        switch request {
        case .change:
            keychain.follow()
            keychains.timer?.lookAgain()
        case .unlock(_, let seconds):
            keychain.use.end(after: seconds)
            keychains.timer?.lookAgain()
        case .lock: keychain.use.end(after: 0)
        case .setPasscode, .changePasscode, .recover: keychains.timer?.lookAgain()
        default: break
        }
    }

    private static let mostTries = 10
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

    /// Whether nothing but what belongs to it goes over the connection afterwards.
    var isLast: Bool {
        switch self {
        case .subscribe, .attend: true
        default: false
        }
    }

    /// Whether more is stored after it than before.
    var growsKeychain: Bool {
        switch self {
        case .add, .addAll, .update, .generateKey: true
        default: false
        }
    }

    /// Whether it is about the connection or a keychain's place, and needs none that is open.
    var needsNoKeychain: Bool {
        switch self {
        case .sit, .choose, .make, .remove, .attend, .answer: true
        default: false
        }
    }
}
