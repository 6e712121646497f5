// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A condition that is looked at after an item was opened.
package enum MatchFilter: Sendable, Equatable {
    /// The server equals the host or is a subdomain of it.
    case hostOrSubdomain(String)
    /// The moment, nil for now, lies between a key's start and end date; a date of 0 leaves that side open.
    case keyValid(on: Double?)
    /// An attribute is the text, but for differences that do not count (decision D1).
    case text(Attribute, TextPattern)
    case certificate(CertificateFilter)
}

/// A condition on what stands in a certificate.
package enum CertificateFilter: Sendable, Equatable {
    /// It is valid at the moment, nil for now.
    case valid(on: Double?)
    /// It has the address, or none at all (decision D2).
    case emailAddress(String)
    case subject(TextPattern)
    /// Its issuer is among the names (DER), or that of a certificate of the keychain on the way to its root.
    case issued(under: [[UInt8]])
    /// It is good for that by itself at the moment, whoever issued it.
    case satisfies(TrustPolicy, on: Double?)
    /// It leads to one of the system's anchors at the moment.
    case trusted(on: Double?)
}
