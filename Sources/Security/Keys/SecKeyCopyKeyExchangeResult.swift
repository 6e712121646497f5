// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import KeychainKeys
internal import KeychainModel

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
        let algorithm = try privateKey.allowed(.keyExchange, algorithm)
        let attributes = KeyAttributes(SecKeyKeyExchangeParameter.named(parameters))
        let size = try attributes.number(SecKeyKeyExchangeParameter.requestedSize.rawValue)
        let info = try attributes.data(SecKeyKeyExchangeParameter.sharedInfo.rawValue)?.unsecretBytes ?? []
        return try KeyCall.using { () throws(KeyError) in
            SecretData(
                copying: try privateKey.key.exchangeKeys(
                    with: publicKey.key, algorithm, requestedSize: size, sharedInfo: info))
        }
    }
}
