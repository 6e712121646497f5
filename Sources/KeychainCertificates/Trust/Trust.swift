// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCrypto
package import KeychainModel

/// Whether a certificate is good for something: built to an anchor and checked by OpenSSL's verifier.
///
/// Nothing is fetched from anywhere: what is not given here and not among the anchors is missing. RSA keys under 1024
/// bits and signatures over SHA-1 are refused, under the SSL policy RSA keys under 2048 bits as well.
package struct Trust: Sendable {
    /// The certificate in question.
    package var certificate: Certificate
    /// Others that may stand between it and an anchor, in any order; they are believed nothing.
    package var intermediates: [Certificate]
    /// It has to satisfy each of them; none stands for `.basic`.
    package var policies: [TrustPolicy]
    package var anchors: TrustAnchors
    package var revocation: RevocationData
    /// What a person and the administrator say; it does not count where only given anchors do.
    package var settings = TrustSettings()
    /// Failures that the caller overlooks.
    package var leniency = TrustLeniency()
    /// Apple's number of a failure, by which settings name it.
    package var statusOfFailure: @Sendable (TrustFailure) -> Int32 = { _ in 0 }

    package init(
        _ certificate: Certificate, intermediates: [Certificate] = [], policies: [TrustPolicy],
        anchors: TrustAnchors, revocation: RevocationData = RevocationData()
    ) {
        self.certificate = certificate
        self.intermediates = intermediates
        self.policies = policies
        self.anchors = anchors
        self.revocation = revocation
    }

    /// The certificates of the authorities that the system trusts.
    package static func systemAnchors() throws(CryptoError) -> [Certificate] { try SystemAnchors.store().certificates }

    /// What is to say against it at `date`, seconds since 2001.
    package func evaluate(at date: Double) throws(CryptoError) -> TrustResult {
        var isByPerson = false
        var isDenied = false
        var chain: [Certificate] = []
        var findings: [TrustFinding] = []
        var seen: Set<Key> = []
        for policy in policies.isEmpty ? [.basic] : policies {
            let store = try AnchorStore.of(anchors(for: policy))
            let plain = try evaluate(policy, store, at: date)
            let result = applying(policy, to: plain)
            isByPerson = isByPerson || result.isByPerson
            isDenied = isDenied || result.isDenied
            // Of the chains that the policies lead to, the one that satisfied the fewest.
            if chain.isEmpty || result.findings.count > findings.count { chain = result.chain }
            for finding in result.findings
            where seen.insert(Key(failure: finding.failure, depth: finding.depth)).inserted {
                findings.append(finding)
            }
        }
        let sorted = findings.enumerated().sorted { left, right in
            (left.element.failure.rank, left.element.depth, left.offset)
                < (right.element.failure.rank, right.element.depth, right.offset)
        }
        return TrustResult(
            chain: chain, findings: sorted.map(\.element), isByPerson: isByPerson, isDenied: isDenied)
    }

    /// The anchors of a policy, with those that a person or the administrator added.
    private func anchors(for policy: TrustPolicy) -> TrustAnchors {
        let implicit = leniency.takesRootsAsAnchors ? intermediates.filter(\.isSelfIssued) : []
        switch anchors {
        case .only(let given): return .only(given + implicit)
        case .system:
            let added = settings.anchors(for: policy) + implicit
            return added.isEmpty ? .system : .systemAnd(added)
        case .systemAnd(let given): return .systemAnd(given + settings.anchors(for: policy) + implicit)
        }
    }

    /// What is left of a result after what a person says of its certificates, and what the caller overlooks.
    private func applying(_ policy: TrustPolicy, to result: TrustResult) -> TrustResult {
        var rest = result
        rest.isByPerson = result.findings.contains { leniency.excepts($0, in: result.chain) }
        rest.findings.removeAll { leniency.overlooks($0, in: result.chain) }
        if case .only = anchors { return rest }
        for (depth, certificate) in result.chain.enumerated() {
            let allowed = settings.allowedErrors(on: certificate, policy, depth: depth)
            rest.findings.removeAll { $0.depth == depth && allowed.contains(statusOfFailure($0.failure)) }
            switch settings.decision(on: certificate, policy, depth: depth) {
            case .deny:
                rest.findings.append(TrustFinding(.denied, depth: depth))
                rest.isDenied = true
            case .trustRoot, .trustAsRoot: rest.isByPerson = true
            case .unspecified, nil: break
            }
        }
        return rest
    }

    private func evaluate(
        _ policy: TrustPolicy, _ store: AnchorStore, at date: Double
    ) throws(CryptoError) -> TrustResult {
        let outcome = try build(policy, store, at: date)
        var findings = outcome.findings
        findings += NameCheck.findings(policy, certificate)
        findings += PurposeCheck.findings(policy, certificate)
        if revocation.rule != .ignored { findings += revocationFindings(outcome, at: date) }
        return TrustResult(chain: outcome.chain, findings: findings)
    }

    // OpenSSL takes the first certificate that fits and never comes back to another of the same subject, as cross-signed
    // authorities are. So the one that led nowhere is left out, and it tries again.
    private func build(
        _ policy: TrustPolicy, _ store: AnchorStore, at date: Double
    ) throws(CryptoError) -> ChainVerification.Outcome {
        var candidates = intermediates
        let first = try ChainVerification(certificate, intermediates: candidates, lists: lists)
            .run(policy, store, at: date)
        var last = first
        for _ in 0..<Self.mostDetours {
            guard last.isDeadEnd else { return last }
            let replaceable = last.chain.dropFirst().last { step in
                candidates.contains(step)
                    && candidates.contains { other in
                        other != step && other.subject.normalizedContent == step.subject.normalizedContent
                    }
            }
            guard let replaceable else { break }
            candidates.removeAll { $0 == replaceable }
            last = try ChainVerification(certificate, intermediates: candidates, lists: lists)
                .run(policy, store, at: date)
        }
        return last.isDeadEnd ? first : last
    }

    /// nil when lists are not required: then a missing one is no finding.
    private var lists: [[UInt8]]? {
        switch revocation.rule {
        case .ignored: nil
        case .ifKnown: revocation.lists.isEmpty ? nil : revocation.lists
        case .required: revocation.lists
        }
    }

    private func revocationFindings(_ outcome: ChainVerification.Outcome, at date: Double) -> [TrustFinding] {
        let responses = revocation.responses.compactMap { StatusResponse(der: $0) }
        var findings: [TrustFinding] = []
        for depth in outcome.chain.indices.dropLast() {
            let known = responses.map { response in
                response.status(of: outcome.chain[depth], issuer: outcome.chain[depth + 1], at: date)
            }
            if known.contains(.revoked) {
                findings.append(TrustFinding(.revoked, depth: depth))
            } else if revocation.rule == .required, !known.contains(.good), !outcome.listed.contains(depth) {
                findings.append(TrustFinding(.revocationUnknown, depth: depth))
            }
        }
        // An only certificate that is an anchor itself has no issuer that could revoke it.
        return findings
    }

    private static let mostDetours = 16

    private struct Key: Hashable {
        let failure: TrustFailure
        let depth: Int
    }
}

