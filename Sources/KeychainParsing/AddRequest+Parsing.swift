// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import KeychainModel
package import KeychainRequest

/// What SecItemAdd was asked.
package enum ParsedAdd: Sendable {
    case item(AddRequest)
    /// An identity, or the references of an item list (decision D4).
    case several(AddAllRequest, isList: Bool)
    /// Items that are here already, named by their persistent references: all that can be done is to find them.
    case existing([PersistentReference], MatchRequest)
}

extension ParsedAdd {
    /// How what the new items demand may be met.
    package var authentication: AuthenticationTerms {
        get {
            switch self {
            case .item(let request): request.authentication
            case .several(let request, _): request.authentication
            case .existing(_, let request): request.authentication
            }
        }
        set {
            switch self {
            case .item(var request):
                request.authentication = newValue
                self = .item(request)
            case .several(var request, let isList):
                request.authentication = newValue
                self = .several(request, isList: isList)
            case .existing(let references, var request):
                request.authentication = newValue
                self = .existing(references, request)
            }
        }
    }

    /// What is to be returned of them.
    package var returning: ReturnTypes {
        switch self {
        case .item(let request): request.returning
        case .several(let request, _): request.returning
        case .existing: []
        }
    }

    /// Whether what is returned is an array, of however many.
    package var isList: Bool {
        if case .several(_, isList: true) = self { return true }
        return false
    }
}

extension AddRequest {
    package static func parse(_ dictionary: NSDictionary) throws(KeychainError) -> ParsedQuery<ParsedAdd> {
        let parsed = try ParsedDictionary(dictionary, for: .adding, taking: .limit)
        return ParsedQuery(request: try parsed.addition(), keychains: parsed.keychains)
    }
}

extension ParsedDictionary {
    fileprivate func addition() throws(KeychainError) -> ParsedAdd {
        try refuseSkip()
        if useItems != nil { return try listedItems() }
        switch persistentReference {
        case .rowNumber, .token:
            throw KeychainError(
                .parameter, "SecItemAdd does not accept a persistent reference of this form", subject: "v_PersistentRef"
            )
        case .item, .identity, nil: break
        }
        guard let queriedClass else {
            throw KeychainError(.parameter, "kSecClass is missing", subject: "class")
        }
        if let referral {
            let entry = try entry(for: referral)
            if case .item(let request) = entry { return .item(request) }
            return .several(addAll([entry]), isList: false)
        }
        guard case .stored(let itemClass) = queriedClass else {
            throw KeychainError(
                .parameter,
                "an identity has no attributes of its own; add it by a reference, or add its certificate and its key",
                subject: "class")
        }
        return .item(try addRequest(itemClass, attributes: attributes, secret: secret, origin: .caller))
    }

    /// The item that a reference and what stands beside it describe.
    private func entry(for referral: ItemReferral) throws(KeychainError) -> AddAllRequest.Entry {
        switch referral {
        case .stored:
            throw KeychainError(
                .parameter, "the reference is to a stored item; give the attributes and data of the new item",
                subject: "v_Ref")
        case .item(let content):
            guard queriedClass != .identity else {
                throw KeychainError(
                    .parameter, "the reference is to half of an identity; give a reference to the identity",
                    subject: "v_Ref")
            }
            return .item(try addRequest(content))
        case .identity(let certificate, let key):
            guard secret == nil else {
                throw KeychainError(
                    .parameter, "the identity has data of its own; remove kSecValueData", subject: "v_Data")
            }
            var publicHalf = try addRequest(certificate)
            // Who must be asked is the key's matter: every program may read a certificate.
            if let control = publicHalf.protection.accessControl {
                publicHalf.protection = .accessControl(AccessControl(protection: control.protection))
            }
            return .identity(certificate: publicHalf, key: try addRequest(key))
        }
    }

    /// What a reference says of its item, with what the caller says of it put before.
    private func addRequest(_ content: ItemContent) throws(KeychainError) -> AddRequest {
        guard queriedClass == .stored(content.itemClass) || queriedClass == .identity else {
            throw KeychainError(.noSuchClass, "the class is not that of the referenced item", subject: "class")
        }
        var own = AttributeList(reservingCapacity: attributes.entries.count + content.attributes.entries.count)
        // Half of what is known to an identity is known to each of its halves.
        for entry in attributes.entries where entry.attribute.isKnown(to: content.itemClass) {
            own.append(unchecked: entry.attribute, entry.value)
        }
        for entry in content.attributes.entries where !own.contains(entry.attribute) {
            own.append(unchecked: entry.attribute, entry.value)
        }
        for entry in content.binding.entries { own[entry.attribute] = entry.value }
        return try addRequest(
            content.itemClass, attributes: own, secret: secret ?? content.secret, origin: content.origin,
            accessControl: content.accessControl)
    }

