// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainModel
package import KeychainRequest

/// What a program asks of the daemon: every call of a `KeychainSession`, and what only a daemon does.
///
/// Who asks is not said: the daemon knows.
package enum WireCall: Sendable {
    case add(AddRequest)
    case addAll(AddAllRequest)
    case match(MatchRequest)
    case update(UpdateRequest)
    case delete(DeleteRequest)
    case generateKey(GenerateKeyRequest)
    case useKey(UseKeyRequest)
    case means
    case authenticate(AuthenticateRequest)
    /// Gives a credential of the kind to a context, or takes it back with nil.
    case set(AuthenticationCredential?, AuthenticationCredential.Kind, AuthenticationContextID)
    case hasCredential(AuthenticationCredential.Kind, AuthenticationContextID)
    case begin(AuthenticationContextID)
    case expect(AuthenticationRequestID)
    case takeBack(AuthenticationRequestID)
    case forget(AuthenticationRequestID)
    case invalidate(AuthenticationContextID)
    case keybag(KeybagRequest)
    /// Examines a part of the keychain; nil for the first.
    case check(from: CheckPosition?)
    /// Where the person is who may be asked for all that comes over this connection.
    case sit(ClientTerminal)
    /// To be told of changes from now on: the last call over a connection, which gets any number of replies.
    case subscribe
    /// Who the program is taken for, and why.
    case introduce
    case audit(AuditQuery)
    /// Which keychain everything is about that comes over this connection, and on whose behalf.
    case choose(KeychainChoice)
    /// To remove the keychain with everything in it, if it is at this path, or wherever it is.
    case remove(String?)
    /// To make the keychain, which must not be there yet, with its first passcode.
    case make(Passcode?)
    /// To be sent the questions for the user's programs from now on: nothing but answers may follow over the connection.
    case attend
    /// What became of the question that was sent last.
    case answer(PersonAnswer)
    case matchPage(MatchPageRequest)
    case updateAll(UpdateAllRequest)
    /// The names of the keychains that the daemon has for the program's user.
    case names
}

extension WireCall: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .add(try fields.next())
        case 2: self = .addAll(try fields.next())
        case 3: self = .match(try fields.next())
        case 4: self = .update(try fields.next())
        case 5: self = .delete(try fields.next())
        case 6: self = .generateKey(try fields.next())
        case 7: self = .useKey(try fields.next())
        case 8: self = .means
        case 9: self = .authenticate(try fields.next())
        case 10:
            let kind: AuthenticationCredential.Kind = try fields.next()
            let secret: SecretValue? = try fields.next()
            guard secret?.count ?? 0 <= WireLimits.credential else { throw .outOfRange }
            self = .set(secret.map { AuthenticationCredential(kind, $0) }, kind, try fields.next())
        case 11: self = .hasCredential(try fields.next(), try fields.next())
        case 12: self = .begin(try fields.next())
        case 13: self = .expect(try fields.next())
        case 14: self = .takeBack(try fields.next())
        case 15: self = .forget(try fields.next())
        case 16: self = .invalidate(try fields.next())
        case 17: self = .keybag(try fields.next())
        case 18: self = .check(from: try fields.next())
        case 19: self = .sit(try fields.next())
        case 20: self = .subscribe
        case 21: self = .introduce
        case 22: self = .audit(try fields.next())
        case 23: self = .choose(try fields.next())
        case 24:
            let path: String? = try fields.next()
            guard path?.utf8.count ?? 0 <= KeychainChoice.longestPath else { throw .outOfRange }
            self = .remove(path)
        case 25: self = .make(try fields.next())
        case 26: self = .attend
        case 27: self = .answer(try fields.next())
        case 28: self = .matchPage(try fields.next())
        case 29: self = .updateAll(try fields.next())
        case 30: self = .names
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .add(let request): try writer.write(1, request)
        case .addAll(let request): try writer.write(2, request)
        case .match(let request): try writer.write(3, request)
        case .update(let request): try writer.write(4, request)
        case .delete(let request): try writer.write(5, request)
        case .generateKey(let request): try writer.write(6, request)
        case .useKey(let request): try writer.write(7, request)
        case .means: writer.number(8)
        case .authenticate(let request): try writer.write(9, request)
        case .set(let credential, let kind, let context):
            // The secret alone is sent: of one of another kind there would be nothing to tell.
            guard credential.map({ $0.kind == kind }) ?? true else { throw .unwritable }
            guard credential?.secret.count ?? 0 <= WireLimits.credential else { throw .tooLarge }
            try writer.write(10, kind)
            try writer.write(credential?.secret)
            try writer.write(context)
        case .hasCredential(let kind, let context):
            try writer.write(11, kind)
            try writer.write(context)
        case .begin(let context): try writer.write(12, context)
        case .expect(let request): try writer.write(13, request)
        case .takeBack(let request): try writer.write(14, request)
        case .forget(let request): try writer.write(15, request)
        case .invalidate(let context): try writer.write(16, context)
        case .keybag(let request): try writer.write(17, request)
        case .check(let start): try writer.write(18, start)
        case .sit(let terminal): try writer.write(19, terminal)
        case .subscribe: writer.number(20)
        case .introduce: writer.number(21)
        case .audit(let query): try writer.write(22, query)
        case .choose(let choice): try writer.write(23, choice)
        case .remove(let path):
            guard path?.utf8.count ?? 0 <= KeychainChoice.longestPath else { throw .tooLarge }
            try writer.write(24, path)
        case .make(let passcode): try writer.write(25, passcode)
        case .attend: writer.number(26)
        case .answer(let answer): try writer.write(27, answer)
        case .matchPage(let request): try writer.write(28, request)
        case .updateAll(let request): try writer.write(29, request)
        case .names: writer.number(30)
        }
    }
}

extension KeychainChoice: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(try fields.next(), claimsPasswords: try fields.next(), makesIt: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(keychain)
        try writer.write(claimsPasswords)
        try writer.write(makesIt)
    }
}

extension KeychainAddress: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .usual
        case 2: self = .named(try fields.string(atMost: KeychainChoice.longestPath))
        case 3:
            let root = try fields.string(atMost: KeychainChoice.longestPath)
            self = .folder(root: root, name: try fields.string(atMost: KeychainChoice.longestPath))
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .usual: writer.number(1)
        case .named(let name): try writer.write(2, name)
        case .folder(let root, let name):
            try writer.write(3, root)
            try writer.write(name)
        }
    }
}
