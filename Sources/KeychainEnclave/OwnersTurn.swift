// SPDX-License-Identifier: Apache-2.0

/// Proof that nobody else changes the keychain's enclave or keybag meanwhile: the lock on the folder's `owner` file is
/// held, or, in memory, a mutex.
///
/// Who holds one may make and destroy gates, count attempts and change the keybag.
package struct OwnersTurn: ~Copyable {
    /// For whoever holds the lock, and nobody else.
    package init(uncheckedHoldingOwnerLock: Void) {}
}
