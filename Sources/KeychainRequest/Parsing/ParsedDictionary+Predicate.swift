// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

extension ParsedDictionary {
    /// The items a query is about, with Apple's wide defaults written out (semantics §3.2).
    func predicate() throws(KeychainError) -> ItemPredicate {
        guard let queriedClass = self.queriedClass ?? classOfItems ?? classOfToken else {
            throw KeychainError(.parameter, "kSecClass is missing", subject: "class")
        }
        let restriction = try self.restriction()
        let defaultSynchronizable: ItemPredicate.Synchronizable
        switch restriction {
        case .none: defaultSynchronizable = .only(false)
        // A reference names its item whatever its kind.
        case .reference, .list: defaultSynchronizable = .any
        }
        if accessibility != nil { _ = try protection() }
        return ItemPredicate(
            queriedClass: queriedClass,
            attributes: attributes,
            groups: group ?? .everyGroupOfCaller,
            synchronizable: synchronizable.map(ItemPredicate.Synchronizable.init) ?? defaultSynchronizable,
            tombstones: tombstone ?? false,
            accessibility: accessibility,
            restriction: restriction,
            filters: filters)
    }

    private var classOfToken: QueriedClass? { persistentReference == .token ? .stored(.key) : nil }

    private func restriction() throws(KeychainError) -> ItemPredicate.Restriction {
        let list = matchItems ?? useItems
        if matchItems != nil, useItems != nil {
            throw KeychainError(.parameter, "two item lists in one query", subject: "u_ItemList")
        }
        guard let persistentReference else { return list.map { .list($0) } ?? .none }
        if list != nil {
            throw KeychainError(.parameter, "a reference and an item list in one query", subject: "v_PersistentRef")
        }
        return .reference(persistentReference)
    }

    /// The class of an item list's first reference; all others must be of it too (decision D4).
    private var classOfItems: QueriedClass? { (matchItems ?? useItems)?.first?.queriedClass }

    /// Item lists hold references of the query's own class.
    func checkItemsAgree(with queriedClass: QueriedClass) throws(KeychainError) {
        for reference in matchItems ?? useItems ?? [] where reference.queriedClass != queriedClass {
            throw KeychainError(.parameter, "the item list mixes classes", subject: "m_ItemList")
        }
    }

    /// Whether anything beyond the class narrows the query.
    var hasAttributes: Bool {
        !attributes.isEmpty || group != nil || accessibility != nil || accessControl != nil || synchronizable != nil
            || tombstone != nil
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
