// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import KeychainModel
package import KeychainRequest

/// What a dictionary asks, and which keychains it asks.
package struct ParsedQuery<Request: Sendable>: Sendable {
    package let request: Request
    package let keychains: NamedKeychains
}

/// What SecItemCopyMatching was asked.
package struct ParsedMatch {
    package let request: MatchRequest
    package let keychains: NamedKeychains
    /// The objects of `kSecUseItemList`, when they are searched in the place of a keychain (decision D29).
    package let listedObjects: NSArray?
}

extension MatchRequest {
    package static func parse(_ dictionary: NSDictionary) throws(KeychainError) -> ParsedMatch {
        let parsed = try ParsedDictionary(dictionary, for: .finding, taking: .all)
        if parsed.persistentReference != nil, parsed.hasAttributes {
            throw KeychainError(
                .parameter, "a persistent reference cannot be combined with attributes",
                subject: "v_PersistentRef")
        }
        let predicate = try parsed.predicate()
        var request = MatchRequest(
            predicate: predicate, returning: parsed.returning, limit: parsed.limit ?? .single)
        if parsed.saysHowToAsk { request.authentication = parsed.authentication }
        return ParsedMatch(
            request: request, keychains: parsed.keychains,
            listedObjects: parsed.useItems != nil && parsed.listsObjects ? parsed.listedObjects : nil)
    }
}

extension UpdateRequest {
    package static func parse(
        query: NSDictionary, attributesToUpdate: NSDictionary
    ) throws(KeychainError) -> ParsedQuery<UpdateRequest> {
        let parsed = try ParsedDictionary(query, for: .finding, taking: .itemList)
        if parsed.useItems != nil {
            throw KeychainError(
                .parameter, "SecItemUpdate does not accept kSecUseItemList; use kSecMatchItemList",
                subject: "u_ItemList")
        }
        try parsed.refuseSkip()
        try parsed.checkConcernsAll()
        try parsed.checkReferenceStandsAlone()
        let predicate = try parsed.predicate()
        try parsed.checkBothHalvesKnow(predicate)
        let changes = try ItemChanges.parse(attributesToUpdate, for: predicate.queriedClass)
        var request = UpdateRequest(
            predicate: predicate, changes: changes, tombstones: TombstonePolicy(parsed.leavesTombstones))
        if parsed.saysHowToAsk { request.authentication = parsed.authentication }
        return ParsedQuery(request: request, keychains: parsed.keychains)
    }
}

extension ItemChanges {
    static func parse(
        _ dictionary: NSDictionary, for queriedClass: QueriedClass
    ) throws(KeychainError) -> ItemChanges {
        try refuseForeignKeys(dictionary)
        let parsed = try ParsedDictionary(dictionary, for: .finding, taking: .none, of: queriedClass)
        var attributes = parsed.attributes
        // Ours to set, and part of every dictionary we return (decision D13).
        attributes[.multiUser] = nil
        attributes[.digest] = nil
        attributes[.modificationDate] = nil
        if attributes.contains(.tokenID) {
            throw KeychainError(.parameter, "an item cannot move to another token", subject: "tkid")
        }
        if parsed.tombstone == true {
            throw KeychainError(
                .parameter, "an update cannot make an item a tombstone; delete the item", subject: "tomb")
        }
        if queriedClass == .identity {
            try attributes.checkBothHalvesKnow()
            guard parsed.secret == nil else {
                throw KeychainError(
                    .parameter, "the data of an identity cannot be changed; update its certificate or its key",
                    subject: "v_Data")
            }
        }
        let isSynchronizable = try parsed.settledSynchronizable()
        let protection = try parsed.protection()
        if isSynchronizable == true { try SynchronizableRule.check(protection) }
        return ItemChanges(
            attributes: attributes, group: parsed.group, accessControl: protection,
            isSynchronizable: isSynchronizable, secret: parsed.secret)
    }

    /// Only attributes and `kSecValueData` can be changed (semantics §3.5, decision D12).
    private static func refuseForeignKeys(_ dictionary: NSDictionary) throws(KeychainError) {
        try DictionaryEntries.forEach(of: dictionary) { (key, _) throws(KeychainError) in
            guard let text = ValueReading.string(key) else { return }
            if text == "class" {
                throw KeychainError(
                    .noSuchAttribute, "the class of an item cannot change; remove kSecClass",
                    subject: "class")
            }
            let isPlain = text.utf8.count == 4 || text == "v_Data"
            if !isPlain { throw QueryKey.unknownAttribute(text) }
        }
    }
}

extension DeleteRequest {
    package static func parse(_ dictionary: NSDictionary) throws(KeychainError) -> ParsedQuery<DeleteRequest> {
        let parsed = try ParsedDictionary(dictionary, for: .finding, taking: .itemList)
        try parsed.refuseSkip()
        try parsed.checkConcernsAll()
        try parsed.checkReferenceStandsAlone()
        let predicate = try parsed.predicate()
        try parsed.checkBothHalvesKnow(predicate)
        var request = DeleteRequest(predicate: predicate, tombstones: TombstonePolicy(parsed.leavesTombstones))
        if parsed.saysHowToAsk { request.authentication = parsed.authentication }
        return ParsedQuery(request: request, keychains: parsed.keychains)
    }
}

extension TombstonePolicy {
    init(_ given: Bool?) {
        switch given {
        case nil: self = .whenSynchronizable
        case true?: self = .always
        case false?: self = .never
        }
    }
}

