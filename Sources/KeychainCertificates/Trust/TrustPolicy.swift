// SPDX-License-Identifier: Apache-2.0

/// What a certificate has to be good for.
package enum TrustPolicy: Hashable, Sendable {
    /// Which end of a connection shows the certificate.
    package enum Side: Hashable, Sendable {
        case server
        case client
    }

    /// A chain to an anchor, nothing else.
    case basic
    /// A connection's certificate; with a host name or an IP address, of that host.
    ///
    /// Only alternative names count, as everywhere today, never the common name. A wildcard stands for one whole label,
    /// the first, with two more after it.
    case ssl(Side, hostName: String?)
    /// A person's, to sign or to encrypt mail; with an address, of that address.
    case email(String?)
}

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
