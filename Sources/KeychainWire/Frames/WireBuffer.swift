// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Bytes of a message of which not all are here: they may be secrets, so they are wiped wherever they were.
///
/// It grows with what comes, not with what was announced. When there is no room for more, it keeps nothing and only counts.
// Sendable: the one assembler that made it has the only reference, and an assembler cannot be copied.
@safe
final class WireBuffer: @unchecked Sendable {
    // Safe: `count` bytes of `capacity` are written, and nothing outside is touched.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    let total: Int
    /// What the message takes of the room there is; nil when it takes none, or there was no more.
    private(set) var place: MessageRoom.Place?
    /// Whether there was no room, and nothing is kept.
    private(set) var isGivenUp = false

    /// Room for a message of `total` bytes, to be.
    init(total: Int, in share: MessageRoom.Share?) {
        place = share?.place(for: 0)
        self.total = total
        capacity = min(total, 2 * WireFrame.largestContent)
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { release() }

    /// Appends what is not more than still belongs to the message.
    func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= total - count, "a packet has more than its message")
        if place?.grow(to: count + bytes.count) == false { giveUp() }
        guard !isGivenUp else {
            count += bytes.count
            return
        }
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

    private func giveUp() {
        release()
        unsafe memory = .allocate(byteCount: 1, alignment: 16)
        (capacity, place, isGivenUp) = (0, nil, true)
    }

    private func release() {
        unsafe llv_wipe(memory, min(count, capacity))
        unsafe memory.deallocate()
    }
}
