// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

extension SecretBytes {
    static func random(count: Int) throws(EnclaveError) -> SecretBytes {
        try EnclaveError.catching { () throws(CryptoError) in
            try unsafe SecretBytes(count: count) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        }
    }

    /// What HKDF makes of this secret.
    borrowing func derived(count: Int, salt: [UInt8], info: String) throws(EnclaveError) -> SecretBytes {
        try EnclaveError.catching { () throws(CryptoError) in
            try unsafe SecretBytes(count: count) { (output) throws(CryptoError) in
                try unsafe withUnsafeBytes { (secret) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: secret, salt: salt, info: Array(info.utf8), into: output)
                }
            }
        }
    }
}

extension EnclaveError {
    /// Runs `body` and throws what its errors mean to an enclave.
    static func catching<Result: ~Copyable>(
        _ body: () throws(CryptoError) -> Result
    ) throws(EnclaveError) -> Result {
        do throws(CryptoError) { return try body() } catch { throw EnclaveError(error) }
    }

    init(_ error: CryptoError) {
        switch error {
        // What a forked child has of its parent's secrets.
        case .abandoned: self = .missing
        case .outOfMemory: self = .failed(Int64(ENOMEM))
        case .randomnessUnavailable: self = .failed(Int64(EIO))
        case .authenticationFailed, .zeroKey, .invalidLength, .invalidParameters: self = .failed(Int64(EINVAL))
        case .library(let number): self = .failed(Int64(truncatingIfNeeded: number))
        }
    }
}
