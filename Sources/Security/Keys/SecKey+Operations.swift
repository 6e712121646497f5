// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

/// What the functions of either generation do with a key; each checks its terms first.
extension SecKey {
    func signature(
        of data: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> [UInt8] {
        let algorithm = try allowed(.sign, algorithm)
        return try KeyCall.using { () throws(KeyError) in try unsafe key.sign(data, with: algorithm) }
    }

    func isSignature(
        _ signature: UnsafeRawBufferPointer, of data: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> Bool {
        let algorithm = try allowed(.verify, algorithm)
        return try KeyCall.using { () throws(KeyError) in
            try unsafe key.verify(signature, of: data, with: algorithm)
        }
    }

    func encrypted(
        _ plain: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> [UInt8] {
        let algorithm = try allowed(.encrypt, algorithm)
        return try KeyCall.using { () throws(KeyError) in try unsafe key.encrypt(plain, with: algorithm) }
    }

    func decrypted(
        _ sealed: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> SecretData {
        let algorithm = try allowed(.decrypt, algorithm)
        return try KeyCall.using { () throws(KeyError) in
            SecretData(copying: try unsafe key.decrypt(sealed, with: algorithm))
        }
    }

    func allowed(
        _ operation: KeyOperation, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> KeyAlgorithm {
        try terms.check(operation)
        guard let algorithm = KeyAlgorithm(algorithm.name) else {
            throw KeychainError(.parameter, "there is no algorithm of this name")
        }
        return algorithm
    }
}
