// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

// They are flags on Apple platforms, though no two are ever combined: sources write `[]` for no padding.
/// How the older functions pad; no padding is `[]`.
public struct SecPadding: OptionSet, Sendable {
    /// The number in Apple's header.
    public let rawValue: UInt32

    /// A padding from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PKCS#1 v1.5.
    public static let PKCS1 = SecPadding(rawValue: 1)
    /// OAEP with SHA-1.
    public static let OAEP = SecPadding(rawValue: 2)
    /// For elliptic curve keys: the signature is r and s side by side.
    public static let sigRaw = SecPadding(rawValue: 0x4000)
    /// PKCS#1 v1.5 of an MD2 digest; every key refuses it.
    public static let PKCS1MD2 = SecPadding(rawValue: 0x8000)
    /// PKCS#1 v1.5 of an MD5 digest; every key refuses it, as on Apple platforms.
    public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)
    /// PKCS#1 v1.5 of a SHA-1 digest.
    public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
    /// PKCS#1 v1.5 of a SHA-224 digest.
    public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
    /// PKCS#1 v1.5 of a SHA-256 digest.
    public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
    /// PKCS#1 v1.5 of a SHA-384 digest.
    public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
    /// PKCS#1 v1.5 of a SHA-512 digest.
    public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)
}

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

/// The pointers and lengths of the older functions.
enum RawBuffer {
    static func input(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(KeychainError) -> UnsafeRawBufferPointer {
        guard count >= 0 else { throw KeychainError(.parameter, "a length is negative") }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// Copies a result to the caller, all of it or nothing.
    static func write(
        _ result: UnsafeRawBufferPointer, _ output: UnsafeMutablePointer<UInt8>, _ room: UnsafeMutablePointer<Int>
    ) throws(KeychainError) {
        guard unsafe room.pointee >= result.count else {
            throw KeychainError(.parameter, "the buffer is too small for the result")
        }
        unsafe UnsafeMutableRawBufferPointer(start: output, count: result.count).copyMemory(from: result)
        unsafe room.pointee = result.count
    }
}
