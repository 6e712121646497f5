// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What the `kSecMatch…` keys of a query say about the items' content; they come in any order, and some mean something
/// only together.
struct SearchTerms {
    /// A date that was given.
    enum Moment {
        case now
        case at(Double)
    }

    var host: String?
    var validOn: Moment?
    var trustedOnly = false
    var emailAddress: String?
    /// Names in DER.
    var issuers: [[UInt8]] = []
    var policy: TrustPolicy?
    var subjects: [(text: String, position: TextMatching.Position)] = []
    var ignored: TextMatching.Ignored = []

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

extension SearchTerms.Moment {
    fileprivate var seconds: Double? {
        switch self {
        case .now: nil
        case .at(let seconds): seconds
        }
    }
}
