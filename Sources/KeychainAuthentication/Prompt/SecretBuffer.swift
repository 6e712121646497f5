// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainModel

/// Locked memory that a secret arrives in, byte by byte; wiped when it ends.
struct SecretBuffer: ~Copyable {
    let capacity: Int
    private(set) var count = 0
    private let slot: SecretArena.Slot

    init(capacity: Int) {
        self.capacity = capacity
        slot = SecretArena.shared.allocate(capacity)
    }

    deinit { SecretArena.shared.free(slot, count: capacity) }

    /// What has arrived.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: slot.start, count: count) }

    /// The same, as a secret of its own.
    var secret: SecretBytes { unsafe SecretBytes(copying: bytes) }

    /// Adds a byte; false, and nothing is added, when there is no room.
    mutating func append(_ byte: UInt8) -> Bool {
        guard count < capacity else { return false }
        unsafe slot.start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
        return true
    }

    /// Lets `fill` write to the free room, and adds as many bytes as it says it has written, if any.
    mutating func append(filling fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        let room = unsafe UnsafeMutableRawBufferPointer(start: slot.start + count, count: capacity - count)
        let written = unsafe fill(room)
        count += max(0, min(written, room.count))
        return written
    }

    /// Takes the first bytes away.
    mutating func removeFirst(_ number: Int) {
        let left = count - number
        unsafe slot.start.copyMemory(from: slot.start + number, byteCount: left)
        truncate(to: left)
    }

    /// Takes away and wipes all but the first bytes.
    mutating func truncate(to number: Int) {
        unsafe llv_wipe(slot.start + number, count - number)
        count = number
    }
}
