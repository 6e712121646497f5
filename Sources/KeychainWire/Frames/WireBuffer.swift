// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Bytes of a message of which not all are here: they may be secrets, so they are wiped wherever they were.
///
/// It grows with what comes, not with what was announced.
// Sendable: the one assembler that made it has the only reference, and an assembler cannot be copied.
@safe
final class WireBuffer: @unchecked Sendable {
    // Safe: `count` bytes of `capacity` are written, and nothing outside is touched.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    let total: Int
    let place: MessageRoom.Place?

    /// Room for a message of `total` bytes, to be.
    init(total: Int, in place: MessageRoom.Place?) {
        self.place = place
        self.total = total
        capacity = min(total, 2 * WireFrame.largestContent)
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { release() }

    /// Appends what is not more than still belongs to the message.
    func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= total - count, "a packet has more than its message")
        if capacity - count < bytes.count { grow(to: min(total, max(2 * capacity, count + bytes.count))) }
        unsafe UnsafeMutableRawBufferPointer(start: memory + count, count: bytes.count).copyMemory(from: bytes)
        count += bytes.count
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    private func grow(to newCapacity: Int) {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
        unsafe larger.copyMemory(from: memory, byteCount: count)
        release()
        unsafe memory = larger
        capacity = newCapacity
    }

    private func release() {
        unsafe llv_wipe(memory, count)
        unsafe memory.deallocate()
    }
}
