// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// Why a log was not written or read.
package enum AuditError: Error, Sendable, Equatable {
    /// The key is invalid: wrong size, or zeros.
    case unusableKey
    /// Another process writes the log.
    case inUse
    /// The folder belongs to another user, others can write to it, or it is no folder.
    case unsafeFolder
    /// The last file number there is was used.
    case exhausted
    /// An entry is larger than any record may be.
    case tooLarge
    /// The log belongs to the process this one was forked from.
    case abandoned
    /// It was closed.
    case closed
    /// It kept being rotated while it was read.
    case unsteady
    /// OpenSSL's number.
    case library(UInt)
    /// An errno.
    case system(Int32)
}

extension AuditError {
    /// Runs primitives; what they throw becomes the error it stands for.
    static func translating<Result>(_ body: () throws(CryptoError) -> Result) throws(AuditError) -> Result {
        do throws(CryptoError) { return try body() } catch { throw AuditError(error) }
    }

    init(_ error: CryptoError) {
        switch error {
        case .zeroKey, .invalidLength, .invalidParameters, .authenticationFailed: self = .unusableKey
        case .randomnessUnavailable, .outOfMemory: self = .library(0)
        case .abandoned: self = .abandoned
        case .library(let number): self = .library(number)
        }
    }

    /// The number by which a record of lost entries says why: an errno, or a negative one of ours.
    package var number: Int64 {
        switch self {
        case .system(let number): Int64(number)
        case .unusableKey: -1
        case .inUse: -2
        case .unsafeFolder: -3
        case .exhausted: -4
        case .tooLarge: -5
        case .abandoned: -6
        case .closed: -7
        case .unsteady: -8
        case .library: -9
        }
    }
}