/// Failures that a caller overlooks.
package struct TrustLeniency: Hashable, Sendable {
    /// That a certificate under the root is not valid at the date.
    package var allowsExpired = false
    /// That the root is not.
    package var allowsExpiredRoot = false
    /// Every given certificate that names itself as its issuer is an anchor.
    package var takesRootsAsAnchors = false
    /// What was overlooked once, by certificate.
    package var exceptions: [Certificate: Set<TrustFailure>] = [:]

    package init() {}

    /// Whether somebody overlooked it before.
    internal func excepts(_ finding: TrustFinding, in chain: [Certificate]) -> Bool {
        chain.indices.contains(finding.depth) && exceptions[chain[finding.depth]]?.contains(finding.failure) == true
    }

    internal func overlooks(_ finding: TrustFinding, in chain: [Certificate]) -> Bool {
        guard chain.indices.contains(finding.depth) else { return false }
        let certificate = chain[finding.depth]
        if excepts(finding, in: chain) { return true }
        guard finding.failure == .expired || finding.failure == .notValidYet else { return false }
        let isRoot = finding.depth > 0 && finding.depth == chain.count - 1 && certificate.isSelfIssued
        return isRoot ? allowsExpiredRoot : allowsExpired
    }
}

/// What to do about certificates of which it is not known whether they were revoked.
package enum RevocationRule: Hashable, Sendable {
    /// Revocation is not examined: a certificate that is known to be revoked passes too.
    case ignored
    /// What is known to be revoked fails; what is not known passes.
    case ifKnown
    /// Every certificate below the anchor must be known to be good.
    case required
}

