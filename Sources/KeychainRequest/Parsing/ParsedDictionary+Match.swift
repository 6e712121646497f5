// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel

extension ParsedDictionary {
    mutating func read(_ match: QueryKey.Match, _ object: AnyObject) throws(KeychainError) {
        switch match {
        case .limit: limit = try ParsedDictionary.limit(object)
        case .itemList: matchItems = try ParsedDictionary.items(object, match.rawValue)
        case .hostOrSubdomainOfHost:
            guard let host = ValueReading.string(object) else { throw wrongType(match) }
            guard queriedClass == .stored(.internetPassword) else {
                throw KeychainError(.unimplemented, "only Internet passwords have a host", subject: match.rawValue)
            }
            filters.append(.hostOrSubdomain(host))
        case .validOnDate:
            guard ValueReading.isNull(object) || object is NSDate else { throw wrongType(match) }
            switch queriedClass {
            case .stored(.key):
                filters.append(.keyValid(on: (object as? NSDate)?.timeIntervalSinceReferenceDate))
            case .stored(.certificate), .identity: throw notYet(match)
            default: break
            }
        case .trustedOnly:
            guard let wanted = ValueReading.boolean(object) else { throw wrongType(match) }
            if wanted, concernsCertificates { throw notYet(match) }
        case .emailAddressIfPresent:
            guard ValueReading.string(object) != nil else { throw wrongType(match) }
            if concernsCertificates { throw notYet(match) }
        case .issuers:
            throw concernsCertificates ? notYet(match) : notForThisClass(match)
        case .policy:
            // No policy object can exist before certificates do, so whatever this is, it is the wrong type.
            throw wrongType(match)
        case .subjectContains, .subjectStartsWith, .subjectEndsWith, .subjectWholeString:
            guard ValueReading.string(object) != nil else { throw wrongType(match) }
            if concernsCertificates { throw notYet(match) }
        case .caseInsensitive, .diacriticInsensitive, .widthInsensitive:
            guard let wanted = ValueReading.boolean(object) else { throw wrongType(match) }
            if wanted { throw notYet(match) }
        case .searchList:
            guard let keychains = object as? NSArray else { throw wrongType(match) }
            // Nothing that could stand in it exists yet; an empty list narrows nothing, as on Apple's systems.
            if keychains.count > 0 { throw notYet(match) }
        }
    }

    private var concernsCertificates: Bool {
        queriedClass == .stored(.certificate) || queriedClass == .identity
    }

    private func wrongType(_ match: QueryKey.Match) -> KeychainError {
        KeychainError(.parameter, "the value is of a type this search key does not take", subject: match.rawValue)
    }

    private func notForThisClass(_ match: QueryKey.Match) -> KeychainError {
        KeychainError(.unimplemented, "this search key is for certificates and identities", subject: match.rawValue)
    }

    private func notYet(_ match: QueryKey.Match) -> KeychainError {
        KeychainError(.unimplemented, "this search key is not available in this version", subject: match.rawValue)
    }

    private static func limit(_ object: AnyObject) throws(KeychainError) -> MatchLimit {
        if let text = ValueReading.string(object) {
            if text == "m_LimitOne" { return .single }
            if text == "m_LimitAll" { return .all }
        } else if let number = object as? NSNumber, !ValueReading.isBoolean(object),
            let count = ValueReading.wholeNumber(number)
        {
            switch count {
            case 0: return .nothing
            case 1: return .single
            case 2...: return .atMost(Int(count))
            case -1: return .all
            default: break
            }
        }
        throw KeychainError(
            .parameter, "the limit is a number from -1 up, or one of the two constants",
            subject: "m_Limit")
    }

    /// The persistent references of an item list (decision D4).
    static func items(_ object: AnyObject, _ key: String) throws(KeychainError) -> [PersistentReference] {
        guard let array = object as? NSArray else {
            throw KeychainError(.parameter, "the item list is not an array", subject: key)
        }
        var references: [PersistentReference] = []
        references.reserveCapacity(array.count)
        for index in 0..<array.count {
            guard let data = array.object(at: index) as? NSData,
                let reference = PersistentReference(ValueReading.bytes(data))
            else {
                throw KeychainError(.parameter, "an element of the item list is no persistent reference", subject: key)
            }
            references.append(reference)
        }
        return references
    }
}
