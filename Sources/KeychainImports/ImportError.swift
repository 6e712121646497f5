// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto

/// Why nothing at all could be read.
///
/// It never carries data.
package enum ImportError: Error, Equatable, Sendable {
    /// It cannot be opened or read; with the system's number.
    case unreadable(errno: Int32)
    /// It is neither a file nor, where one is read, a folder.
    case notAFile
    /// It is not of the format it was said to be.
    case notThisFormat
    /// It is of a version, or sealed in a way, that nobody here knows.
    case unknownVersion
    /// More bytes, lines or items than a store of passwords has.
    case tooLarge
    /// Folders, groups or elements lie deeper in one another than a store of passwords has them.
    case tooDeep
    case passwordNeeded
    /// The password is another, or the file is damaged: one cannot tell which.
    case wrongPassword
    /// It ends too soon, or contradicts itself.
    case damaged
    /// There is no such program as gpg, or it cannot be started; with the system's number.
    case noGPG(errno: Int32)
    /// gpg did not end in time.
    case gpgHangs
    case crypto(CryptoError)
}
