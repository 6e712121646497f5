// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainRequest

/// A caller's dictionary with every key recognised and every value of the right type; which keys go together is for
/// the four requests to say.
struct ParsedDictionary: ~Copyable {
    /// What `kSecAttrSynchronizable` said.
    enum Synchronizable {
        case only(Bool)
        case any
    }
    enum AuthenticationUI { case allow, fail, skip }

    var queriedClass: QueriedClass?
    /// Coerced attributes without those that have a field below.
    var attributes = AttributeList(reservingCapacity: 8)
    var group: ItemPredicate.GroupScope?
    var accessibility: Accessibility?
    var accessControl: AccessControl?
    var synchronizable: Synchronizable?
    var tombstone: Bool?
    var secret: SecretValue?
    var persistentReference: PersistentReference?
    /// What the object given as `kSecValueRef` refers to.
    var referral: ItemReferral?
    // Not `[]`: of another module's type that runs generic code, which costs as much as reading a key of the dictionary.
    var returning = ReturnTypes(rawValue: 0)
    var limit: MatchLimit?
    var search = SearchTerms()
    /// Whether the query has search keys that look into items.
    var looksInside = false
    /// String attributes that are to be compared loosely.
    var texts: [MatchFilter] = []
    var matchItems: [ItemListElement]?
    var useItems: [ItemListElement]?
    var leavesTombstones: Bool?
    var authenticationUI: AuthenticationUI?
    /// The older way to forbid prompts; it holds whatever the newer says.
    var refusesUI = false
    var reason: String?
    /// What the context in the dictionary allows.
    var context: AuthenticationTerms?
    var keychains = NamedKeychains()
    /// The objects of `kSecUseItemList` as the caller gave them.
    var listedObjects: NSArray?

    /// Which search keys a request takes: all, an item list and a limit, a limit, or none.
    enum SearchKeys { case all, itemList, limit, none }

    /// Reads a dictionary; `assumed` is its class where it cannot name one itself.
    init(
        _ dictionary: NSDictionary, for purpose: ReferralPurpose, taking searchKeys: SearchKeys,
        of assumed: QueriedClass? = nil
    ) throws(KeychainError) {
        var entries: ContiguousArray<(key: QueryKey, value: AnyObject)> = []
        entries.reserveCapacity(dictionary.count)
        try DictionaryEntries.forEach(of: dictionary) { (key, value) throws(KeychainError) in
            entries.append((try QueryKey(key), value))
        }
        var classObject: AnyObject?
        for (key, value) in entries {
            if key.refusesNull, ValueReading.isNull(value) {
                throw KeychainError(.parameter, "the value is null", subject: key.name)
            }
            try searchKeys.check(key)
            switch key {
            case .itemClass: classObject = value
            case .returning(let type):
                guard let wanted = ValueReading.boolean(value) else {
                    throw KeychainError(.parameter, "the value of a return key must be a boolean", subject: key.name)
                }
                if wanted { returning.insert(type) }
            case .use(.itemList):
                useItems = try ItemListElement.list(value, key.name, purpose)
                listedObjects = value as? NSArray
            case .match(.itemList):
                matchItems = try ItemListElement.list(value, key.name, purpose)
            case .use(let use): try read(use, value)
            case .value(let field): try read(field, value, purpose)
            case .attribute, .match, .unknownMatch, .withoutEffect: break
            }
        }
        try settleClass(classObject, assumed)
        // Which attributes and search keys make sense depends on the class, which may have come last.
        for (key, value) in entries {
            switch key {
            case .attribute(let attribute): try read(attribute, value)
            case .match(let match): try read(match, value)
            case .itemClass, .unknownMatch, .returning, .use, .value, .withoutEffect: break
            }
        }
        switch referral {
        case .item(let content)?: take(content)
        case .stored?:
            // The reference says which item it is; dictionaries that we return have these beside it, and they change
            // with every update (decision D13).
            attributes[.modificationDate] = nil
            attributes[.digest] = nil
        case .identity?, nil: break
        }
        if looksInside { settleTexts() }
    }

