// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// The certificates, keys or identities of a `kSecUseItemList`, which are searched in a keychain's place (decision D29).
///
/// "If provided, this array is treated as the set of all possible items to search … When this attribute is provided, no
/// keychains are searched" (SecItem.h). So they match by what they say of themselves, wherever they are stored.
struct ListedObjects {
    private let objects: [ListedObject]

    /// Those of a list that was parsed: what is no such object is not among them.
    init(_ list: NSArray) { objects = list.compactMap { ListedObject($0 as AnyObject) } }

    /// The objects that a request is about, in their order.
    func matching(_ request: MatchRequest) throws(KeychainError) -> [ListedObject] {
        let now = Date().timeIntervalSinceReferenceDate
        var found: [ListedObject] = []
        for object in objects where found.count < request.limit.count {
            if try object.matches(request.predicate, among: certificates, now: now) { found.append(object) }
        }
        guard !found.isEmpty else {
            throw KeychainError(
                .itemNotFound, "no object of the list matches; the keychain was not searched", subject: "u_ItemList")
        }
        return found
    }

    /// Those of the list: issuers are looked for among them, as in a keychain.
    private var certificates: [Certificate] { objects.compactMap { $0.certificate?.certificate } }
}

/// One of them.
enum ListedObject: Sendable {
    case certificate(SecCertificate)
    case key(SecKey)
    case identity(SecIdentity)

    init?(_ object: AnyObject) {
        switch object {
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let key as SecKey: self = .key(key)
        case let identity as SecIdentity: self = .identity(identity)
        default: return nil
        }
    }

    var reference: AnyObject {
        switch self {
        case .certificate(let certificate): certificate
        case .key(let key): key
        case .identity(let identity): identity
        }
    }

    /// Its certificate, if it has one.
    var certificate: SecCertificate? {
        switch self {
        case .certificate(let certificate): certificate
        case .identity(let identity): identity.certificate
        case .key: nil
        }
    }

    /// Its key, if it has one.
    var key: SecKey? {
        switch self {
        case .key(let key): key
        case .identity(let identity): identity.privateKey
        case .certificate: nil
        }
    }

    /// What it says of itself: of an identity both halves, the certificate's where both say something.
    func attributes() throws(KeychainError) -> AttributeList {
        var attributes = certificate?.content(for: .adding).attributes ?? AttributeList()
        guard let key else { return attributes }
        for entry in try key.itemAttributes().entries where !attributes.contains(entry.attribute) {
            attributes.append(unchecked: entry.attribute, entry.value)
        }
        return attributes
    }

    /// What `kSecReturnData` gives: a key's bytes where they may leave, else a certificate's.
    var data: NSData? {
        if let key {
            guard key.terms.isExtractable, !key.terms.isSensitive, !key.key.isHeldElsewhere else { return nil }
            return try? key.externalRepresentation()
        }
        return certificate.map { NSData(der: $0.certificate.der) }
    }

    /// Whether it is what a predicate asks for.
    ///
    /// Group, class of protection and the like are matters of stored items, which this may be none of, so a query for one
    /// of them finds no object.
    fileprivate func matches(
        _ predicate: ItemPredicate, among certificates: [Certificate], now: Double
    ) throws(KeychainError) -> Bool {
        guard predicate.groups == .everyGroupOfCaller, predicate.accessibility == nil, !predicate.tombstones,
            predicate.synchronizable != .only(true)
        else { return false }
        var wanted = predicate.attributes
        if certificate != nil, case .data(let bytes)? = wanted[.issuer], let name = DistinguishedName(der: bytes) {
            wanted[.issuer] = .data(name.normalizedContent)
        }
        let own = try attributes()
        for entry in wanted.entries {
            guard let value = own[entry.attribute], value.hasSameComparisonBytes(as: entry.value) else { return false }
        }
        for filter in predicate.filters {
            guard passes(filter, own, among: certificates, now: now) else { return false }
        }
        return true
    }

    private func passes(
        _ filter: MatchFilter, _ attributes: AttributeList, among certificates: [Certificate], now: Double
    ) -> Bool {
        switch filter {
        // Only passwords have a host, and a key outside of a keychain has no dates.
        case .hostOrSubdomain: return false
        case .keyValid: return true
        case .text(let attribute, let pattern):
            guard case .string(let text)? = attributes[attribute] else { return false }
            return pattern.matches(text)
        case .certificate(let filter):
            guard let certificate = certificate?.certificate else { return false }
            return passes(filter, certificate, among: certificates, now: now)
        }
    }

    private func passes(
        _ filter: CertificateFilter, _ certificate: Certificate, among certificates: [Certificate], now: Double
    ) -> Bool {
        switch filter {
        case .valid(let moment): return certificate.isValid(on: moment ?? now)
        case .emailAddress(let address): return certificate.hasEmailAddressOrNone(address)
        case .subject(let pattern): return certificate.subjectMatches(pattern)
        case .issued(let names):
            let issuers = Set(names.compactMap { DistinguishedName(der: $0)?.normalizedContent })
            if issuers.isEmpty { return true }
            return certificate.isIssued(underAnyOf: issuers) { name in
                certificates.filter { $0.subject.normalizedContent == name }
            }
        case .satisfies(.basic, let moment), .trusted(let moment):
            var trust = Trust(certificate, intermediates: certificates, policies: [.basic], anchors: .system)
            // What cannot be read may be a denial.
            guard let settings = try? TrustDomains.current().settings() else { return false }
            trust.settings = settings
            return isTrusted(trust, moment ?? now)
        case .satisfies(let policy, let moment):
            return isTrusted(
                Trust(certificate, policies: [policy], anchors: .only([certificate])), moment ?? now)
        }
    }

    private func isTrusted(_ trust: Trust, _ moment: Double) -> Bool {
        (try? trust.evaluate(at: moment))?.isTrusted ?? false
    }
}
