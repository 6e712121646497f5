// SPDX-License-Identifier: Apache-2.0

/// A P-256 key of an enclave's, as it is kept outside: the public half, and a blob that means nothing elsewhere.
package struct EnclaveKey: Sendable, Equatable {
    /// X9.63, uncompressed: 04, x, y.
    package let publicKey: [UInt8]
    package let blob: [UInt8]

    package init(publicKey: [UInt8], blob: [UInt8]) {
        self.publicKey = publicKey
        self.blob = blob
    }
}