    private func addRequest(
        _ itemClass: ItemClass, attributes: AttributeList, secret: SecretValue?, origin: AddRequest.Origin,
        accessControl usual: AccessControl? = nil
    ) throws(KeychainError) -> AddRequest {
        if let token = attributes[.tokenID], token != .emptyString {
            throw KeychainError(
                .parameter,
                "no key can be added to a token: the enclave generates its keys, and there is no other token",
                subject: "tkid")
        }
        let isSynchronizable = try settledSynchronizable() ?? false
        let protection = try protection(isForAdd: true) ?? usual
        if isSynchronizable { try SynchronizableRule.check(protection) }
        var request = AddRequest(
            itemClass: itemClass, attributes: attributes, group: group ?? .everyGroupOfCaller,
            protection: protection.map { .accessControl($0) } ?? .byClassAndGroup,
            isSynchronizable: isSynchronizable, isTombstone: tombstone ?? false, secret: secret,
            returning: returning, origin: origin)
        if saysHowToAsk { request.authentication = authentication }
        return request
    }

    /// The items of a list, which are added all or none (decision D4).
    private func listedItems() throws(KeychainError) -> ParsedAdd {
        let elements = useItems ?? []
        guard persistentReference == nil, referral == nil else {
            throw KeychainError(
                .parameter, "SecItemAdd does not accept a reference and an item list together", subject: "u_ItemList")
        }
        for element in elements {
            if case .stored(let itemClass)? = element.designation.queriedClass, itemClass.isPassword {
                throw KeychainError(
                    .parameter, "an item list cannot add passwords; add each of them by itself", subject: "u_ItemList")
            }
        }
        guard !elements.isEmpty else {
            throw KeychainError(.itemNotFound, "the item list is empty", subject: "u_ItemList")
        }
        guard secret == nil else {
            throw KeychainError(
                .parameter, "the items of the list have data of their own; remove kSecValueData", subject: "v_Data")
        }
        let predicate = try predicate()
        var entries: [AddAllRequest.Entry] = []
        var stored: [PersistentReference] = []
        for element in elements {
            switch element {
            case .persistent(let reference): stored.append(reference)
            case .referral(let referral): entries.append(try entry(for: referral))
            }
        }
        if entries.isEmpty {
            return .existing(stored, MatchRequest(predicate: predicate, returning: [], limit: .all))
        }
        return .several(addAll(entries), isList: true)
    }

    private func addAll(_ entries: [AddAllRequest.Entry]) -> AddAllRequest {
        var request = AddAllRequest(entries: entries, returning: returning)
        if saysHowToAsk { request.authentication = authentication }
        return request
    }
}

extension ParsedDictionary {
    /// What was said of synchronizing, where "any" makes no sense (decision D8).
    func settledSynchronizable() throws(KeychainError) -> Bool? {
        switch synchronizable {
        case .only(let value): return value
        case .any:
            throw KeychainError(.parameter, "kSecAttrSynchronizableAny can be used in queries only", subject: "sync")
        case nil: return nil
        }
    }

    /// The access control that `kSecAttrAccessible` or `kSecAttrAccessControl` asks for, or nil when neither is given.
    func protection(isForAdd: Bool = false) throws(KeychainError) -> AccessControl? {
        guard let accessibility else { return accessControl }
        guard let accessControl else { return AccessControl(protection: accessibility) }
        guard agrees(accessibility, accessControl, isForAdd: isForAdd) else {
            throw KeychainError(
                .parameter, "kSecAttrAccessible and kSecAttrAccessControl exclude each other", subject: "accc")
        }
        return accessControl
    }

    /// Whether a protection class may stand beside an access control: dictionaries that we return have both (decision
    /// D13), and to make an item with flags takes the access control alone.
    private func agrees(
        _ accessibility: Accessibility, _ accessControl: AccessControl, isForAdd: Bool
    ) -> Bool {
        accessControl.protection == accessibility && (!isForAdd || !accessControl.isConstrained)
    }
}
