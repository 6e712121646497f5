// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainKeys

/// One thing that was found in a file.
enum ImportedItem {
    case certificate(Certificate, label: String?)
    case key(CryptoKey, label: String?)
    /// A private key with its certificate.
    case identity(Certificate, CryptoKey, label: String?)

    var isPrivateKey: Bool {
        switch self {
        case .certificate: false
        case .key(let key, _): key.part == .private
        case .identity: true
        }
    }

    var type: SecExternalItemType {
        switch self {
        case .certificate: .itemTypeCertificate
        case .identity: .itemTypeAggregate
        case .key(let key, _):
            switch key.part {
            case .private: .itemTypePrivateKey
            case .public: .itemTypePublicKey
            case .symmetric: .itemTypeSessionKey
            }
        }
    }

    /// The reference that a caller gets.
    func object(_ terms: KeyTerms) -> AnyObject {
        switch self {
        case .certificate(let certificate, _): SecCertificate(certificate)
        case .key(let key, _): Self.object(key, terms)
        case .identity(let certificate, let key, _):
            SecIdentity(SecCertificate(certificate), Self.object(key, terms))
        }
    }

    private static func object(_ key: CryptoKey, _ terms: KeyTerms) -> SecKey {
        key.part == .public
            ? SecKey(key, terms: terms.forPublicHalf) : SecKey(key, terms: terms, publicTerms: terms.forPublicHalf)
    }
}

/// What was found in a file, and how it was written.
struct ImportedFile {
    var format: SecExternalFormat
    var items: [ImportedItem]

    /// One thing's type; the aggregate of several, and of what can hold several.
    var type: SecExternalItemType {
        guard items.count == 1, let only = items.first, format != .formatPKCS7, format != .formatPKCS12 else {
            return .itemTypeAggregate
        }
        return only.type
    }
}
