// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// The search keys that ask for more than equal attributes, as one operation applies them to opened rows.
final class RowFilters {
    private let connection: StoreConnection
    private let now: () -> Double
    /// The certificates that the operation has looked up so far, by subject.
    private var knownIssuers: [[UInt8]: [Certificate]] = [:]

    init(_ connection: StoreConnection, _ now: @escaping () -> Double) {
        self.connection = connection
        self.now = now
    }

    /// Whether a row that a selection accepts passes its filters.
    func pass(_ row: RowReader, _ opened: RowReader.Opened, _ selection: Selection) throws(StoreError) -> Bool {
        for filter in selection.predicate.filters {
            guard unsafe filter.passes(opened.record, now: now) else { return false }
        }
        return try unsafe passCertificateFilters(row, opened, selection)
    }

    // MARK: Certificates (semantics §3.3)

    /// Whether a row passes the filters that look into a certificate; a row that has none passes no such filter.
    private func passCertificateFilters(
        _ row: RowReader, _ opened: RowReader.Opened, _ selection: Selection
    ) throws(StoreError) -> Bool {
        guard selection.table.itemClass == .certificate else { return true }
        let filters = selection.predicate.filters.compactMap {
            if case .certificate(let filter) = $0 { filter } else { nil }
        }
        guard !filters.isEmpty else { return true }
        guard let certificate = try unsafe certificate(row, opened) else { return false }
        for filter in filters where !(try passes(filter, certificate, selection.reach)) { return false }
        return true
    }

    private func passes(
        _ filter: CertificateFilter, _ certificate: Certificate, _ scope: GroupFilter
    ) throws(StoreError) -> Bool {
        switch filter {
        case .valid(let moment): return certificate.isValid(on: moment ?? now())
        case .emailAddress(let address): return certificate.hasEmailAddressOrNone(address)
        case .subject(let pattern): return certificate.subjectMatches(pattern)
        case .issued(let names):
            let issuers = Set(names.compactMap { DistinguishedName(der: $0)?.normalizedContent })
            // As if no name had been given, when none can be read.
            if issuers.isEmpty { return true }
            return try certificate.isIssued(underAnyOf: issuers) { (name) throws(StoreError) in
                try issuing(name, scope)
            }
        // There is nothing in it but the chain, so the chain has to be trusted, as Apple's `_FilterWithPolicy` has it.
        case .satisfies(.basic, let moment), .trusted(let moment):
            var trust = Trust(
                certificate, intermediates: try chain(above: certificate, scope), policies: [.basic], anchors: .system)
            // What cannot be read may be a denial.
            guard let settings = try? trustSettings() else { return false }
            trust.settings = settings
            return isTrusted(trust, moment ?? now())
        case .satisfies(let policy, let moment):
            // By itself: it is its own anchor, and what is left is what it says of itself.
            return isTrusted(Trust(certificate, policies: [policy], anchors: .only([certificate])), moment ?? now())
        }
    }

    /// What the user whose keychain this is, and the administrator, say of certificates.
    private func trustSettings() throws(KeychainError) -> TrustSettings {
        let own = try connection.root.map { (root) throws(KeychainError) in
            try TrustSettingsFile.user(root: root).read()
        }
        return (own ?? TrustSettings()).before(try TrustSettingsFile.administrator.read())
    }

    private func isTrusted(_ trust: Trust, _ moment: Double) -> Bool {
        ((try? trust.evaluate(at: moment))?.isTrusted) ?? false
    }

    /// The certificates of the keychain that may stand between this one and an anchor.
    private func chain(above certificate: Certificate, _ scope: GroupFilter) throws(StoreError) -> [Certificate] {
        var chain: [Certificate] = []
        // Never true, so every name on the way is asked for.
        _ = try certificate.isIssued(underAnyOf: []) { (name) throws(StoreError) in
            let found = try issuing(name, scope)
            for issuer in found where chain.count < RowFilters.longestChain && !chain.contains(issuer) {
                chain.append(issuer)
            }
            return found
        }
        return chain
    }

    /// More than this many certificates do not help to build a chain.
    private static let longestChain = 64

    /// The certificates of a subject, looked up once in an operation.
    private func issuing(_ name: [UInt8], _ scope: GroupFilter) throws(StoreError) -> [Certificate] {
        if let known = knownIssuers[name] { return known }
        let found = try certificates(of: name, scope)
        knownIssuers[name] = found
        return found
    }

    /// The certificates of a subject, by its normalized name.
    private func certificates(of subject: [UInt8], _ scope: GroupFilter) throws(StoreError) -> [Certificate] {
        var attributes = AttributeList()
        attributes[.subject] = .data(subject)
        let selection = Selection(
            predicate: ItemPredicate(
                queriedClass: .stored(.certificate), attributes: attributes, groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: []),
            table: ItemTable.of(.certificate), scope: scope, id: nil)
        // Not the statement that other selections of the shape share: one of them may be under way.
        let statement = try connection.statements.issuerLookup(selection.shape)
        try statement.bindingPlaceholders { (placeholders) throws(StoreError) in
            try selection.bind(to: &placeholders, sealer: connection.sealer)
        }
        defer { statement.reset() }
        let row = connection.reader(statement, selection.table)
        var found: [Certificate] = []
        while try statement.nextRow() {
            let opened: RowReader.Opened
            do throws(SealingError) { unsafe opened = try unsafe row.open(with: connection.sealer) } catch {
                guard error == .undecodable || error.isOfLockedClass else { throw StoreError(error) }
                continue
            }
            if unsafe selection.accepts(opened.record), let certificate = try unsafe certificate(row, opened) {
                found.append(certificate)
            }
        }
        return found
    }

    /// The certificate in a row; nil when there is none.
    private func certificate(_ row: RowReader, _ opened: RowReader.Opened) throws(StoreError) -> Certificate? {
        // Larger than any certificate: not opened for that.
        guard unsafe opened.secretCount <= Certificate.largest + 4096 else { return nil }
        do throws(SealingError) {
            guard let secret = try unsafe row.openSecret(of: opened, with: connection.sealer, wantsDigest: false).data
            else {
                return nil
            }
            return unsafe secret.withUnsafeBytes { bytes in unsafe Certificate(uncheckedRow: Array(bytes)) }
        } catch {
            guard error == .undecodable else { throw StoreError(error) }
            return nil
        }
    }
}

extension MatchFilter {
    /// Whether a record passes; a filter that looks into a certificate does not decide here.
    fileprivate func passes(_ record: AttributeList, now: () -> Double) -> Bool {
        switch self {
        case .hostOrSubdomain(let host):
            guard case .string(let server)? = record[.server] else { return false }
            return server == host || Array(server.utf8).hasSuffix(Array(("." + host).utf8))
        case .keyValid(let given):
            let moment = given ?? now()
            return MatchFilter.isOpenOr(record[.startDate]) { $0 <= moment }
                && MatchFilter.isOpenOr(record[.endDate]) { moment <= $0 }
        case .text(let attribute, let pattern):
            guard case .string(let text)? = record[attribute] else { return false }
            return pattern.matches(text)
        case .certificate: return true
        }
    }

    /// A date of 0 leaves its side open.
    private static func isOpenOr(_ value: AttributeValue?, _ condition: (Double) -> Bool) -> Bool {
        guard case .date(let date)? = value, date != 0 else { return true }
        return condition(date)
    }
}

extension Array where Element == UInt8 {
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { count >= other.count && suffix(other.count) == other[...] }
}
