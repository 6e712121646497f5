// SPDX-License-Identifier: Apache-2.0

/// What a key may be used for, as a certificate says it (RFC 5280 §4.2.1.3).
public struct SecKeyUsage: OptionSet, Hashable, Sendable {
    /// The uses as bits.
    public let rawValue: UInt32

    /// The uses that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Signatures that are neither of certificates nor of revocation lists.
    public static let digitalSignature = SecKeyUsage(rawValue: 1 << 0)
    /// Signatures that the signer cannot deny.
    public static let nonRepudiation = SecKeyUsage(rawValue: 1 << 1)
    /// Encryption of keys.
    public static let keyEncipherment = SecKeyUsage(rawValue: 1 << 2)
    /// Encryption of data.
    public static let dataEncipherment = SecKeyUsage(rawValue: 1 << 3)
    /// Agreement on keys.
    public static let keyAgreement = SecKeyUsage(rawValue: 1 << 4)
    /// Signatures of certificates.
    public static let keyCertSign = SecKeyUsage(rawValue: 1 << 5)
    /// Signatures of revocation lists.
    public static let crlSign = SecKeyUsage(rawValue: 1 << 6)
    /// Of an agreement, encryption alone.
    public static let encipherOnly = SecKeyUsage(rawValue: 1 << 7)
    /// Of an agreement, decryption alone.
    public static let decipherOnly = SecKeyUsage(rawValue: 1 << 8)
    /// Whoever does not understand it must refuse the certificate; a request says so always.
    public static let critical = SecKeyUsage(rawValue: 1 << 31)

    static let known = SecKeyUsage(rawValue: 1 << 9 - 1)
}
