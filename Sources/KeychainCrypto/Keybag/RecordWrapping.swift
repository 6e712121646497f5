// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Makes the key that wraps one record: bound to the header, the slot and the content, so that no record can be moved,
/// and a header cannot be changed under its records.
struct RecordWrapping {
    private let headerDigest: [UInt8]
    private let version: KeybagHeader.Version

    init(headerBytes: [UInt8], version: KeybagHeader.Version) throws(CryptoError) {
        headerDigest = try unsafe headerBytes.lendingBytes { (bytes) throws(CryptoError) in
            try unsafe Digest.sha256(bytes)
        }
        self.version = version
    }

    /// The wrap of one record below a secret; `point` belongs to the recovery slot alone.
    func wrap(
        under secret: borrowing SecretBytes, slot: LockedKeybag.Slot, content: LockedKeybag.Content,
        point: [UInt8] = []
    ) throws(CryptoError) -> KeyWrap {
        var info = Array("llavero keybag".utf8) + [UInt8(version.rawValue), slot.rawValue, content.number]
        if version != .first {
            if case .classKeys(let name) = content {
                info += (0..<4).map { UInt8(truncatingIfNeeded: name.generation >> (24 - 8 * UInt32($0))) }
                info += name.id.bytes
            }
            if case .passcodeFactor(let index) = content { info.append(index) }
            info += point
        }
        let key = try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in
            try unsafe secret.withUnsafeBytes { (secret) throws(CryptoError) in
                try unsafe KeyDerivation.hkdf(secret: secret, salt: headerDigest, info: info, into: buffer)
            }
        }
        return try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyWrap(key: key) }
    }

    /// What the gate slot hangs on: device root, gate secret and passcode, of which none alone helps.
    static func gateSecret(
        root: borrowing SecretBytes, gate: borrowing SecretBytes, passcode: borrowing StretchedPasscode
    ) -> SecretBytes {
        joined(joined(root, gate), passcode.wrappingKey)
    }

    private static func joined(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        unsafe SecretBytes(count: first.count + second.count) { buffer in
            unsafe first.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            unsafe second.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[first.count...]).copyMemory(from: $0)
            }
        }
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
