// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Why an item could not be sealed or opened.
package enum SealingError: Error, Sendable, Equatable {
    /// The class is locked.
    case classUnavailable(Accessibility)
    /// The class needs a passcode and none is set.
    case noPasscode
    /// The keybag has lost the key that new items of the class are sealed with.
    case classKeyMissing(Accessibility)
    /// Sealed by later software, or under a generation this keybag does not have yet.
    case unknownVersion
    /// Bytes that are no sealed item, or that do not belong to this row.
    case undecodable
    /// The attributes cannot be written: a date or number nobody can store.
    case unencodable
    case crypto(CryptoError)
}
