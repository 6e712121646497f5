// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
package import KeychainModel

/// What a key could not do, or why bytes are not a key.
///
/// It never carries data.
package enum KeyError: Error, Equatable, Sendable {
    /// The bytes are not the external representation of such a key.
    case malformed
    /// The private half is not that of the public one, or the numbers of an RSA key do not belong together.
    case mismatchedHalves
    /// No such key is made or taken: a modulus, curve or AES key of another size, or a part this kind does not have.
    case unsupportedKey
    /// The OpenSSL that the program runs with has no such keys: those of ML-KEM and ML-DSA came with 3.5.
    case notOffered
    /// The key cannot do this with this algorithm.
    case unsupportedAlgorithm
    /// The algorithm needs a parameter that was not given.
    case missingParameter
    /// A parameter is outside its bounds, or the other side's key is of another kind.
    case invalidParameter
    /// The input, or its digest, has a size the algorithm does not take.
    case invalidLength
    /// A ciphertext that was not made for this key, or was changed; or a public key nothing may be agreed on with.
    case refused
    /// The private half does not leave the place where it is kept.
    case notExportable
    /// Who keeps the private half could not use it; the number is its own.
    case holder(Int32)
    case outOfMemory
    /// The system gave no random bytes.
    case randomnessUnavailable
    /// OpenSSL refused. Its error number, for `openssl errstr`; 0 when it gave none.
    case library(UInt)
}

extension KeyError {
    /// Runs primitives; what they throw becomes the error it stands for.
    internal static func translating<Result: ~Copyable>(
        _ body: () throws(CryptoError) -> Result
    ) throws(KeyError) -> Result {
        do throws(CryptoError) { return try body() } catch { throw KeyError(error) }
    }

    /// What a primitive's error means where no key was refused.
    internal init(_ error: CryptoError) {
        switch error {
        case .authenticationFailed: self = .refused
        case .invalidLength: self = .invalidLength
        case .zeroKey, .invalidParameters: self = .invalidParameter
        case .randomnessUnavailable: self = .randomnessUnavailable
        case .outOfMemory: self = .outOfMemory
        case .abandoned: self = .library(0)
        case .library(let number): self = .library(number)
        }
    }

    /// The error of the OpenSSL call that just failed; empties this thread's error queue.
    // An app that uses OpenSSL on the same thread would take whatever we left there for its own failure.
    internal static func takeFromLibrary() -> KeyError {
        var last: UInt = 0
        var isOutOfMemory = false
        while case let number = ERR_get_error(), number != 0 {
            last = number
            isOutOfMemory = isOutOfMemory || llv_openssl_is_out_of_memory(number) != 0
        }
        return isOutOfMemory ? .outOfMemory : .library(last)
    }

    /// `error`, unless what just failed was the memory; empties this thread's error queue.
    internal static func takeFromLibrary(as error: KeyError) -> KeyError {
        takeFromLibrary() == .outOfMemory ? .outOfMemory : error
    }
}

extension KeychainError {
    /// The one table from what a key could not do to reasons (semantics §11.3).
    package init(_ error: KeyError) {
        switch error {
        case .malformed: self.init(.parameter, "the data is not the external form of such a key")
        case .mismatchedHalves: self.init(.parameter, "the private half does not match the public half")
        case .unsupportedKey: self.init(.parameter, "keys of this type do not have this size or class")
        case .notOffered:
            self.init(.unimplemented, "ML-KEM and ML-DSA require OpenSSL 3.5 or newer, and this is an older one")
        case .unsupportedAlgorithm: self.init(.parameter, "the key does not support the algorithm for this operation")
        case .missingParameter:
            self.init(.parameter, "the algorithm requires the number of bytes to derive", subject: "requestedSize")
        case .invalidParameter:
            self.init(.parameter, "a parameter is out of range, or the other key is of another kind")
        case .invalidLength: self.init(.parameter, "the algorithm does not accept input of this length")
        // One text for padding, tag and everything else: telling them apart would tell an attacker of the plain text.
        case .refused: self.init(.parameter, "the data was encrypted for another key, or was changed")
        case .notExportable: self.init(.unimplemented, "the private key cannot leave the place where it is kept")
        case .holder(let number):
            self.init(.notAvailable, "the keychain that keeps the private key could not use it", code: Int64(number))
        case .outOfMemory: self.init(.outOfMemory, "there is not enough memory")
        case .randomnessUnavailable: self.init(.internalError, "the system provided no random bytes")
        case .library(let number):
            self.init(.internalError, "OpenSSL reported an error", code: Int64(truncatingIfNeeded: number))
        }
    }
}
