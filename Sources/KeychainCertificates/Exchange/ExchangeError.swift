// SPDX-License-Identifier: Apache-2.0

/// Why a file was not read or written.
///
/// It never carries data.
package enum ExchangeError: Error, Equatable, Sendable {
    /// The bytes are not what they should be.
    case undecodable
    /// It is encrypted, and no password was given.
    case passwordRequired
    case wrongPassword
    /// It uses an algorithm that this system's OpenSSL does not have; old files need its legacy provider.
    case unsupportedAlgorithm
    /// The iteration count of its password exceeds the limit.
    case tooCostly
    /// Nothing protects it from change.
    case unprotected
    /// The certificate is not that of the key.
    case keyMismatch
    case outOfMemory
    /// OpenSSL refused. Its error number, for `openssl errstr`; 0 when it gave none.
    case library(UInt)
}

extension ExchangeError {
    /// The error of the OpenSSL call that just failed; empties this thread's error queue.
    internal static func takeFromLibrary() -> ExchangeError {
        switch TrustError.takeFromLibrary() {
        case .outOfMemory: .outOfMemory
        case .library(let number): .library(number)
        }
    }
}
