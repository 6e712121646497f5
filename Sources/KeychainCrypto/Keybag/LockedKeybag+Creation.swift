// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainEnclave
package import KeychainModel

extension LockedKeybag {
    /// A new keychain's keybag: fresh keys for every class, hanging on the device root alone until there is a passcode.
    ///
    /// The keys are made here, once; nothing makes one later because it seems to be missing.
    package static func create(
        keychain: KeychainUUID, enclave: EnclaveKind, root: borrowing DeviceRoot
    ) throws(KeybagError) -> LockedKeybag {
        let header = KeybagHeader(
            keychain: keychain, generation: 1, enclave: enclave, enclaveBinding: root.binding, passcode: nil,
            eraseAfterAttempts: 0, rollbackCounter: 0)
        let contents = [Content.indexKey] + Accessibility.allCases.map(Content.classKeys)
        let headerBytes: [UInt8]
        do { headerBytes = try header.encoded() } catch { throw .damaged }
        var records: [Record] = []
        do throws(CryptoError) {
            for content in contents {
                let key = try unsafe SecretBytes(count: content.byteCount) { (buffer) throws(CryptoError) in
                    try unsafe fillRandom(buffer)
                }
                let wrap = try wrappingKey(root: root.key, headerBytes: headerBytes, slot: .device, content: content)
                records.append(Record(slot: .device, content: content, wrapped: try wrap.wrapped(key)))
            }
        } catch { throw .crypto(error) }
        return try LockedKeybag(header: header, records: records)
    }

    /// The key that wraps one record: bound to the header, the slot and the content, so that no record can be moved.
    static func wrappingKey(
        root: borrowing SecretBytes, headerBytes: [UInt8], slot: Slot, content: Content
    ) throws(CryptoError) -> KeyWrap {
        let salt = try unsafe headerBytes.lendingBytes { (bytes) throws(CryptoError) in
            try unsafe Digest.sha256(bytes)
        }
        let info = Array("llavero keybag".utf8) + [1, slot.rawValue, content.number]
        let key = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in
            try unsafe root.withUnsafeBytes { (root) throws(CryptoError) in
                try unsafe KeyDerivation.hkdf(secret: root, salt: salt, info: info, into: buffer)
            }
        }
        return try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyWrap(key: key) }
    }
}

extension KeyWrap {
    func wrapped(_ key: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
        try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in
            try unsafe [UInt8](count: key.count + KeyWrap.overhead) { (output) throws(CryptoError) in
                try unsafe wrap(key, into: output)
            }
        }
    }

    func unwrapped(_ wrapped: [UInt8]) throws(CryptoError) -> SecretBytes {
        try unsafe SecretBytes(count: wrapped.count - KeyWrap.overhead) { (buffer) throws(CryptoError) in
            try unsafe wrapped.lendingBytes { (wrapped) throws(CryptoError) in
                try unsafe unwrap(wrapped, into: buffer)
            }
        }
    }
}
