// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The key from which every class key hangs, and what tells it from others of its kind.
package struct DeviceRoot: ~Copyable, Sendable {
    package let key: SecretBytes
    /// Recorded in the keybag and compared on every open; says nothing about the key.
    package let binding: [UInt8]

    package init(key: consuming SecretBytes, binding: [UInt8]) {
        self.key = key
        self.binding = binding
    }
}
