// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// What is sealed here and kept by somebody else: it opens in this keychain alone, as long as the keychain lives.
///
/// ```
/// "LLVO", 1, 32 random bytes, AES-256-GCM under a key of the index key and those bytes
/// ```
// It hangs on the index key, which no passcode and no new generation of class keys changes: what lies outside cannot be
// sealed anew. So whether its class is open, and what its access control demands, are checked when it is opened.
extension UnlockedKeybag {
    package func sealedForOutside(_ plain: SecretValue) throws(CryptoError) -> [UInt8] {
        let salt = try unsafe [UInt8](count: 32) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        let key = try outsideKey(salt)
        let gcm = try GCM()
        let head = OutsideSeal.head + salt
        return try unsafe head
            + [UInt8](count: plain.count + GCM.tagSize) { (output) throws(CryptoError) in
                try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                    try unsafe plain.withUnsafeBytes { (plain) throws(CryptoError) in
                        try unsafe head.lendingBytes { (head) throws(CryptoError) in
                            try unsafe gcm.seal(key: key, additional: head, plain: plain, into: output)
                        }
                    }
                }
            }
    }

    /// Throws `authenticationFailed` for what was not sealed in this keychain, or was changed.
    package func openedFromOutside(_ bytes: [UInt8]) throws(CryptoError) -> SecretValue {
        let headSize = OutsideSeal.head.count + OutsideSeal.saltSize
        guard bytes.count >= headSize + GCM.tagSize, bytes.starts(with: OutsideSeal.head) else {
            throw .authenticationFailed
        }
        let head = Array(bytes.prefix(headSize))
        let sealed = Array(bytes.dropFirst(headSize))
        let key = try outsideKey(Array(head.suffix(OutsideSeal.saltSize)))
        let gcm = try GCM()
        return try unsafe SecretValue(count: sealed.count - GCM.tagSize) { (output) throws(CryptoError) in
            try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
                try unsafe sealed.lendingBytes { (sealed) throws(CryptoError) in
                    try unsafe head.lendingBytes { (head) throws(CryptoError) in
                        try unsafe gcm.open(key: key, additional: head, sealed: sealed, into: output)
                    }
                }
            }
        }
    }

    private func outsideKey(_ salt: [UInt8]) throws(CryptoError) -> SecretBytes {
        try FactorKey.derived(from: indexKey, salt: salt, info: "llavero outside", header.keychain.bytes)
    }
}

private enum OutsideSeal {
    static let head = Array("LLVO".utf8) + [1]
    static let saltSize = 32
}
