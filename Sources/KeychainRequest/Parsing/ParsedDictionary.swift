// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel

/// A caller's dictionary with every key recognised and every value of the right type; which keys go together is for
/// the four requests to say.
struct ParsedDictionary {
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
    var returning: ReturnTypes = []
    var limit: MatchLimit?
    var filters: [MatchFilter] = []
    var matchItems: [PersistentReference]?
    var useItems: [PersistentReference]?
    var leavesTombstones: Bool?
    var authenticationUI: AuthenticationUI?
    /// The first match key met, whatever it is; only CopyMatching takes them all.
    var matchKey: String?
    /// The first match key met besides the item list.
    var otherMatchKey: String?

    /// Reads a dictionary; `assumed` is its class where it cannot name one itself.
    init(_ dictionary: NSDictionary, of assumed: QueriedClass? = nil) throws(KeychainError) {
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
            switch key {
            case .itemClass: classObject = value
            case .returning(let type):
                guard let wanted = ValueReading.boolean(value) else {
                    throw KeychainError(.parameter, "a return key takes a boolean", subject: key.name)
                }
                if wanted { returning.insert(type) }
            case .use(let use): try read(use, value)
            case .value(let field): try read(field, value)
            case .attribute, .match, .unknownMatch, .withoutEffect: break
            }
        }
        try settleClass(classObject, assumed)
        // Which attributes and search keys make sense depends on the class, which may have come last.
        for (key, value) in entries {
            switch key {
            case .attribute(let attribute): try read(attribute, value)
            case .match(let match):
                matchKey = match.rawValue
                if match != .itemList { otherMatchKey = match.rawValue }
                try read(match, value)
            case .unknownMatch:
                matchKey = "m_…"
                otherMatchKey = "m_…"
            case .itemClass, .returning, .use, .value, .withoutEffect: break
            }
        }
    }

    /// The class named, or the one inside the persistent reference.
    private mutating func settleClass(
        _ object: AnyObject?, _ assumed: QueriedClass?
    ) throws(KeychainError) {
        let referenced = persistentReference?.queriedClass
        if let object, let name = ValueReading.string(object) {
            guard let named = QueriedClass(name: name) else {
                throw KeychainError(.noSuchClass, "no such item class", subject: "class")
            }
            if let referenced, referenced != named {
                throw KeychainError(.noSuchClass, "the class is not the persistent reference's", subject: "class")
            }
            queriedClass = named
        } else if object != nil, referenced == nil {
            throw KeychainError(.parameter, "the class is not a string", subject: "class")
        } else {
            queriedClass = referenced ?? assumed
        }
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
            accessControl = carrier.accessControl
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

    private mutating func read(_ value: QueryKey.Value, _ object: AnyObject) throws(KeychainError) {
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
                throw KeychainError(.parameter, "the value is no persistent reference", subject: value.rawValue)
            }
            persistentReference = reference
        case .reference:
            throw KeychainError(.parameter, "this object cannot be used as a reference", subject: value.rawValue)
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
