// SPDX-License-Identifier: Apache-2.0

internal import CPeer

/// The namespace of users that this program runs in: the system's, or one that `unshare`, a sandbox or a container made.
package enum UserNamespace {
    /// Whether it is one where the users of the system have no numbers, or others; false where /proc does not tell.
    package static var isOfItsOwn: Bool {
        guard let first = map.first else { return false }
        return first != UserNumbers(inside: 0, outside: 0, count: UInt32.max)
    }

    /// The number that a user of this namespace has outside; nil where that is not known.
    package static func outside(_ user: UInt32) -> UInt32? {
        for range in map where user >= range.inside && user - range.inside < range.count {
            let (outside, isTooLarge) = range.outside.addingReportingOverflow(user - range.inside)
            return isTooLarge ? nil : outside
        }
        return nil
    }

    private struct UserNumbers: Equatable {
        let inside: UInt32
        let outside: UInt32
        let count: UInt32
    }

    /// Three numbers a line; of as many lines as users of desktops and containers have.
    private static var map: [UserNumbers] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe llv_peer_read_file_at("/proc/self/uid_map", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return [] }
        return bytes.prefix(Int(count)).split(separator: UInt8(ascii: "\n")).compactMap { line in
            let numbers = line.split(separator: UInt8(ascii: " ")).map { UInt32(String(decoding: $0, as: UTF8.self)) }
            guard numbers.count == 3, let inside = numbers[0], let outside = numbers[1], let count = numbers[2] else {
                return nil
            }
            return UserNumbers(inside: inside, outside: outside, count: count)
        }
    }
}
