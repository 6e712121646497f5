// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Where the key of this device lives: what a copied keychain folder lacks.
package protocol Enclave: Sendable {
    /// What the keybag records, so that another kind is never taken silently.
    var kind: EnclaveKind { get }
    /// Fetches the device root. The caller uses it and lets it go at once.
    func deviceRoot() throws(EnclaveError) -> DeviceRoot
}

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

package enum EnclaveKind: UInt8, Sendable {
    case software = 1
    case tpm = 2
}

/// Why an enclave gave nothing.
package enum EnclaveError: Error, Sendable, Equatable {
    /// The key is not where it was; a copied folder looks like this.
    case missing
    /// The key is there and cannot be read; the number is errno.
    case unreadable(Int32)
    /// Both copies of the key are damaged.
    case damaged
    /// Others than the owner can read or replace the key.
    case exposed
    /// A number of the layer below.
    case failed(Int64)
}
