// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

/// What the paddings of the older functions mean.
extension SecKeyAlgorithm {
    /// How a key of this type signs with a padding.
    static func signing(_ padding: SecPadding, _ type: KeyType) throws(KeychainError) -> SecKeyAlgorithm {
        guard let algorithm = type == .rsa ? rsaSigning(padding) : type == .ec ? ecSigning(padding) : nil else {
            throw unsupported
        }
        return algorithm
    }

    /// How a key of this type encrypts with a padding.
    static func encrypting(_ padding: SecPadding, _ type: KeyType) throws(KeychainError) -> SecKeyAlgorithm {
        guard type == .rsa else { throw unsupported }
        switch padding {
        case []: return rsaEncryptionRaw
        case .PKCS1: return rsaEncryptionPKCS1
        case .OAEP: return rsaEncryptionOAEPSHA1
        default: throw unsupported
        }
    }

    private static func rsaSigning(_ padding: SecPadding) -> SecKeyAlgorithm? {
        switch padding {
        case []: rsaSignatureRaw
        case .PKCS1: rsaSignatureDigestPKCS1v15Raw
        case .PKCS1SHA1: rsaSignatureDigestPKCS1v15SHA1
        case .PKCS1SHA224: rsaSignatureDigestPKCS1v15SHA224
        case .PKCS1SHA256: rsaSignatureDigestPKCS1v15SHA256
        case .PKCS1SHA384: rsaSignatureDigestPKCS1v15SHA384
        case .PKCS1SHA512: rsaSignatureDigestPKCS1v15SHA512
        default: nil
        }
    }

    private static func ecSigning(_ padding: SecPadding) -> SecKeyAlgorithm? {
        switch padding {
        case [], .PKCS1: ecdsaSignatureDigestX962
        case .sigRaw: ecdsaSignatureDigestRFC4754
        case .PKCS1SHA1: ecdsaSignatureDigestX962SHA1
        case .PKCS1SHA224: ecdsaSignatureDigestX962SHA224
        case .PKCS1SHA256: ecdsaSignatureDigestX962SHA256
        case .PKCS1SHA384: ecdsaSignatureDigestX962SHA384
        case .PKCS1SHA512: ecdsaSignatureDigestX962SHA512
        default: nil
        }
    }

    private static var unsupported: KeychainError {
        KeychainError(.parameter, "the key does not support the padding for this operation")
    }
}
