// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainSystem

/// A secret on its way between a caller and the store, in ordinary memory, wiped when the last reference goes.
///
/// What a program asked for is the program's: unlike `SecretBytes` it survives a fork. Printing one shows nothing of it.
// Sendable: the bytes are written in an initialiser only, and wiped in deinit, when no other reference is left.
// Safe: `bytes` is unsafe to use, and says so where it is used; holding it is not.
@safe
package final class SecretValue: @unchecked Sendable {
    package let count: Int
    /// The first of `count` bytes, valid as long as this object; not to be written to.
    package let bytes: UnsafeRawPointer

    /// A secret that `fill` writes into `count` zeroed bytes.
    ///
    /// What `fill` throws is thrown, and nothing is kept.
    package init<Failure: Error>(
        count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a secret cannot have a negative size")
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        do throws(Failure) {
            try unsafe fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        } catch {
            unsafe llv_wipe(memory, count)
            unsafe memory.deallocate()
            throw error
        }
        // Last: were the object complete earlier, deinit would run on a throw and free the memory a second time.
        self.count = count
        unsafe bytes = UnsafeRawPointer(memory)
    }

    /// A secret of the same bytes.
    ///
    /// The caller still has to wipe its own.
    package init(copying source: UnsafeRawBufferPointer) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: source.count, alignment: 16)
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: source.count).copyMemory(from: source)
        count = source.count
        unsafe bytes = UnsafeRawPointer(memory)
    }

    /// A secret of the same bytes, out of locked memory.
    package convenience init(copying secret: borrowing SecretBytes) {
        unsafe self.init(count: secret.count) { output in
            unsafe secret.withUnsafeBytes { bytes in unsafe output.copyMemory(from: bytes) }
        }
    }

    /// A value of bytes that are no secret where they are now.
    package convenience init(copying bytes: [UInt8]) {
        unsafe self.init(count: bytes.count) { output in unsafe output.copyBytes(from: bytes) }
    }

    deinit {
        let memory = unsafe UnsafeMutableRawPointer(mutating: bytes)
        unsafe llv_wipe(memory, count)
        unsafe memory.deallocate()
    }

    /// Lends the bytes to `body`.
    @inlinable
    package func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Compares in a time that depends on the sizes alone.
    package func isEqualInConstantTime(to other: SecretValue) -> Bool {
        guard count == other.count else { return false }
        return unsafe llv_is_equal_in_constant_time(bytes, other.bytes, count)
    }

    /// Its bytes in hexadecimal digits.
    package func hexadecimal(uppercase: Bool = false) -> SecretValue {
        unsafe SecretValue(count: 2 * count) { output in
            unsafe withUnsafeBytes { unsafe Hexadecimal.encode($0, into: output, uppercase: uppercase) }
        }
    }

    /// Its bytes in base64, in one line.
    package func base64() -> SecretValue {
        unsafe SecretValue(count: Base64.encodedCount(count)) { output in
            unsafe withUnsafeBytes { unsafe Base64.encode($0, into: output) }
        }
    }

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

    /// Whether it is UTF-8.
    package var isText: Bool { unsafe withUnsafeBytes { unsafe $0.isUTF8 } }
}

extension SecretValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SecretValue(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension UnsafeRawBufferPointer {
    /// Whether all of it is UTF-8; of a secret no text is made to find that out.
    package var isUTF8: Bool {
        var decoder = UTF8()
        var iterator = unsafe makeIterator()
        while true {
            switch unsafe decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
