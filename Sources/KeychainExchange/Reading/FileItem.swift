// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
package import KeychainKeys

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
