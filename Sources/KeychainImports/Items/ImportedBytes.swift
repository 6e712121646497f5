// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// Bytes of another store, a whole file or one secret out of it: wiped when nobody needs them any more.
///
/// Looked at through indices, of which none is out of bounds: where nothing is, there is nil.
package final class ImportedBytes: ByteSource, Sendable {
    package let bytes: SecretBytes
    package var count: Int { bytes.count }

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// What `write` puts out, at most `capacity` bytes; nil when it returns false or wants to write more.
    internal init?(capacity: Int, writing write: (inout SecretOutput) -> Bool) {
        var used: Int?
        let room = unsafe SecretBytes(count: capacity) { buffer in
            var output = unsafe SecretOutput(buffer)
            used = write(&output) && !output.isFull ? output.count : nil
        }
        guard let used else { return nil }
        bytes = unsafe room.withUnsafeBytes { room in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: room[..<used]))
        }
    }

    internal convenience init(_ text: String) {
        self.init(unsafe SecretBytes(count: text.utf8.count) { unsafe $0.copyBytes(from: text.utf8) })
    }

    internal var all: Range<Int> { 0..<count }

    package subscript(index: Int) -> UInt8? {
        unsafe bytes.withUnsafeBytes { bytes in
            index >= 0 && index < bytes.count ? unsafe bytes[index] : nil
        }
    }

    /// A copy of a part; what is out of bounds is left out.
    internal func part(_ range: Range<Int>) -> ImportedBytes {
        ImportedBytes(
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe SecretBytes(
                    copying: UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)]))
            })
    }

    internal func index(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            for index in range.clamped(to: 0..<bytes.count) where unsafe bytes[index] == byte { return index }
            return nil
        }
    }

    /// Whether all of it is text, secret or not.
    internal var isUTF8: Bool { unsafe bytes.withUnsafeBytes { unsafe $0.isUTF8 } }

    internal func has(_ text: String, at start: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            guard start >= 0, start <= bytes.count, text.utf8.count <= bytes.count - start else { return false }
            var index = start
            for byte in text.utf8 {
                guard unsafe bytes[index] == byte else { return false }
                index += 1
            }
            return true
        }
    }

    /// The text of a part that is no secret; nil when it is no UTF-8, holds a NUL, or is longer than names are.
    internal func text(_ range: Range<Int>) -> String? {
        guard range.count <= ImportLimits.longestText else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
            guard unsafe !part.contains(0) else { return nil }
            return unsafe String(validating: part, as: UTF8.self)
        }
    }

    /// All of it as text, of what is no secret.
    internal var text: String? { text(all) }
}

extension ImportedBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "ImportedBytes(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