    /// What a reference says of its item, where the caller says nothing else.
    private mutating func take(_ content: ItemContent) {
        for entry in content.attributes.entries where !attributes.contains(entry.attribute) {
            attributes.append(unchecked: entry.attribute, entry.value)
        }
        if secret == nil { secret = content.secret }
    }

    /// The class named, or the one inside the reference.
    private mutating func settleClass(
        _ object: AnyObject?, _ assumed: QueriedClass?
    ) throws(KeychainError) {
        let referenced = persistentReference?.queriedClass ?? referral?.queriedClass
        if let object, let name = ValueReading.string(object) {
            guard let named = QueriedClass(name: name) else {
                throw KeychainError(.noSuchClass, "unknown item class", subject: "class")
            }
            if let referenced, referenced != named, !findsIdentity(named) {
                throw KeychainError(.noSuchClass, "the class is not that of the referenced item", subject: "class")
            }
            queriedClass = named
        } else if object != nil, referenced == nil {
            throw KeychainError(.parameter, "the class is not a string", subject: "class")
        } else {
            queriedClass = referenced ?? classOfItems ?? assumed
        }
    }

    /// Whether an identity is looked for by one of its halves.
    private func findsIdentity(_ named: QueriedClass) -> Bool {
        guard named == .identity, case .item? = referral else { return false }
        return true
    }

    private mutating func read(_ attribute: Attribute, _ object: AnyObject) throws(KeychainError) {
        if let queriedClass {
            guard attribute.isKnown(to: queriedClass) else { throw QueryKey.unknownAttribute(attribute.key) }
        } else if persistentReference == nil {
            // Without a class nothing can be judged; the request itself will say that it is missing.
            return
        }
        switch attribute {
        case .accessGroup: group = ValueReading.string(object).map { .named($0) } ?? .unnameable
        case .accessible:
            guard let name = Coercion.string(object), let value = Accessibility(name: name) else {
                throw KeychainError(.parameter, "not one of the kSecAttrAccessible values", subject: attribute.key)
            }
            accessibility = value
        case .accessControl:
            guard let carrier = object as? any AccessControlCarrying else {
                throw KeychainError(.parameter, "the value is not a SecAccessControl", subject: attribute.key)
            }
            guard let control = carrier.accessControl else {
                throw KeychainError(.parameter, "the access control has no protection class", subject: attribute.key)
            }
            accessControl = control
        case .synchronizable:
            if let text = ValueReading.string(object), text == "syna" {
                synchronizable = .any
            } else {
                synchronizable = .only(try flag(object, attribute))
            }
        case .tombstone: tombstone = try flag(object, attribute)
        default:
            attributes.append(unchecked: attribute, try Coercion.value(object, for: attribute))
        }
    }

    private func flag(_ object: AnyObject, _ attribute: Attribute) throws(KeychainError) -> Bool {
        try Coercion.value(object, for: attribute) == .number(1)
    }

    private mutating func read(
        _ value: QueryKey.Value, _ object: AnyObject, _ purpose: ReferralPurpose
    ) throws(KeychainError) {
        switch value {
        case .data:
            guard let data = ValueReading.data(object) else {
                throw KeychainError(.parameter, "the value is not data", subject: value.rawValue)
            }
            secret = unsafe SecretValue(copying: UnsafeRawBufferPointer(start: data.bytes, count: data.length))
            withExtendedLifetime(data) {}
        case .persistentReference:
            guard let data = ValueReading.data(object), let reference = PersistentReference(ValueReading.bytes(data))
            else {
                throw KeychainError(.parameter, "the value is not a persistent reference", subject: value.rawValue)
            }
            persistentReference = reference
        case .reference:
            guard let referring = object as? any ItemReferring else {
                throw KeychainError(.parameter, "the object is not a reference to an item", subject: value.rawValue)
            }
            referral = try referring.referral(for: purpose)
        }
    }
}

