// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The two keys of one protection class in one generation: one for attributes, one for secrets.
///
/// A holder of the object can use the keys; when the last holder lets go they are wiped.
package final class ClassKeys: Sendable {
    package let name: ClassKeyName
    let secretKey: SecretBytes
    let metadataKey: SecretBytes

    package var accessibility: Accessibility { name.accessibility }
    package var generation: UInt32 { name.generation }

    init(_ name: ClassKeyName, both: borrowing SecretBytes) {
        self.name = name
        secretKey = unsafe both.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[0..<32]))
        }
        metadataKey = unsafe both.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[32..<64]))
        }
    }

    /// Draws the keys of a class.
    ///
    /// Called when a keychain is made, for a new generation, and when a passcode is set; never because a key seems to be missing.
    static func fresh(_ accessibility: Accessibility, generation: UInt32) throws(CryptoError) -> ClassKeys {
        let both = try unsafe SecretBytes(count: 64) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        return ClassKeys(
            ClassKeyName(accessibility: accessibility, generation: generation, id: try KeyID.fresh()), both: both)
    }
}

/// Which keys: a class, a generation, and a random name that no other keys ever have.
package struct ClassKeyName: Sendable, Hashable {
    package let accessibility: Accessibility
    package let generation: UInt32
    package let id: KeyID
}

/// Sixteen random bytes that name a pair of class keys; they say nothing about the keys.
package struct KeyID: Sendable, Hashable {
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    static func fresh() throws(CryptoError) -> KeyID {
        KeyID(
            unchecked: try unsafe [UInt8](count: 16) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) })
    }
}
