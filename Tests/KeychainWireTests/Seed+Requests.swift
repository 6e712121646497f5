// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import KeychainWire
import TestSeed

extension Seed {
    mutating func pattern(_ position: TextMatching.Position, ignoring: Bool) -> TextPattern {
        let bits = ignoring ? 1 + below(7) : below(8)
        let ignored = TextMatching.Ignored(rawValue: UInt8(bits))
        return TextPattern(text(), at: position, matching: TextMatching(ignoring: ignored))
    }

    mutating func policy() -> TrustPolicy {
        let name = maybe { $0.pick(["", "host.example", "ü@é.example"]) }
        let use = pick(TrustPolicy.Use.allCases)
        return pick([
            .basic, .ssl(pick([.server, .client]), hostName: name), .email(name),
            .use(use, pick([.server, .client]), name: name),
        ])
    }

    mutating func certificateFilter() -> CertificateFilter {
        switch below(6) {
        case 0: .valid(on: maybe { $0.date() })
        case 1: .emailAddress(text())
        case 2: .subject(pattern(pick(TextMatching.Position.allCases), ignoring: false))
        case 3: .issued(under: [bytes()] + some(upTo: 2) { $0.bytes() })
        case 4: .satisfies(policy(), on: maybe { $0.date() })
        default: .trusted(on: maybe { $0.date() })
        }
    }

    mutating func filter(for queriedClass: QueriedClass) -> MatchFilter {
        if oneIn(3) { return .text(.label, pattern(.whole, ignoring: true)) }
        switch queriedClass {
        case .stored(.internetPassword): return .hostOrSubdomain(text())
        case .stored(.key): return .keyValid(on: maybe { $0.date() })
        case .stored(.certificate), .identity: return .certificate(certificateFilter())
        case .stored(.genericPassword): return .text(.comment, pattern(.whole, ignoring: true))
        }
    }

    mutating func reference(of queriedClass: QueriedClass) -> PersistentReference {
        switch queriedClass {
        case .stored(let itemClass): oneIn(4) ? .rowNumber(queriedClass) : .item(itemClass, id())
        case .identity: oneIn(4) ? .rowNumber(queriedClass) : .identity(id())
        }
    }

    mutating func restriction(of queriedClass: QueriedClass) -> ItemPredicate.Restriction {
        switch below(4) {
        case 0: return .none
        case 1: return .items([.persistent(.token)])
        case 2: return .items(some(upTo: 3) { .persistent($0.reference(of: queriedClass)) })
        default:
            return .items(
                some(upTo: 3) { seed in
                    switch queriedClass {
                    case .stored(let itemClass):
                        .content(itemClass, seed.attributes(of: [queriedClass], atLeast: 1))
                    case .identity:
                        .identity(
                            certificate: seed.attributes(of: [.stored(.certificate)], atLeast: 1),
                            key: seed.attributes(of: [.stored(.key)], atLeast: 1))
                    }
                })
        }
    }

    mutating func predicate(_ queriedClass: QueriedClass, forChange: Bool) -> ItemPredicate {
        let restriction = restriction(of: queriedClass)
        var known = [queriedClass]
        if forChange, queriedClass == .identity { known = [.stored(.certificate), .stored(.key)] }
        return ItemPredicate(
            queriedClass: queriedClass, attributes: attributes(of: known), groups: group(),
            synchronizable: pick([.only(false), .only(true), .any]), tombstones: flip(),
            accessibility: maybe { $0.pick(Accessibility.allCases) }, restriction: restriction,
            filters: forChange ? [] : some(upTo: 3) { $0.filter(for: queriedClass) })
    }

    mutating func add(_ itemClass: ItemClass? = nil, bare: Bool = false) -> AddRequest {
        let itemClass = itemClass ?? self.itemClass()
        let isSynchronizable = flip()
        let local: AddRequest.Protection = flip() ? .byClassAndGroup : .accessControl(accessControl())
        let free = AddRequest.Protection.accessControl(AccessControl(protection: pick([.always, .whenUnlocked])))
        return AddRequest(
            itemClass: itemClass, attributes: attributes(of: [.stored(itemClass)], without: [.tokenID]),
            group: group(), protection: isSynchronizable ? free : local, isSynchronizable: isSynchronizable,
            isTombstone: flip(), secret: bare ? nil : maybe { $0.secret() },
            returning: returning().subtracting(.damaged),
            origin: bare || flip() ? .caller : .stored(id()))
    }

    mutating func update() -> UpdateRequest {
        let queriedClass = queriedClass()
        let isIdentity = queriedClass == .identity
        let classes: [QueriedClass] = isIdentity ? [.stored(.certificate), .stored(.key)] : [queriedClass]
        let isSynchronizable = maybe { $0.flip() }
        let changes = ItemChanges(
            attributes: attributes(of: classes, without: [.multiUser, .digest, .modificationDate, .tokenID]),
            group: maybe { $0.group() }, accessControl: isSynchronizable == true ? nil : maybe { $0.accessControl() },
            isSynchronizable: isSynchronizable, secret: isIdentity ? nil : maybe { $0.secret() })
        var request = UpdateRequest(
            predicate: predicate(queriedClass, forChange: true), changes: changes,
            tombstones: pick([.whenSynchronizable, .always, .never]))
        request.authentication = terms(skipping: false)
        return request
    }

    mutating func task() -> UseKeyRequest.Task {
        let algorithm = "algid:sign:ECDSA:digest-X962:SHA256"
        switch below(8) {
        case 0: return .sign(secret(), algorithm: algorithm)
        case 1: return .encrypt(secret(), algorithm: algorithm)
        case 2: return .decrypt(secret(), algorithm: algorithm)
        case 3:
            return .exchange(
                publicKey: bytes(), algorithm: algorithm, size: maybe { $0.below(1000) }, sharedInfo: bytes())
        case 4: return .endorsementKey(isRSA: flip())
        case 5: return .certify(bytes(below(65)))
        case 6: return .activate(bytes())
        default: return .release
        }
    }

    mutating func looseKey() -> LooseEnclaveKey { LooseEnclaveKey(publicKey: [4] + bytes(64), blob: bytes()) }
}
