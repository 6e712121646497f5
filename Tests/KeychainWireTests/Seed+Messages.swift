// SPDX-License-Identifier: Apache-2.0

import KeychainAudit
import KeychainModel
import KeychainRequest
import KeychainWire
import TestSeed

extension Seed {
    static let calls = 30
    static let replies = 17

    /// A random call of the kind.
    mutating func call(_ kind: Int) -> WireCall {
        switch kind {
        case 0:
            var request = add()
            request.authentication = terms(skipping: false)
            request.token = maybe { AddToken($0.next(), $0.next(), $0.next(), $0.next()) }
            return .add(request)
        case 1: return .addAll(addAll())
        case 2:
            let queriedClass = queriedClass()
            var request = MatchRequest(
                predicate: predicate(queriedClass, forChange: false), returning: returning(),
                limit: pick([.nothing, .single, .all, .atMost(2 + below(1000)), .atMost(.max)]))
            request.authentication = terms(skipping: true)
            return .match(request)
        case 3: return .update(update())
        case 4:
            let queriedClass = queriedClass()
            var request = DeleteRequest(
                predicate: predicate(queriedClass, forChange: true),
                tombstones: pick([.whenSynchronizable, .always, .never]))
            request.authentication = terms(skipping: false)
            return .delete(request)
        case 5:
            let outside = maybe { OutsideKeyTerms(control: $0.accessControl(), isCompact: $0.flip()) }
            var request = GenerateKeyRequest(
                type: UInt32(truncatingIfNeeded: next()), bits: 1 + below(16_384),
                place: outside == nil ? pick([.software, .enclave]) : .enclave,
                key: outside == nil ? maybe { $0.add(.key, bare: true) } : nil,
                publicKey: maybe { $0.add(.key, bare: true) })
            request.outside = outside
            request.authentication = terms(skipping: true)
            return .generateKey(request)
        case 6:
            let stored = UseKeyRequest.Key.stored(id(), publicKey: maybe { $0.bytes() })
            let key = pick([stored, .loose(looseKey()), .outside(looseKey())])
            var request = UseKeyRequest(key: key, task: task())
            request.authentication = terms(skipping: true)
            return .useKey(request)
        case 7: return .means
        case 8: return .authenticate(AuthenticateRequest(wish(), terms(skipping: true)))
        case 9:
            let kind = credentialKind()
            let secret = maybe { $0.secret() }
            let credential: AuthenticationCredential? = secret.map {
                kind == .passcode ? .passcode($0) : .applicationPassword($0)
            }
            return .set(credential, kind, context())
        case 10: return .hasCredential(credentialKind(), context())
        case 11: return .begin(context())
        case 12: return .expect(AuthenticationRequestID(name: context()))
        case 13: return .takeBack(AuthenticationRequestID(name: context()))
        case 14: return .forget(AuthenticationRequestID(name: context()))
        case 15: return .invalidate(context())
        case 16: return .keybag(keybagRequest())
        case 17: return .check(from: maybe { $0.position() })
        case 18: return .sit(terminal())
        case 19: return .subscribe
        case 20: return .introduce
        case 21: return .audit(auditQuery())
        case 22: return .choose(choice())
        case 23: return .remove(maybe { "/" + $0.text() })
        case 24: return .make(maybe { $0.passcode() })
        case 25: return .attend
        case 26: return .answer(personAnswer())
        case 27: return .matchPage(matchPage())
        case 28: return .updateAll(updateAll())
        default: return .names
        }
    }

    private mutating func updateAll() -> UpdateAllRequest {
        var request = UpdateAllRequest([update()] + some(upTo: 3) { $0.update() })
        request.authentication = terms(skipping: false)
        return request
    }

    private mutating func matchPage() -> MatchPageRequest {
        var predicate = predicate(.stored(itemClass()), forChange: false)
        predicate.restriction = .none
        var match = MatchRequest(
            predicate: predicate, returning: returning(), limit: pick([.single, .all, .atMost(2 + below(1000))]))
        match.authentication = terms(skipping: true)
        guard let request = MatchPageRequest(match, from: maybe { $0.matchPosition() }) else {
            preconditionFailure("a query for one class has parts")
        }
        return request
    }

    private mutating func matchPosition() -> MatchPosition {
        guard let keychain = KeychainUUID((0..<16).map { _ in UInt8(below(256)) }) else {
            preconditionFailure("sixteen bytes are a keychain's identifier")
        }
        return MatchPosition(in: keychain, row: integer())
    }