/// What the caller knows of revocation; nothing is ever fetched.
package struct RevocationData: Hashable, Sendable {
    package var rule: RevocationRule
    /// Certificate revocation lists (DER).
    package var lists: [[UInt8]]
    /// Responses of OCSP servers (DER), as a server staples them.
    package var responses: [[UInt8]]

    package init(rule: RevocationRule = .ifKnown, lists: [[UInt8]] = [], responses: [[UInt8]] = []) {
        self.rule = rule
        self.lists = lists
        self.responses = responses
    }
}

/// Who is believed without proof.
package enum TrustAnchors: Hashable, Sendable {
    /// The bundle of the system's certificate authorities.
    case system
    /// These in addition.
    case systemAnd([Certificate])
    /// These alone.
    case only([Certificate])
}

/// Whether a certificate is for the host or the person a policy names.
internal enum NameCheck {
    internal static func findings(_ policy: TrustPolicy, _ certificate: Certificate) -> [TrustFinding] {
        switch policy {
        case .basic, .ssl(_, hostName: nil), .email(nil), .use(_, _, name: nil): []
        case .ssl(_, hostName: .some(let host)), .use(_, _, name: .some(let host)):
            isFor(certificate, host: host) ? [] : [TrustFinding(.hostNameMismatch, depth: 0)]
        case .email(.some(let address)):
            isFor(certificate, address: address) ? [] : [TrustFinding(.emailAddressMismatch, depth: 0)]
        }
    }

    /// Whether it is for the host: by OpenSSL's own comparison.
    private static func isFor(_ certificate: Certificate, host: String) -> Bool {
        guard let parsed = LibraryCertificate(der: certificate.der) else { return false }
        defer { ERR_clear_error() }
        return unsafe parsed.withUnsafePointer { (pointer) -> Bool in
            if let address = address(host) { return unsafe X509_check_ip_asc(pointer, address, 0) == 1 }
            guard let name = name(host) else { return false }
            return unsafe X509_check_host(pointer, name, 0, flags, nil) == 1
        }
    }

    /// The text of an IP address; nil when the host is not one.
    private static func address(_ host: String) -> String? {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard bare.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parsed = unsafe a2i_IPADDRESS(bare) else {
            ERR_clear_error()
            return nil
        }
        unsafe ASN1_OCTET_STRING_free(parsed)
        return bare
    }

    /// The name in the form for OpenSSL; nil when it is not a host name.
    // A leading dot would mean "any host below" to OpenSSL, a NUL the end, and nothing at all "do not look".
    private static func name(_ host: String) -> String? {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard let first = name.utf8.first, first != 0x2E, name.utf8.count <= 253, name.utf8.allSatisfy(isOfName)
        else { return nil }
        return name
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private static func isFor(_ certificate: Certificate, address: String) -> Bool {
        let matching = TextMatching(ignoring: .letterCase)
        return certificate.emailAddresses.contains { matching.isEqual($0, address) }
    }

    // X509_CHECK_FLAG_NEVER_CHECK_SUBJECT and X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS.
    private static let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
}
