// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainExchange
internal import KeychainKeys

extension FileItem {
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
