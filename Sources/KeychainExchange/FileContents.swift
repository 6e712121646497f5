// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
package import KeychainKeys

/// What was found in a file, and how it was written.
package struct FileContents {
    package var format: FileFormat
    package var items: [FileItem]

    /// One thing's type; several of several, and of what can hold several.
    package var type: FileItemType {
        guard items.count == 1, let only = items.first, format != .pkcs7, format != .pkcs12 else { return .several }
        return only.type
    }
}

/// One thing that was found in a file.
package enum FileItem {
    case certificate(Certificate, label: String?)
    case key(CryptoKey, label: String?)
    /// A private key with its certificate.
    case identity(Certificate, CryptoKey, label: String?)

    package var isPrivateKey: Bool {
        switch self {
        case .certificate: false
        case .key(let key, _): key.part == .private
        case .identity: true
        }
    }

    package var type: FileItemType {
        switch self {
        case .certificate: .certificate
        case .identity: .several
        case .key(let key, _):
            switch key.part {
            case .private: .privateKey
            case .public: .publicKey
            case .symmetric: .symmetricKey
            }
        }
    }
}

/// What a file holds.
package enum FileItemType: UInt32, Sendable {
    case privateKey = 1
    case publicKey = 2
    case symmetricKey = 3
    case certificate = 4
    /// Several things.
    case several = 5
}

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
