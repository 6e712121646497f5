// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The pointers and lengths of the older functions.
enum RawBuffer {
    static func input(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws(KeychainError) -> UnsafeRawBufferPointer {
        guard count >= 0 else { throw KeychainError(.parameter, "a length is negative") }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// Copies a result to the caller, all of it or nothing.
    static func write(
        _ result: UnsafeRawBufferPointer, _ output: UnsafeMutablePointer<UInt8>, _ room: UnsafeMutablePointer<Int>
    ) throws(KeychainError) {
        guard unsafe room.pointee >= result.count else {
            throw KeychainError(.parameter, "there is not enough room for the result")
        }
        unsafe UnsafeMutableRawBufferPointer(start: output, count: result.count).copyMemory(from: result)
        unsafe room.pointee = result.count
    }
}
