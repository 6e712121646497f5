// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a private key, or a symmetric one for AES; nil, and an error, when there is no such key.
///
/// A large RSA key takes seconds. With `kSecAttrIsPermanent` the key is stored, or none is made; the public half too,
/// unless `kSecPublicKeyAttrs` says otherwise. With `kSecAttrTokenID` the enclave makes it, which takes elliptic curve
/// keys of 256 bits, and it is stored unless the attributes say otherwise.
///
/// - Parameters:
///   - parameters: The type, the size in bits, what the key may do, and under which attributes it is stored;
///     `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` count before them.
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
        let plan = try KeyPlan(attributes)
        return plan.isKeychainNeeded ? try plan.makeInKeychain() : try plan.makeInMemory()
    }
}
