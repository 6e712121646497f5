// SPDX-License-Identifier: Apache-2.0

/// What to do about certificates of which it is not known whether they were revoked.
package enum RevocationRule: Hashable, Sendable {
    /// Nobody asks: a certificate that is known to be revoked passes too.
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