    private mutating func position() -> CheckPosition { CheckPosition(itemClass: itemClass(), row: integer()) }

    private mutating func checkedPart() -> CheckedPart {
        let rows = below(100_000)
        return CheckedPart(
            findings: some(upTo: 4) { $0.text() }, rows: rows, locked: below(rows + 1), total: below(100_000),
            next: maybe { $0.position() })
    }

    private mutating func choice() -> KeychainChoice {
        let folder = KeychainAddress.folder(root: "/" + text(), name: text())
        return KeychainChoice(pick([.usual, .named(text()), folder]), claimsPasswords: flip(), makesIt: flip())
    }

    private mutating func addAll() -> AddAllRequest {
        let entries = (0...below(3)).map { _ -> AddAllRequest.Entry in
            flip() ? .item(add()) : .identity(certificate: add(.certificate), key: add(.key))
        }
        var request = AddAllRequest(entries: entries, returning: returning().subtracting(.damaged))
        request.authentication = terms(skipping: false)
        return request
    }

    private mutating func credentialKind() -> AuthenticationCredential.Kind { pick([.applicationPassword, .passcode]) }

    private mutating func wish() -> AuthenticateRequest.Wish {
        let control = AuthenticateRequest.Wish.accessControl(
            accessControl(), pick(ProtectedOperation.allCases), isForNew: flip())
        return pick([.biometry, .presence, control])
    }

    /// A random reply of the kind.
    mutating func reply(_ kind: Int) -> WireReply {
        switch kind {
        case 0: .nothing
        case 1: .item(maybe { $0.foundItem() })
        case 2: .found(some(upTo: 4) { $0.found() })
        case 3:
            .generatedKey(GeneratedKey(key: maybe { $0.foundItem(.key) }, loose: maybe { $0.looseKey() }))
        case 4: .secret(secret())
        case 5:
            .means(AuthenticationMeans(isPasscodeSet: flip(), fingers: maybe { $0.bytes(32) }, hasReader: flip()))
        case 6: .boolean(flip())
        case 7:
            .failure(
                KeychainError(
                    relaying: pick(KeychainError.Reason.allCases), text(), subject: maybe { $0.text() },
                    code: maybe { $0.integer() }, retryAfter: maybe { UInt32(truncatingIfNeeded: $0.next()) }))
        case 8: .keybag(keybagReply())
        case 9: .texts(some(upTo: 4) { $0.text() })
        case 10: .changes(changes())
        case 11: .audit(.page(auditPage()))
        case 12: .checked(checkedPart())
        case 13: .audit(.verdict(auditVerdict()))
        case 14: .question(personQuestion())
        case 15: .withdrawn
        default:
            .page(MatchPage(found: some(upTo: 4) { $0.found() }, next: maybe { $0.matchPosition() }))
        }
    }

    mutating func found() -> Found {
        if oneIn(4) { return .damaged(damagedItem()) }
        return flip() ? .item(foundItem()) : .identity(certificate: foundItem(.certificate), key: foundItem(.key))
    }

    private mutating func damagedItem() -> DamagedItem {
        let itemClass = itemClass()
        let rest = FoundItem(
            itemClass: itemClass, persistentID: id(),
            attributes: maybe { $0.attributes(of: [.stored(itemClass)]) }, accessControl: accessControl(), secret: nil)
        return DamagedItem(itemClass: itemClass, persistentID: maybe { $0.id() }, rest: flip() ? rest : nil)
    }

    mutating func foundItem(_ itemClass: ItemClass? = nil) -> FoundItem {
        let itemClass = itemClass ?? self.itemClass()
        return FoundItem(
            itemClass: itemClass, persistentID: id(),
            attributes: maybe { $0.attributes(of: [.stored(itemClass)]) }, accessControl: accessControl(),
            secret: maybe { $0.secret() },
            keptKey: maybe { KeptKey(publicKey: $0.maybe { $0.bytes() }, bits: $0.below(16_384)) })
    }

    /// A random message of one of the kinds, calls first.
    mutating func message(_ kind: Int) -> WireMessage {
        if kind < Seed.calls { return WireMessage(number: next(), .call(call(kind))) }
        return WireMessage(number: next(), .reply(reply(kind - Seed.calls)))
    }

    static let messages = 0..<(calls + replies)
}
