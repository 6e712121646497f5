// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The secret that a private key shares with another's public key; nil, and an error, when there is none.
///
/// The data is the caller's own; it is wiped when it goes.
///
/// - Parameters:
///   - privateKey: A private key.
///   - algorithm: How to agree, and what to derive from it.
///   - publicKey: The other's public key, of the same kind and size.
///   - parameters: ``SecKeyKeyExchangeParameter/requestedSize``, needed where something is derived, and
///     ``SecKeyKeyExchangeParameter/sharedInfo``.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe KeyCall.result("SecKeyCopyKeyExchangeResult", error) { () throws(KeychainError) in
        let attributes = KeyAttributes(SecKeyKeyExchangeParameter.named(parameters))
        return try privateKey.secret(
            sharedWith: publicKey, algorithm,
            size: try attributes.number(SecKeyKeyExchangeParameter.requestedSize.rawValue),
            sharedInfo: try attributes.data(SecKeyKeyExchangeParameter.sharedInfo.rawValue)?.unsecretBytes ?? [])
    }
}
