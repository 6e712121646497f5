// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto

/// Why a backup cannot be written, or is not believed.
package enum BackupError: Error, Sendable, Equatable {
    /// It does not begin as a backup does.
    case notBackup
    /// It was made by a later version.
    case newer
    /// It ends before its end.
    case cut
    /// Some of its bytes are not those that were written.
    case damaged
    /// What was shown opens none of its locks: a wrong passphrase, other words, another device.
    case notOpened
    /// An item is larger than a backup takes.
    case itemTooLarge
    /// The file could not be read or written; an errno.
    case file(Int32)
    case crypto(CryptoError)
}

/// The numbers of the format; `Docs/FileFormat.md` says what they are for.
enum BackupLimits {
    static let mark = Array("LLVBACK1".utf8)
    static let endMark = Array("LLVBEND1".utf8)
    static let largestHeader = 65_536
    static let chunk = 65_536
    static let mostStanzas = 16
    /// As large as a secret may be, and its attributes.
    static let largestRecord = 96 << 20
    static let cheapest: UInt8 = 15
    static let dearest: UInt8 = 20
}

/// Runs what only OpenSSL does.
func ciphering<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(BackupError) -> Result {
    do throws(CryptoError) { return try body() } catch { throw .crypto(error) }
}
