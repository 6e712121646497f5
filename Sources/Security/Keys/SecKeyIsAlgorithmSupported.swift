// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether the key does this with this algorithm.
///
/// As on Apple platforms a private RSA key is said to verify, though that fails; a public one decrypts, but only with
/// the bare operation.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    let isSupported = unsafe KeyCall.result("SecKeyIsAlgorithmSupported", nil) { () throws(KeychainError) in
        guard let operation = KeyOperation(rawValue: operation.rawValue), let algorithm = KeyAlgorithm(algorithm.name),
            (try? key.terms.check(operation)) != nil
        else { return false }
        return key.key.isSupported(algorithm, for: operation)
    }
    return isSupported ?? false
}

extension SecKey {
    /// The algorithm of this name, once the terms of the key allow the operation.
    func allowed(
        _ operation: KeyOperation, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> KeyAlgorithm {
        try terms.check(operation)
        guard let algorithm = KeyAlgorithm(algorithm.name) else {
            throw KeychainError(.parameter, "unknown algorithm")
        }
        return algorithm
    }
}

/// What is to be done with a key.
@frozen public enum SecKeyOperationType: CFIndex, Sendable {
    /// Making a signature.
    case sign = 0
    /// Checking a signature.
    case verify = 1
    /// Encrypting.
    case encrypt = 2
    /// Decrypting.
    case decrypt = 3
    /// Agreeing on a secret.
    case keyExchange = 4
}
