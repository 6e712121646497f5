// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainWire

extension WireCall {
    /// Whether it uses the keychain, and does not only ask for its state.
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
        case .add, .addAll, .update, .updateAll, .generateKey: true
        default: false
        }
    }

    /// Whether it is about the connection or a keychain's place, and needs none that is open.
    var needsNoKeychain: Bool {
        switch self {
        case .sit, .choose, .names, .make, .remove, .attend, .answer, .introduce: true
        default: false
        }
    }
}

extension EmbeddedHost {
    /// Has a call done for a client.
    func answer(to call: WireCall, from caller: Caller) throws(KeychainError) -> WireReply {
        switch call {
        case .check(let start):
            try KeychainHostRule.requireAdministrator(caller)
            return .checked(try check(from: start))
        case .audit(let query):
            try KeychainHostRule.requireAdministrator(caller)
            return .audit(try audit(query))
        default: return try session(for: caller).answer(to: call)
        }
    }
}

extension EngineSession {
    /// Has a call done for a client; the request arrives here as one that no client has parsed.
    fileprivate func answer(to call: WireCall) throws(KeychainError) -> WireReply {
        switch call {
        case .add(let request): return .item(try add(request))
        case .addAll(let request): return .found(try add(request))
        case .match(let request): return .found(try match(request))
        case .matchPage(let request): return .page(try match(request))
        case .update(let request): try update(request)
        case .updateAll(let request): try update(request)
        case .delete(let request): try delete(request)
        case .generateKey(let request): return .generatedKey(try generateKey(request))
        case .useKey(let request): return .secret(try useKey(request))
        case .means: return .means(try means())
        case .authenticate(let request): try authenticate(request)
        case .set(let credential, let kind, let context): try set(credential, of: kind, for: context)
        case .hasCredential(let kind, let context): return .boolean(hasCredential(kind, context))
        case .begin(let context): begin(context)
        case .expect(let request): expect(request)
        case .takeBack(let request): takeBack(request)
        case .forget(let request): forget(request)
        case .invalidate(let context): invalidate(context)
        case .keybag(let request): return .keybag(try perform(request))
        // Not about what is in the keychain: others do these, and before.
        case .check, .audit, .sit, .subscribe, .introduce, .choose, .names, .make, .remove, .attend, .answer:
            throw KeychainError(.internalError, "the daemon passed a call of its own to the keychain")
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
            "the call covers the items of all programs; set administers-keys in the program's entitlement file, in /etc/llavero/entitlements.d (Docs/Daemon.md)"
        )
    }
}
