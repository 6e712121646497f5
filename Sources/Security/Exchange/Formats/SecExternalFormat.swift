// SPDX-License-Identifier: Apache-2.0

/// How keys and certificates are written in a file.
///
/// `PEM` means that the bytes stand as text between two lines of dashes, which ``SecItemImportExportFlags/pemArmour``
/// asks for when something is exported; on import it is found out.
@frozen public enum SecExternalFormat: UInt32, Sendable {
    /// To be found out on import; on export the one that programs expect.
    case formatUnknown = 0
    /// One key as OpenSSL wrote it first: private RSA keys in PKCS#1, private keys on curves in SEC 1, public keys as
    /// SubjectPublicKeyInfo; the newer kinds of private key, which have no form of their own, in PKCS#8.
    case formatOpenSSL = 1
    /// A key of the first OpenSSH; not supported.
    case formatSSH = 2
    /// One key in the standards of RSA: private keys in PKCS#8, public RSA keys in PKCS#1.
    case formatBSAFE = 3
    /// The bytes of a symmetric key.
    case formatRawKey = 4
    /// One private key in PKCS#8, encrypted.
    case formatWrappedPKCS8 = 5
    /// One private key encrypted as OpenSSL did it first, under one round of MD5; it is read and not written.
    case formatWrappedOpenSSL = 6
    /// An encrypted key of the first OpenSSH; not supported.
    case formatWrappedSSH = 7
    /// Not supported.
    case formatWrappedLSH = 8
    /// One certificate in DER.
    case formatX509Cert = 9
    /// Keys and certificates in PEM, one after the other.
    case formatPEMSequence = 10
    /// Certificates in PKCS#7.
    case formatPKCS7 = 11
    /// Keys and certificates in PKCS#12, encrypted.
    case formatPKCS12 = 12
    /// Certificates as Netscape wrote them; not supported.
    case formatNetscapeCertSequence = 13
    /// A key of OpenSSH; not supported.
    case formatSSHv2 = 14
}

extension SecExternalFormat: CaseIterable {}
