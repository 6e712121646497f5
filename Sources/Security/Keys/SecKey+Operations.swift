// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

/// What the functions of either generation do with a key; each checks its terms first.
extension SecKey {
    func signature(
        of data: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> [UInt8] {
        let algorithm = try allowed(.sign, algorithm)
        if let keeper {
            return try keeper.perform(.sign(unsafe SecretValue(copying: data), algorithm: algorithm.name)).unsecretBytes
        }
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
        if let keeper {
            let sealed = try keeper.perform(
                .encrypt(unsafe SecretValue(copying: plain), algorithm: algorithm.name))
            return sealed.unsecretBytes
        }
        return try KeyCall.using { () throws(KeyError) in try unsafe key.encrypt(plain, with: algorithm) }
    }

    func decrypted(
        _ sealed: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> SecretData {
        let algorithm = try allowed(.decrypt, algorithm)
        if let keeper {
            return SecretData(
                try keeper.perform(.decrypt(unsafe SecretValue(copying: sealed), algorithm: algorithm.name)))
        }
        return try KeyCall.using { () throws(KeyError) in
            SecretData(copying: try unsafe key.decrypt(sealed, with: algorithm))
        }
    }

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

extension SecretValue {
    /// The bytes of something that is no secret after all: a signature, a ciphertext.
    fileprivate var unsecretBytes: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe Array(bytes) } }
}
