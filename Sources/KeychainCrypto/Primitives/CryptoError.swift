// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// What a cryptographic primitive could not do.
///
/// It never carries data.
package enum CryptoError: Error, Equatable, Sendable {
    /// The bytes are not what was sealed, or this is not their key.
    case authenticationFailed
    /// A key of zeros: one that was wiped, or never filled.
    case zeroKey
    /// A buffer has a size that the operation does not take.
    case invalidLength
    /// The parameters of a key derivation are outside the bounds.
    case invalidParameters
    /// The system gave no random bytes.
    case randomnessUnavailable
    case outOfMemory
    /// The context belongs to the process this one was forked from.
    case abandoned
    /// OpenSSL refused. Its error number, for `openssl errstr`; 0 when it gave none.
    case library(UInt)
}

/// An error of what is made of the primitives, one of whose cases is that a primitive failed.
package protocol CryptoCaused: Error, Sendable {
    static func crypto(_ cause: CryptoError) -> Self
}

extension CryptoCaused {
    /// Runs primitives; what they throw becomes the cause of this error.
    @inline(__always)
    package static func translating<Result: ~Copyable>(
        _ body: () throws(CryptoError) -> Result
    ) throws(Self) -> Result {
        do throws(CryptoError) { return try body() } catch { throw .crypto(error) }
    }
}

extension CryptoError {
    /// The error of the OpenSSL call that just failed; empties this thread's error queue.
    // An app that uses OpenSSL on the same thread would take whatever we left there for its own failure.
    package static func takeFromLibrary() -> CryptoError {
        var last: UInt = 0
        var isOutOfMemory = false
        while case let number = ERR_get_error(), number != 0 {
            last = number
            isOutOfMemory = isOutOfMemory || llv_openssl_is_out_of_memory(number) != 0
        }
        return isOutOfMemory ? .outOfMemory : .library(last)
    }

    /// `authenticationFailed`; empties this thread's error queue.
    internal static func takeRefusal() -> CryptoError {
        ERR_clear_error()
        return .authenticationFailed
    }
}
