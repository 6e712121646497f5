// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import KeychainKeys
internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a private key, or a symmetric one for AES; nil, and an error, when there is no such key.
///
/// A large RSA key takes seconds. Keys are made in memory only: with `kSecAttrIsPermanent` or `kSecAttrTokenID` the
/// error is ``errSecUnimplemented``.
///
/// - Parameters:
///   - parameters: The type, the size in bits, and what the key may do; `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs`
///     count before them.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe KeyCall.result("SecKeyCreateRandomKey", error) { () throws(KeychainError) in
        try SecKey.make(KeyAttributes(parameters))
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a pair of keys, as ``SecKeyCreateRandomKey(_:_:)`` does.
///
/// - Parameters:
///   - parameters: What the keys are to be.
///   - publicKey: Set to the public half when both were made.
///   - privateKey: Set to the private half when both were made.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    Call.status("SecKeyGeneratePair") { () throws(KeychainError) in
        let attributes = KeyAttributes(parameters)
        guard try attributes.type() != .aes else {
            throw KeychainError(.parameter, "a symmetric key has no two halves", subject: "type")
        }
        let own = try SecKey.make(attributes)
        let other = try own.publicHalf()
        if let publicKey = unsafe publicKey { unsafe publicKey.pointee = other }
        if let privateKey = unsafe privateKey { unsafe privateKey.pointee = own }
    }
}

extension SecKey {
    fileprivate static func make(_ attributes: KeyAttributes) throws(KeychainError) -> SecKey {
        let type = try attributes.type()
        let own = try attributes.half(type == .aes ? kSecSymmetricKeyAttrs : kSecPrivateKeyAttrs)
        let other = try attributes.half(kSecPublicKeyAttrs)
        guard let bits = try attributes.number(kSecAttrKeySizeInBits) ?? type.onlyBits else {
            throw KeychainError(.parameter, "a size is needed", subject: "bsiz")
        }
        guard type.allows(bits: bits) else {
            throw KeychainError(.parameter, "there are no keys of this type with this size", subject: "bsiz")
        }
        for half in [own, other] where half.value(kSecAttrTokenID) != nil {
            guard type == .ec, bits == 256 else {
                throw KeychainError(.parameter, "a token makes elliptic curve keys of 256 bits alone", subject: "tkid")
            }
            throw KeychainError(.unimplemented, "keys are not made in tokens yet", subject: "tkid")
        }
        try own.refuseStorage()
        try other.refuseStorage()
        let terms = try KeyTerms(own)
        let publicTerms = try KeyTerms(other).forPublicHalf
        let key = try KeyCall.using { () throws(KeyError) in try CryptoKey.generate(type, bits: bits) }
        return SecKey(key, terms: terms, publicTerms: publicTerms)
    }
}