extension ParsedDictionary {
    /// The items a query is about, with Apple's wide defaults written out (semantics §3.2).
    func predicate() throws(KeychainError) -> ItemPredicate {
        guard let queriedClass = self.queriedClass ?? classOfToken else {
            throw KeychainError(.parameter, "kSecClass is missing", subject: "class")
        }
        let restriction = namesItems ? try self.restriction(in: queriedClass) : .none
        if accessibility != nil { _ = try protection() }
        return ItemPredicate(
            queriedClass: queriedClass,
            attributes: attributes,
            groups: group ?? .everyGroupOfCaller,
            synchronizable: synchronizable.map(ItemPredicate.Synchronizable.init) ?? defaultSynchronizable,
            tombstones: tombstone ?? false,
            accessibility: accessibility,
            restriction: restriction,
            filters: looksInside ? texts + search.filters(for: queriedClass) : [])
    }

    /// A reference names its item whatever its kind; what a certificate or a key says of itself does not say its kind.
    private var defaultSynchronizable: ItemPredicate.Synchronizable {
        if persistentReference != nil || matchItems != nil || useItems != nil { return .any }
        if case .stored? = referral { return .any }
        return .only(false)
    }

    private var classOfToken: QueriedClass? { persistentReference == .token ? .stored(.key) : nil }

    /// Whether the query says which items it is about.
    private var namesItems: Bool {
        persistentReference != nil || referral != nil || matchItems != nil || useItems != nil
    }

    private func restriction(in queriedClass: QueriedClass) throws(KeychainError) -> ItemPredicate.Restriction {
        let list = matchItems ?? useItems
        let ways = [persistentReference != nil, referral != nil, matchItems != nil, useItems != nil]
        guard ways.count(where: { $0 }) <= 1 else {
            throw KeychainError(
                .parameter, "only one of a reference, a persistent reference and an item list can be given",
                subject: "v_Ref")
        }
        if let list, list.contains(where: { $0.designation.queriedClass != queriedClass }) {
            throw KeychainError(.parameter, "the item list mixes classes", subject: "m_ItemList")
        }
        if let persistentReference { return .items([.persistent(persistentReference)]) }
        switch referral {
        case .stored(let reference)?: return .items([.persistent(reference)])
        case .identity?: return referral.map { .items([$0.designation]) } ?? .none
        // Its attributes are among those of the query.
        case .item?, nil: return list.map { .items($0.map(\.designation)) } ?? .none
        }
    }

    /// The class of an item list's first reference; all others must be of it too (decision D4).
    var classOfItems: QueriedClass? { (matchItems ?? useItems)?.first?.designation.queriedClass }

    /// Whether `kSecUseItemList` names certificates, keys or identities as they are; references to passwords, and persistent
    /// ones, say nothing without their keychain.
    var listsObjects: Bool {
        guard let useItems, !useItems.isEmpty else { return false }
        return useItems.allSatisfy { element in
            guard case .referral(let referral) = element else { return false }
            if case .stored(let itemClass)? = referral.queriedClass { return !itemClass.isPassword }
            return referral.queriedClass != nil
        }
    }

    /// Whether anything beyond the class narrows the query.
    var hasAttributes: Bool {
        !attributes.isEmpty || group != nil || accessibility != nil || accessControl != nil || synchronizable != nil
            || tombstone != nil || !texts.isEmpty
    }

    /// An identity that nothing names is changed as a certificate and as a key, so both must know every attribute
    /// (semantics §3.9).
    func checkBothHalvesKnow(_ predicate: ItemPredicate) throws(KeychainError) {
        guard predicate.queriedClass == .identity, case .none = predicate.restriction else { return }
        try predicate.attributes.checkBothHalvesKnow()
    }

    /// References by row number or to a token stand alone.
    func checkReferenceStandsAlone() throws(KeychainError) {
        switch persistentReference {
        case .rowNumber, .token:
            guard !hasAttributes else {
                throw KeychainError(
                    .parameter, "this form of persistent reference cannot be combined with attributes",
                    subject: "v_PersistentRef")
            }
        case .item, .identity, nil: break
        }
    }

    /// A Delete and an Update concern every item that matches.
    ///
    /// A limit that says so changes nothing, as return keys do; any other would be a promise that no system keeps (decision
    /// D27).
    func checkConcernsAll() throws(KeychainError) {
        switch limit {
        case nil, .all: return
        case .single, .atMost, .nothing:
            throw KeychainError(
                .parameter,
                "the operation applies to every matching item, so the only accepted limit is kSecMatchLimitAll; to change one item, name it",
                subject: "m_Limit")
        }
    }

    func refuseSkip() throws(KeychainError) {
        guard authenticationUI != .skip else {
            throw KeychainError(
                .parameter, "kSecUseAuthenticationUISkip can be used with SecItemCopyMatching only",
                subject: "u_AuthUI")
        }
    }
}

extension ItemPredicate.Synchronizable {
    fileprivate init(_ given: ParsedDictionary.Synchronizable) {
        switch given {
        case .only(let value): self = .only(value)
        case .any: self = .any
        }
    }
}

extension AttributeList {
    func checkBothHalvesKnow() throws(KeychainError) {
        for entry in entries where !(entry.attribute.isKnown(to: .certificate) && entry.attribute.isKnown(to: .key)) {
            throw QueryKey.unknownAttribute(entry.attribute.key)
        }
    }
}
