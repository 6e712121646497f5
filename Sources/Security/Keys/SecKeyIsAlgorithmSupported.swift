// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

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
