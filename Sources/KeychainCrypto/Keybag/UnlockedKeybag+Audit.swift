// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension UnlockedKeybag {
    /// What a log about this keychain is chained under.
    ///
    /// It hangs on the index key, which stays the same whatever becomes of passcode, class keys, enclave and recovery key,
    /// so that an old log can still be checked after any of them.
    package func auditKey() throws(CryptoError) -> SecretBytes {
        try FactorKey.derived(from: indexKey, salt: header.keychain.bytes, info: "llavero audit")
    }
}
