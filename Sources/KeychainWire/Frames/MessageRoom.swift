// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// How many bytes of large messages are kept at a time, over all connections together.
///
/// Small ones always find room: of those each connection has one. Whoever fills it with large ones keeps nobody from the
/// rest.
package final class MessageRoom: Sendable {
    private let free: ForkSafeMutex<Int>

    package init(bytes: Int) { free = ForkSafeMutex(bytes) }

    /// Room for a message of so many bytes; nil when there is none.
    package func place(for bytes: Int) -> Place? {
        guard bytes > MessageRoom.small else { return Place(self, bytes: 0) }
        let isFree = free.withLock { free in
            guard bytes <= free else { return false }
            free -= bytes
            return true
        }
        return isFree ? Place(self, bytes: bytes) : nil
    }

    /// One message's, for as long as somebody has it.
    package final class Place: Sendable {
        private let room: MessageRoom
        private let bytes: Int

        fileprivate init(_ room: MessageRoom, bytes: Int) {
            self.room = room
            self.bytes = bytes
        }

        deinit { if bytes > 0 { room.free.withLock { $0 += bytes } } }
    }

    /// More than nearly every message has.
    private static let small = 1 << 20
}
