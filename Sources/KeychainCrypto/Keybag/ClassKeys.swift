// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The two keys of one protection class in one generation: one for attributes, one for secrets.
///
/// Whoever holds the object can use the keys; when the last holder lets go they are wiped.
package final class ClassKeys: Sendable {
    package let accessibility: Accessibility
    package let generation: UInt32
    let secretKey: SecretBytes
    let metadataKey: SecretBytes

    init(accessibility: Accessibility, generation: UInt32, both: borrowing SecretBytes) {
        self.accessibility = accessibility
        self.generation = generation
        secretKey = unsafe both.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[0..<32]))
        }
        metadataKey = unsafe both.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[32..<64]))
        }
    }
}
