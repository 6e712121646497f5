// SPDX-License-Identifier: Apache-2.0

/// The 16 random bytes that tell one keychain from every other; everything sealed in it is bound to them.
package struct KeychainUUID: Sendable, Hashable {
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }
}
