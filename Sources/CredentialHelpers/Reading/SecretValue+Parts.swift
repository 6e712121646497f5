// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension SecretValue {
    /// All of them, one after the other.
    package static func joined(_ parts: [SecretValue]) -> SecretValue {
        unsafe SecretValue(count: parts.reduce(0) { $0 + $1.count }) { output in
            var place = 0
            for part in parts {
                unsafe part.withUnsafeBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[place..<(place + bytes.count)])
                        .copyMemory(from: bytes)
                }
                place += part.count
            }
        }
    }

    /// Text that is no secret.
    package convenience init(text: String) { self.init(copying: Array(text.utf8)) }

    /// What is no secret, as text; nil where it is not UTF-8 or has a NUL.
    package var text: String? {
        let text = unsafe withUnsafeBytes { bytes in unsafe String(validating: bytes, as: UTF8.self) }
        return text.flatMap { $0.contains(byte: 0) ? nil : $0 }
    }

    package func byte(at index: Int) -> UInt8? {
        index < count ? unsafe bytes.load(fromByteOffset: index, as: UInt8.self) : nil
    }

    /// A value of bytes that `write` emits; it is called twice, the first time to count them.
    package static func emitting<Failure: Error>(
        _ write: (_ emit: (UInt8) -> Void) throws(Failure) -> Void
    ) throws(Failure) -> SecretValue {
        var count = 0
        try write { _ in count += 1 }
        return try unsafe SecretValue(count: count) { (output) throws(Failure) in
            var place = 0
            try write { byte in
                unsafe output[place] = byte
                place += 1
            }
        }
    }
}
