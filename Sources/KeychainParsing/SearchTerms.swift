// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainRequest

/// What the `kSecMatch…` keys of a query say about the items' content; they come in any order, and some mean something
/// only together.
struct SearchTerms {
    /// A date that was given.
    enum ValidityDate {
        case now
        case at(Double)
    }

    var host: String?
    var validOn: ValidityDate?
    var trustedOnly = false
    var emailAddress: String?
    /// Names in DER.
    var issuers: [[UInt8]] = []
    var policy: TrustPolicy?
    var subjects: [(text: String, position: TextMatching.Position)] = []
    // Not `[]`, which runs generic code here.
    var ignored = TextMatching.Ignored(rawValue: 0)

    var matching: TextMatching { TextMatching(ignoring: ignored) }

    /// The conditions on an item of the class; those that make no sense for it have no effect (semantics §1.3).
    func filters(for queriedClass: QueriedClass?) -> [MatchFilter] {
        var filters: [MatchFilter] = []
        if let host { filters.append(.hostOrSubdomain(host)) }
        switch queriedClass {
        case .stored(.key):
            if let validOn { filters.append(.keyValid(on: validOn.seconds)) }
        case .stored(.certificate), .identity: filters += certificateFilters.map(MatchFilter.certificate)
        case .stored, nil: break
        }
        return filters
    }

    /// The cheap ones first.
    private var certificateFilters: [CertificateFilter] {
        var filters: [CertificateFilter] = []
        if let validOn { filters.append(.valid(on: validOn.seconds)) }
        if let emailAddress { filters.append(.emailAddress(emailAddress)) }
        for subject in subjects {
            filters.append(.subject(TextPattern(subject.text, at: subject.position, matching: matching)))
        }
        if !issuers.isEmpty { filters.append(.issued(under: issuers)) }
        let moment = validOn?.seconds
        if let policy { filters.append(.satisfies(policy, on: moment)) }
        if trustedOnly { filters.append(.trusted(on: moment)) }
        return filters
    }
}

extension ParsedDictionary {
    mutating func read(_ match: QueryKey.Match, _ object: AnyObject) throws(KeychainError) {
        if match != .limit, match != .itemList, match != .searchList { looksInside = true }
        switch match {
        case .limit: limit = try ParsedDictionary.limit(object)
        // Read before the class was settled, which it may decide.
        case .itemList: break
        case .hostOrSubdomainOfHost:
            let host = try string(object, match)
            guard queriedClass == .stored(.internetPassword) else {
                throw KeychainError(.unimplemented, "only Internet passwords have a host", subject: match.rawValue)
            }
            search.host = host
        case .validOnDate:
            if ValueReading.isNull(object) {
                search.validOn = .now
            } else if let date = object as? NSDate {
                search.validOn = .at(date.timeIntervalSinceReferenceDate)
            } else {
                throw wrongType(match)
            }
        case .trustedOnly: search.trustedOnly = try boolean(object, match)
        case .emailAddressIfPresent: search.emailAddress = try string(object, match)
        case .issuers:
            try refuseUnlessCertificates(match)
            search.issuers = ParsedDictionary.names(object)
        case .policy:
            guard let policy = object as? any PolicyCarrying else { throw wrongType(match) }
            try refuseUnlessCertificates(match)
            search.policy = policy.purpose
        case .subjectContains: search.subjects.append((try string(object, match), .anywhere))
        case .subjectStartsWith: search.subjects.append((try string(object, match), .start))
        case .subjectEndsWith: search.subjects.append((try string(object, match), .end))
        case .subjectWholeString: search.subjects.append((try string(object, match), .whole))
        case .caseInsensitive: try ignore(.letterCase, object, match)
        case .diacriticInsensitive: try ignore(.diacritics, object, match)
        case .widthInsensitive: try ignore(.width, object, match)
        case .searchList:
            guard let keychains = object as? NSArray else { throw wrongType(match) }
            // An empty list narrows nothing, as on Apple's systems.
            guard let carriers = keychains as? [any KeychainCarrying] else {
                if keychains.count == 0 { return }
                throw KeychainError(
                    .parameter, "the search list is not an array of SecKeychain", subject: match.rawValue)
            }
            self.keychains.searched = carriers
        }
    }

    /// Texts that are to be compared with less than all their differences are no business of the columns, which only know
    /// equal from unequal (decision D1).
    mutating func settleTexts() {
        guard !search.ignored.isEmpty else { return }
        var exact = AttributeList(reservingCapacity: attributes.entries.count)
        for entry in attributes.entries {
            if entry.attribute.kind == .blob, case .string(let text) = entry.value {
                let pattern = TextPattern(text, at: .whole, matching: search.matching)
                texts.append(.text(entry.attribute, pattern))
            } else {
                exact.append(unchecked: entry.attribute, entry.value)
            }
        }
        attributes = exact
    }

    private mutating func ignore(
        _ difference: TextMatching.Ignored, _ object: AnyObject, _ match: QueryKey.Match
    ) throws(KeychainError) {
        if try boolean(object, match) { search.ignored.insert(difference) }
    }

    private func refuseUnlessCertificates(_ match: QueryKey.Match) throws(KeychainError) {
        switch queriedClass {
        case .stored(.certificate), .identity, nil: return
        case .stored:
            throw KeychainError(
                .unimplemented, "this search key applies to certificates and identities only", subject: match.rawValue)
        }
    }

    private func string(_ object: AnyObject, _ match: QueryKey.Match) throws(KeychainError) -> String {
        guard let text = ValueReading.string(object) else { throw wrongType(match) }
        return text
    }

    private func boolean(_ object: AnyObject, _ match: QueryKey.Match) throws(KeychainError) -> Bool {
        guard let truth = ValueReading.boolean(object) else { throw wrongType(match) }
        return truth
    }

    private func wrongType(_ match: QueryKey.Match) -> KeychainError {
        KeychainError(.parameter, "the value has a type that this search key does not accept", subject: match.rawValue)
    }

    /// What of a list of names is data; the rest does not count, and a list without any narrows nothing.
    private static func names(_ object: AnyObject) -> [[UInt8]] {
        guard let array = object as? NSArray else { return [] }
        return (0..<array.count).compactMap { index in
            (array.object(at: index) as? NSData).map { ValueReading.bytes($0) }
        }
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
            .parameter, "the limit must be -1 or more, kSecMatchLimitOne or kSecMatchLimitAll",
            subject: "m_Limit")
    }
}

extension SearchTerms.ValidityDate {
    fileprivate var seconds: Double? {
        switch self {
        case .now: nil
        case .at(let seconds): seconds
        }
    }
}
