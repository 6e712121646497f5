// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

/// Reads a key from its external form; nil, and an error, when the data is not exactly that.
///
/// RSA keys are in the form of PKCS#1; keys on NIST's curves are 04, x, y, and the private number behind them; the
/// others are their bytes. A private key of ML-DSA or ML-KEM is the public one and behind it the expanded private one. A size among the attributes does not count. With `kSecAttrIsPermanent` the key is stored under
/// the attributes; with `kSecAttrTokenID` the error is ``errSecParam``, because an enclave takes no keys.
///
/// - Parameters:
///   - keyData: The external form. The caller wipes its own copy.
///   - attributes: The type and the class of the key, and what it may do.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe KeyCall.result("SecKeyCreateWithData", error) { () throws(KeychainError) in
        let attributes = KeyAttributes(attributes)
        guard attributes.value(kSecAttrTokenID) == nil else {
            throw KeychainError(.parameter, "a token generates its keys and does not import any", subject: "tkid")
        }
        let type = try attributes.type()
        let part = try attributes.part()
        let terms = try KeyTerms(attributes)
        // Room for the largest RSA key several times: what is longer is not copied into locked memory.
        guard keyData.length <= 1 << 15 else { throw KeychainError(KeyError.malformed) }
        let key = try KeyCall.using { () throws(KeyError) in
            try unsafe keyData.lendingBytes { (bytes) throws(KeyError) in
                // A copy that no other code can change while it is checked; wiped at the end.
                let copy = unsafe SecretBytes(copying: bytes)
                return try unsafe copy.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(type, part, representation: bytes)
                }
            }
        }
        let made = SecKey(key, terms: part == .public ? terms.forPublicHalf : terms)
        return try attributes.isPermanent(unlessSaid: false) ? try made.stored(attributes) : made
    }
}

/// The key's external form, as ``SecKeyCreateWithData(_:_:_:)`` reads it; nil, and an error, when it may not leave.
///
/// The data is the caller's own. That of a private or symmetric key is wiped when it goes.
///
/// - Parameters:
///   - key: The key.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe KeyCall.result("SecKeyCopyExternalRepresentation", error) { () throws(KeychainError) in
        try key.externalRepresentation()
    }
}

extension SecKey {
    func externalRepresentation() throws(KeychainError) -> CFData {
        if key.part == .public, let bytes = key.publicRepresentation { return NSData(copying: bytes) }
        try terms.checkExport()
        return try KeyCall.using { () throws(KeyError) in SecretData(copying: try key.representation()) }
    }
}
