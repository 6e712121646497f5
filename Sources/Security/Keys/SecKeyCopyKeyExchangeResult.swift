// SPDX-License-Identifier: Apache-2.0

internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
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

extension SecKey {
    func secret(
        sharedWith other: SecKey, _ algorithm: SecKeyAlgorithm, size: Int?, sharedInfo: [UInt8]
    ) throws(KeychainError) -> SecretData {
        let algorithm = try allowed(.keyExchange, algorithm)
        if let keeper {
            guard other.key.part == .public, let publicKey = other.key.publicRepresentation else {
                throw KeychainError(KeyError.invalidParameter)
            }
            return SecretData(
                try keeper.perform(
                    .exchange(publicKey: publicKey, algorithm: algorithm.name, size: size, sharedInfo: sharedInfo)))
        }
        return try KeyCall.using { () throws(KeyError) in
            SecretData(
                copying: try key.exchangeKeys(
                    with: other.key, algorithm, requestedSize: size, sharedInfo: sharedInfo))
        }
    }
}

/// A key of the dictionary that ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)`` takes.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// The name in Apple's header.
    public var rawValue: CFString { name as NSString }

    /// A parameter by its name.
    public init(rawValue: CFString) { name = rawValue as String }

    private init(_ name: String) { self.name = name }

    /// How many bytes are to be derived, a number.
    public static let requestedSize = SecKeyKeyExchangeParameter("requestedSize")
    /// What both sides mix into the derivation, as data.
    public static let sharedInfo = SecKeyKeyExchangeParameter("sharedInfo")

    /// The parameters by name, of a dictionary whose keys are names or these values themselves.
    static func named(_ parameters: CFDictionary) -> CFDictionary {
        // Swift puts a value as a key into a box outside Apple's platforms, where it would become its name on them.
        let result = NSMutableDictionary()
        for (key, value) in parameters {
            if let name = (key as? Self)?.rawValue ?? key as? NSString { result.setObject(value, forKey: name) }
        }
        return result
    }
}
