// SPDX-License-Identifier: Apache-2.0

/// Where a secret is written byte by byte, into memory that is wiped.
// Safe: never written past its end, and lent only for the time of the call that has the memory.
@safe
internal struct SecretOutput {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    /// Whether more was to be written than fits.
    private(set) var isFull = false

    internal init(_ memory: UnsafeMutableRawBufferPointer) { unsafe self.memory = memory }

    internal mutating func append(_ byte: UInt8) {
        guard unsafe count < memory.count else {
            isFull = true
            return
        }
        unsafe memory[count] = byte
        count += 1
    }

    internal mutating func append(_ source: ImportedBytes, _ range: Range<Int>) {
        for index in range { if let byte = source[index] { append(byte) } }
    }

    /// Writes once more what was written so many bytes ago; false when that is before the beginning.
    internal mutating func `repeat`(_ length: Int, from distance: Int) -> Bool {
        guard distance > 0, distance <= count else { return false }
        for _ in 0..<length {
            guard !isFull else { return false }
            append(unsafe memory[count - distance])
        }
        return true
    }
}

@available(*, unavailable)
extension SecretOutput: Sendable {}
