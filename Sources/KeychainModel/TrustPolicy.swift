// SPDX-License-Identifier: Apache-2.0

/// What a certificate has to be good for.
package enum TrustPolicy: Hashable, Sendable {
    /// Which end of a connection shows the certificate.
    package enum Side: Hashable, Sendable {
        case server
        case client
    }

    /// What else certificates are for; where there are no two ends, the side means nothing.
    package enum Use: Hashable, Sendable, CaseIterable {
        /// Signed programs: it has to say so.
        case codeSigning
        /// Time stamps (RFC 3161): it has to be for them alone, and to say so.
        case timeStamping
        /// Extensible authentication, as in wireless networks.
        case extensibleAuthentication
        /// A virtual private network.
        case ipsec
        /// Kerberos (RFC 4556): it has to say so.
        case kerberos
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
    /// For another use; with a name, of that host.
    case use(Use, Side, name: String?)
}
