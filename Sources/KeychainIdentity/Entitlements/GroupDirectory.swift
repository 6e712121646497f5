// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The groups of the system, by name and by number.
package struct GroupDirectory: Sendable {
    package struct Group: Sendable, Equatable {
        package let number: UInt32
        package let hasMembers: Bool

        package init(number: UInt32, hasMembers: Bool) {
            self.number = number
            self.hasMembers = hasMembers
        }
    }

    package let named: @Sendable (String) -> Group?
    package let numbered: @Sendable (UInt32) -> Group?

    package init(named: @escaping @Sendable (String) -> Group?, numbered: @escaping @Sendable (UInt32) -> Group?) {
        self.named = named
        self.numbered = numbered
    }

    /// What the system's name service says.
    package static let system = GroupDirectory(
        named: { name in
            unsafe look { (entry, bytes, room, found) in unsafe getgrnam_r(name, entry, bytes, room, found) }
        },
        numbered: { number in
            unsafe look { (entry, bytes, room, found) in unsafe getgrgid_r(number, entry, bytes, room, found) }
        })

    private typealias Lookup = (
        UnsafeMutablePointer<group>, UnsafeMutablePointer<CChar>, Int,
        UnsafeMutablePointer<UnsafeMutablePointer<group>?>
    ) -> Int32

    private static func look(_ call: Lookup) -> Group? {
        for size in [1 << 12, 1 << 16, 1 << 20] {
            var entry = unsafe group()
            var found: UnsafeMutablePointer<group>?
            var bytes = [CChar](repeating: 0, count: size)
            var result: Group?
            let failure = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
                guard let start = buffer.baseAddress else { return EINVAL }
                let failure = unsafe call(&entry, start, size, &found)
                if failure == 0, let found = unsafe found?.pointee {
                    // Its list of members lies in `buffer`.
                    let hasMembers = unsafe found.gr_mem.map { unsafe $0.pointee != nil } ?? false
                    result = Group(number: unsafe found.gr_gid, hasMembers: hasMembers)
                }
                return failure
            }
            if failure != ERANGE { return result }
        }
        return nil
    }
}
