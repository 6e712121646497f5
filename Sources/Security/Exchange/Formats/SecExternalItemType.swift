// SPDX-License-Identifier: Apache-2.0

/// What a file holds.
@frozen public enum SecExternalItemType: UInt32, Sendable {
    /// To be found out.
    case itemTypeUnknown = 0
    /// A private key.
    case itemTypePrivateKey = 1
    /// A public key.
    case itemTypePublicKey = 2
    /// A symmetric key.
    case itemTypeSessionKey = 3
    /// A certificate.
    case itemTypeCertificate = 4
    /// Several things.
    case itemTypeAggregate = 5
}
