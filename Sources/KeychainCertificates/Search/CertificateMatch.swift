// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension Certificate {
    /// Whether the pattern is found in the subject: in the text of any of its attributes, or in the summary.
    // Apple documents the keys for this and never honoured them (D1), so what "the subject" is as a text is ours to say:
    // each attribute by itself, so that "whole string" means a name and not a notation, and the line people see.
    package func subjectMatches(_ pattern: TextPattern) -> Bool {
        subject.attributes.contains { attribute in attribute.text.map { pattern.matches($0) } ?? false }
            || subjectSummary.map { pattern.matches($0) } ?? false
    }

    /// Whether it has the e-mail address, or has none at all (D2); case does not count.
    package func hasEmailAddressOrNone(_ address: String) -> Bool {
        let addresses = emailAddresses
        guard !addresses.isEmpty else { return true }
        let matching = TextMatching(ignoring: .letterCase)
        let wanted = matching.folded(address)
        return addresses.contains { matching.folded($0) == wanted }
    }

    /// Whether its issuer is in `issuers`, or that of a certificate by which one comes to it.
    ///
    /// `issuers` are normalized names; `certificates(subject)` gives those whose normalized subject that is. At most ten
    /// steps are taken, and none to a name twice. Signatures are not looked at: this is a search, not a decision.
    package func isIssued<Failure: Error>(
        underAnyOf issuers: Set<[UInt8]>, certificates: ([UInt8]) throws(Failure) -> [Certificate]
    ) throws(Failure) -> Bool {
        var names: [[UInt8]] = [issuer.normalizedContent]
        var seen = Set(names)
        for _ in 0..<Self.deepestSearch {
            var next: [[UInt8]] = []
            for name in names {
                if issuers.contains(name) { return true }
                for certificate in try certificates(name) {
                    let issuer = certificate.issuer.normalizedContent
                    if seen.insert(issuer).inserted { next.append(issuer) }
                }
            }
            names = next
        }
        return names.contains { issuers.contains($0) }
    }

    /// Apple's limit.
    private static let deepestSearch = 10
}
