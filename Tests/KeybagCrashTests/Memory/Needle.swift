// SPDX-License-Identifier: Apache-2.0

/// Bytes to be searched for, with a name to tell what was found without showing it.
struct Needle: Sendable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The first sixteen bytes and the last.
    ///
    /// A cipher's schedule for encrypting begins with the key, one for decrypting ends with the key's first half; and what
    /// was freed without being wiped has lost its first sixteen bytes to the heap.
    var parts: [[UInt8]] { [Array(bytes.prefix(16)), Array(bytes.suffix(16))] }
}
