// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// The public key of a certificate; nil when it is of a kind that no ``SecKey`` is.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    unsafe KeyCall.result("SecCertificateCopyKey", nil) { () throws(KeychainError) in
        try KeyCall.using { () throws(KeyError) in try SecKey(CryptoKey(of: certificate.certificate.publicKey)) }
    }
}

/// The public key of the certificate in question; nil when it is of a kind that no ``SecKey`` is.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    SecCertificateCopyKey(SecCertificate(trust.question.certificate))
}

/// The older name of ``SecCertificateCopyKey(_:)``.
@available(*, deprecated, renamed: "SecCertificateCopyKey")
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// The older name of ``SecTrustCopyKey(_:)``.
@available(*, deprecated, renamed: "SecTrustCopyKey")
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

extension CryptoKey {
    /// The key in a certificate; throws `unsupportedKey` for a kind that is not among ours.
    fileprivate convenience init(of info: PublicKeyInfo) throws(KeyError) {
        guard let type = info.keyType else { throw .unsupportedKey }
        try self.init(type, .public, representation: info.externalBytes)
    }
}

extension PublicKeyInfo {
    /// What the module of keys calls the kind of key; nil when it has none such.
    var keyType: KeyType? {
        switch kind {
        case .rsa: .rsa
        case .ellipticCurve: .ec
        case .other(.ed25519): .ed25519
        case .other(.x25519): .x25519
        case .other(.ed448): .ed448
        case .other(.x448): .x448
        case .other: nil
        }
    }
}
