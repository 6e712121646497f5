// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
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

    /// What is to say against it at `date`, seconds since 2001.
    package func evaluate(at date: Double) throws(TrustError) -> TrustResult {
        let store = try AnchorStore.of(anchors)
        var chain: [Certificate] = []
        var findings: [TrustFinding] = []
        var seen: Set<Key> = []
        for policy in policies.isEmpty ? [.basic] : policies {
            let result = try evaluate(policy, store, at: date)
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
        return TrustResult(chain: chain, findings: sorted.map(\.element))
    }

    private func evaluate(
        _ policy: TrustPolicy, _ store: AnchorStore, at date: Double
    ) throws(TrustError) -> TrustResult {
        let outcome = try build(policy, store, at: date)
        var findings = outcome.findings
        findings += NameCheck.findings(policy, certificate)
        if revocation.rule != .ignored { findings += revocationFindings(outcome, at: date) }
        return TrustResult(chain: outcome.chain, findings: findings)
    }

    // OpenSSL takes the first certificate that fits and never comes back to another of the same subject, as cross-signed
    // authorities are. So the one that led nowhere is left out, and it tries again.
    private func build(
        _ policy: TrustPolicy, _ store: AnchorStore, at date: Double
    ) throws(TrustError) -> ChainVerification.Outcome {
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

    /// nil when nobody asks for lists: then a missing one is nothing to say.
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
        // An only certificate that is an anchor itself has nobody who could revoke it.
        return findings
    }

    private static let mostDetours = 16

    private struct Key: Hashable {
        let failure: TrustFailure
        let depth: Int
    }
}
