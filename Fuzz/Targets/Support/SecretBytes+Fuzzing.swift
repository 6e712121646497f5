// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

extension SecretBytes {
    init(_ bytes: [UInt8]) { self = SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) } }

    init(_ text: String) { self.init(Array(text.utf8)) }

    /// What no program outside a test should do.
    var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
