// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainKeys
package import KeychainModel
package import KeychainStatus

/// Why something was not imported, exported or stored: the kind decides the status, the rest is for people.
package struct ExchangeFailure: Error, Sendable {
    package enum Kind: Sendable, Hashable {
        /// What the data is was not found out.
        case unknownFormat
        case unsupportedFormat
        /// The data is not what it says, or what the caller says, it is.
        case undecodable
        case unsupportedKeySize
        case passphraseRequired
        case invalidPassphrase
        case wrongPassphrase
        /// A PKCS#12 file is not as it was written, or the passphrase is another.
        case verification
        case severalPrivateKeys
        /// The key leaves only wrapped.
        case sensitiveKey
        /// The key does not leave.
        case unextractableKey
        /// Something that has its status from elsewhere.
        case general(KeychainError.Reason)
        /// A keychain function has failed with this status, and has said why.
        case keychain(SecurityStatus)
    }

    package let kind: Kind
    package let error: KeychainError

    package init(_ kind: Kind, _ cause: StaticString, subject: String? = nil, code: Int64? = nil) {
        self.kind = kind
        // The reason is not looked at; the kind is.
        error = KeychainError(.parameter, cause, subject: subject, code: code)
    }

    package init(_ error: KeychainError) {
        kind = .general(error.reason)
        self.error = error
    }

    private init(_ kind: Kind, _ error: KeychainError) {
        self.kind = kind
        self.error = error
    }

    /// The same failure where it has another status.
    package func called(_ kind: Kind) -> ExchangeFailure { ExchangeFailure(kind, error) }

    /// What the caller gave is not right.
    package static func parameter(_ cause: StaticString, subject: String? = nil) -> ExchangeFailure {
        ExchangeFailure(KeychainError(.parameter, cause, subject: subject))
    }
}

extension ExchangeFailure {
    /// What the error of a key out of a file means.
    package init(imported error: KeyError) {
        switch error {
        case .malformed, .mismatchedHalves: self.init(.undecodable, "a key in the data is malformed")
        case .unsupportedKey:
            self.init(
                .unsupportedKeySize, "a key in the data has a size that is not supported (RSA: 1024 to 8192 bits)")
        default: self.init(KeychainError(error))
        }
    }

    /// What the error of reading or writing a file means; `wrong` is what a wrong passphrase is called there.
    package init(_ error: ExchangeError, wrong: Kind = .wrongPassphrase) {
        switch error {
        case .undecodable: self.init(.undecodable, "the data is malformed, or contains a key of an unknown kind")
        case .passwordRequired: self.init(.passphraseRequired, "the data is encrypted; give its passphrase")
        case .wrongPassword: self.init(wrong, "the passphrase is wrong, or the data was changed")
        case .unsupportedAlgorithm:
            self.init(
                .unsupportedFormat,
                "the data uses an algorithm that this system's OpenSSL does not provide; for old files, install its legacy provider"
            )
        case .tooCostly: self.init(.undecodable, "the passphrase's iteration count exceeds the limit")
        case .unprotected: self.init(.verification, "the file has no MAC, so changes to it cannot be detected")
        case .keyMismatch: self.init(.undecodable, "a certificate does not match its key")
        case .outOfMemory: self.init(KeychainError(.outOfMemory, "there is not enough memory"))
        case .library(let number):
            self.init(
                KeychainError(.internalError, "OpenSSL reported an error", code: Int64(truncatingIfNeeded: number)))
        }
    }

    /// Runs what makes a key of something out of a file.
    static func translating(_ body: () throws(KeyError) -> CryptoKey) throws(ExchangeFailure) -> CryptoKey {
        do throws(KeyError) { return try body() } catch { throw ExchangeFailure(imported: error) }
    }

    /// Runs a part that has the errors of files.
    package static func translating<Result: ~Copyable>(
        wrong: Kind = .wrongPassphrase, _ body: () throws(ExchangeError) -> Result
    ) throws(ExchangeFailure) -> Result {
        do throws(ExchangeError) { return try body() } catch { throw ExchangeFailure(error, wrong: wrong) }
    }
}

/// The one table from failures of importing and exporting to Apple's numbers.
extension SecurityStatus {
    package init(_ kind: ExchangeFailure.Kind) {
        switch kind {
        case .unknownFormat: self = .unknownFormat
        case .unsupportedFormat: self = .unsupportedFormat
        case .undecodable: self = .undecodable
        case .unsupportedKeySize: self = .unsupportedKeySize
        case .passphraseRequired: self = .passphraseRequired
        case .invalidPassphrase: self = .invalidPassphrase
        case .wrongPassphrase: self = .authenticationFailed
        case .verification: self = .unverifiedPKCS12
        case .severalPrivateKeys: self = .severalPrivateKeys
        case .sensitiveKey: self = .sensitiveKey
        case .unextractableKey: self = .dataNotAvailable
        case .general(let reason): self.init(reason)
        case .keychain(let status): self = status
        }
    }
}

/// Why one of the formats was not read or written; `ExchangeFailure` has what that means to the caller.
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
        switch CryptoError.takeFromLibrary() {
        case .outOfMemory: .outOfMemory
        case .library(let number): .library(number)
        case .authenticationFailed, .zeroKey, .invalidLength, .invalidParameters, .randomnessUnavailable, .abandoned:
            .library(0)
        }
    }
}
