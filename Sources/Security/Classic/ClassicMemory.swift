// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// What the classic functions hand out: memory from `malloc`, which the caller gives back, and which is wiped then.
///
/// It is the caller's: it is not locked, and a caller that forgets it leaves a secret in memory.
enum ClassicMemory {
    static func copy(_ bytes: UnsafeRawBufferPointer) throws(KeychainError) -> UnsafeMutableRawPointer {
        // Never nothing: a password that is empty is there too.
        guard let memory = unsafe malloc(max(bytes.count, 1)) else {
            throw KeychainError(.outOfMemory, "there is no memory for the result")
        }
        if let start = bytes.baseAddress { unsafe memory.copyMemory(from: start, byteCount: bytes.count) }
        return unsafe memory
    }

    static func copy(_ bytes: [UInt8]) throws(KeychainError) -> UnsafeMutableRawPointer {
        guard let memory = unsafe malloc(max(bytes.count, 1)) else {
            throw KeychainError(.outOfMemory, "there is no memory for the result")
        }
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
        return unsafe memory
    }

    /// Wipes and gives back; nil is nothing.
    static func free(_ memory: UnsafeMutableRawPointer?) { unsafe LentMemory.wipeAndFree(memory) }

    /// The bytes of a parameter; none where the length is zero.
    static func input(_ start: UnsafeRawPointer?, _ count: UInt32) throws(KeychainError) -> UnsafeRawBufferPointer {
        guard count > 0 else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        guard let start = unsafe start else { throw KeychainError(.parameter, "a length is given, and no bytes") }
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
    }

    /// The text of a parameter, in UTF-8; nil where there are neither bytes nor a length.
    static func text(_ start: UnsafePointer<CChar>?, _ count: UInt32) throws(KeychainError) -> String? {
        if unsafe start == nil, count == 0 { return nil }
        let bytes = try unsafe input(start, count)
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
            throw KeychainError(.parameter, "the text is not UTF-8")
        }
        return text
    }

    /// A secret that is given as a parameter, as an object of the dictionaries.
    static func secret(_ start: UnsafeRawPointer?, _ count: UInt32) throws(KeychainError) -> SecretData {
        SecretData(unsafe SecretValue(copying: try unsafe input(start, count)))
    }
}