/// The `kSecUse…` keys.
extension ParsedDictionary {
    mutating func read(_ use: QueryKey.Use, _ object: AnyObject) throws(KeychainError) {
        switch use {
        // Read with the purpose of the request, which this does not know.
        case .itemList: break
        case .tombstones: leavesTombstones = try ParsedDictionary.truth(object, use)
        case .operationPrompt:
            guard let text = ValueReading.string(object) else { throw wrongType(use) }
            reason = text
        case .callerName:
            guard ValueReading.string(object) != nil else { throw wrongType(use) }
        case .noAuthenticationUI:
            guard let refused = ValueReading.boolean(object) else { throw wrongType(use) }
            if refused { refusesUI = true }
        case .authenticationUI:
            switch ValueReading.string(object) {
            case "u_AuthUIA": authenticationUI = .allow
            case "u_AuthUIF": authenticationUI = .fail
            case "u_AuthUIS": authenticationUI = .skip
            default: throw wrongType(use)
            }
        case .authenticationContext:
            guard let carrier = object as? any AuthenticationContextCarrying else { throw wrongType(use) }
            context = try carrier.authenticationTerms()
        case .credentialReference:
            throw KeychainError(
                .parameter, "serialized contexts are not supported; give the LAContext itself",
                subject: use.rawValue)
        case .keychain:
            guard let keychain = object as? any KeychainCarrying else { throw wrongType(use) }
            keychains.used = keychain
        }
    }

    private func wrongType(_ use: QueryKey.Use) -> KeychainError {
        KeychainError(.parameter, "this key does not accept the value", subject: use.rawValue)
    }

    /// A boolean, a number, or text that is a number; anything but zero is true.
    private static func truth(_ object: AnyObject, _ use: QueryKey.Use) throws(KeychainError) -> Bool {
        if let number = object as? NSNumber { return number.boolValue }
        guard let text = ValueReading.string(object) else {
            throw KeychainError(.parameter, "the value is not a boolean, number or string", subject: use.rawValue)
        }
        return (Int64(text) ?? 0) != 0
    }

    /// Whether the request is to be made otherwise than under the usual terms.
    var saysHowToAsk: Bool { context != nil || refusesUI || authenticationUI != nil || reason != nil }

    /// How the request may meet what items demand: what the dictionary says, within what its context allows.
    var authentication: AuthenticationTerms {
        var terms = context ?? .usual
        if refusesUI { terms.interaction = .forbidden }
        switch authenticationUI {
        case .fail: terms.interaction = .forbidden
        case .skip: terms.interaction = .skipping
        case .allow, nil: break
        }
        if let reason { terms.reason = reason }
        return terms
    }
}

extension ParsedDictionary.SearchKeys {
    /// Refuses a key before its value is read.
    fileprivate func check(_ key: QueryKey) throws(KeychainError) {
        let match: QueryKey.Match?
        switch key {
        case .match(let known): match = known
        case .unknownMatch: match = nil
        default: return
        }
        switch (self, match) {
        case (.all, _), (.itemList, .itemList), (.itemList, .limit), (.limit, .limit): return
        case (.itemList, _):
            throw KeychainError(
                .parameter, "this function accepts no search keys but kSecMatchItemList and kSecMatchLimit",
                subject: key.name)
        case (.limit, _):
            throw KeychainError(.parameter, "SecItemAdd does not accept this search key", subject: key.name)
        case (.none, _):
            throw KeychainError(.parameter, "the attributes to update cannot contain a search key", subject: key.name)
        }
    }
}

extension QueryKey {
    /// CFNull stands for "now" in the date filter, and for nothing elsewhere.
    fileprivate var refusesNull: Bool {
        if case .match(.validOnDate) = self { return false }
        return true
    }

    fileprivate var name: String {
        switch self {
        case .attribute(let attribute): attribute.key
        case .itemClass: "class"
        case .match(let match): match.rawValue
        case .unknownMatch: "m_…"
        case .returning: "r_…"
        case .use(let use): use.rawValue
        case .value(let value): value.rawValue
        case .withoutEffect: "nleg"
        }
    }
}
