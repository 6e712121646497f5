// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension ParsedDictionary {
    /// The items a query is about, with Apple's wide defaults written out (semantics §3.2).
    func predicate() throws(KeychainError) -> ItemPredicate {
        guard let queriedClass = self.queriedClass ?? classOfToken else {
            throw KeychainError(.parameter, "kSecClass is missing", subject: "class")
        }
        let restriction = try self.restriction()
        if accessibility != nil { _ = try protection() }
        return ItemPredicate(
            queriedClass: queriedClass,
            attributes: attributes,
            groups: group ?? .everyGroupOfCaller,
            synchronizable: synchronizable.map(ItemPredicate.Synchronizable.init) ?? defaultSynchronizable,
            tombstones: tombstone ?? false,
            accessibility: accessibility,
            restriction: restriction,
            filters: texts + search.filters(for: queriedClass))
    }

    /// A reference names its item whatever its kind; what a certificate or a key says of itself does not say its kind.
    private var defaultSynchronizable: ItemPredicate.Synchronizable {
        if persistentReference != nil || matchItems != nil || useItems != nil { return .any }
        if case .stored? = referral { return .any }
        return .only(false)
    }

    private var classOfToken: QueriedClass? { persistentReference == .token ? .stored(.key) : nil }

    private func restriction() throws(KeychainError) -> ItemPredicate.Restriction {
        let list = matchItems ?? useItems
        let ways = [persistentReference != nil, referral != nil, matchItems != nil, useItems != nil]
        guard ways.count(where: { $0 }) <= 1 else {
            throw KeychainError(
                .parameter, "only one of a reference, a persistent reference and an item list can be given",
                subject: "v_Ref")
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

    /// Item lists hold references of the query's own class.
    func checkItemsAgree(with queriedClass: QueriedClass) throws(KeychainError) {
        for element in matchItems ?? useItems ?? [] where element.designation.queriedClass != queriedClass {
            throw KeychainError(.parameter, "the item list mixes classes", subject: "m_ItemList")
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
                    .parameter, "this form of persistent reference takes no attributes beside it",
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
                "every item that matches is concerned, so no limit but kSecMatchLimitAll is taken; name one item instead",
                subject: "m_Limit")
        }
    }

    func refuseSkip() throws(KeychainError) {
        guard authenticationUI != .skip else {
            throw KeychainError(
                .parameter, "kSecUseAuthenticationUISkip is for SecItemCopyMatching alone",
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
