// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainWire

extension WireCall {
    /// Whether somebody uses the keychain with it, and does not only ask how it stands.
    var usesKeychain: Bool {
        switch self {
        case .keybag(.state), .keybag(.settings), .check, .audit, .introduce, .means: false
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

extension KeychainHost {
    /// Has a call done for a client.
    func answer(to call: WireCall, from caller: Caller) throws(KeychainError) -> WireReply {
        switch call {
        case .check(let start):
            try KeychainHostRule.requireAdministrator(caller)
            return .checked(try check(from: start))
        case .audit(let query):
            try KeychainHostRule.requireAdministrator(caller)
            return .audit(try audit(query))
        default: return try connection().answer(to: call, from: caller)
        }
    }
}

extension KeychainConnection {
    /// Has a call done for a client; the request arrives here as one that no client has parsed.
    fileprivate func answer(to call: WireCall, from caller: Caller) throws(KeychainError) -> WireReply {
        switch call {
        case .add(let request): return .item(try service.add(request, from: caller))
        case .addAll(let request): return .found(try service.add(request, from: caller))
        case .match(let request): return .found(try service.match(request, from: caller))
        case .update(let request): try service.update(request, from: caller)
        case .delete(let request): try service.delete(request, from: caller)
        case .generateKey(let request): return .generatedKey(try service.generateKey(request, from: caller))
        case .useKey(let request): return .secret(try service.useKey(request, from: caller))
        case .means: return .means(try authentication.means())
        case .authenticate(let request): try authentication.authenticate(request, from: caller)
        case .set(let credential, let kind, let context): try authentication.set(credential, of: kind, for: context)
        case .hasCredential(let kind, let context): return .boolean(authentication.hasCredential(kind, context))
        case .begin(let context): authentication.begin(context)
        case .expect(let request): authentication.expect(request)
        case .takeBack(let request): authentication.takeBack(request)
        case .forget(let request): authentication.forget(request)
        case .invalidate(let context): authentication.invalidate(context)
        case .keybag(let request): return .keybag(try keybag.perform(request, from: caller))
        // Not about what is in the keychain: others do these, and before.
        case .check, .audit, .sit, .subscribe, .introduce, .choose, .make, .remove, .attend, .answer:
            throw KeychainError(.internalError, "the daemon did not do what is its to do")
        }
        return .nothing
    }
}

/// What is wrong with a keychain, and its log, tell of every program's items.
private enum KeychainHostRule {
    static func requireAdministrator(_ caller: Caller) throws(KeychainError) {
        guard !caller.administersKeys else { return }
        throw KeychainError(
            .missingEntitlement,
            "this tells of every program's items; the program's entitlement file would have to say administers-keys")
    }
}
