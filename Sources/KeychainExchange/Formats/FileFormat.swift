// SPDX-License-Identifier: Apache-2.0

/// How keys and certificates are written in a file, as far as it is read or written here.
package enum FileFormat: UInt32, Sendable, Hashable {
    /// One key as OpenSSL wrote it first: PKCS#1, SEC 1, SubjectPublicKeyInfo.
    case openSSL = 1
    /// One key in the standards of RSA: private keys in PKCS#8, public RSA keys in PKCS#1.
    case bsafe = 3
    /// The bytes of a symmetric key.
    case rawKey = 4
    /// One private key in PKCS#8, encrypted.
    case wrappedPKCS8 = 5
    /// One private key encrypted as OpenSSL did it first; it is read and not written.
    case wrappedOpenSSL = 6
    /// One certificate in DER.
    case certificate = 9
    /// Keys and certificates in PEM, one after the other.
    case pemSequence = 10
    /// Certificates in PKCS#7.
    case pkcs7 = 11
    /// Keys and certificates in PKCS#12.
    case pkcs12 = 12
}
