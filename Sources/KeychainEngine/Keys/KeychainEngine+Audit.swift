// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel
internal import KeychainStore

extension KeychainEngine {
    /// The key of the log about this keychain: 32 bytes, the same in every lock state and for as long as it exists.
    package func auditKey() throws(KeychainError) -> SecretBytes {
        let keys = try keybag().keys
        do throws(CryptoError) { return try keys.auditKey() } catch { throw KeychainError(error) }
    }
}
