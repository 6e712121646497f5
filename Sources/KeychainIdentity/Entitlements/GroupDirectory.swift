// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// The groups of the system, by name and by number.
package struct GroupDirectory: Sendable {
    package struct Group: Sendable, Equatable {
        package let number: UInt32
        /// Whether it has members, as far as that can be listed: by the group's own list, or as a user's first group.
        package let hasMembers: Bool

        package init(number: UInt32, hasMembers: Bool) {
            self.number = number
            self.hasMembers = hasMembers
        }
    }

    package let named: @Sendable (String) -> Group?
    package let numbered: @Sendable (UInt32) -> Group?
    /// Whether a user is in a group, as the first one or another; nil when that cannot be found out.
    package let includes: @Sendable (_ user: UInt32, _ group: UInt32) -> Bool?

    package init(
        named: @escaping @Sendable (String) -> Group?, numbered: @escaping @Sendable (UInt32) -> Group?,
        includes: @escaping @Sendable (_ user: UInt32, _ group: UInt32) -> Bool? = { _, _ in false }
    ) {
        self.named = named
        self.numbered = numbered
        self.includes = includes
    }

    /// What the system's name service says.
    package static let system = GroupDirectory(
        named: { name in
            unsafe look { (entry, bytes, room, found) in unsafe getgrnam_r(name, entry, bytes, room, found) }
        },
        numbered: { number in
            // A number without a name can also be a user's first group.
            unsafe look { (entry, bytes, room, found) in unsafe getgrgid_r(number, entry, bytes, room, found) }
                ?? Group(number: number, hasMembers: isFirstGroup(number))
        },
        includes: { user, group in SystemUser.isIn(group, user) })

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
                    let isListed = unsafe found.gr_mem.map { unsafe $0.pointee != nil } ?? false
                    result = Group(
                        number: unsafe found.gr_gid, hasMembers: isListed || isFirstGroup(unsafe found.gr_gid))
                }
                return failure
            }
            if failure != ERANGE { return result }
        }
        return nil
    }

    /// Whether a user that can be listed has it as the first group; the group's own list does not name that user.
    private static func isFirstGroup(_ group: UInt32) -> Bool {
        // The C library has one place in the list for the whole process.
        listing.withLock { _ in
            setpwent()
            defer { endpwent() }
            while let user = unsafe getpwent() {
                if unsafe user.pointee.pw_gid == group { return true }
            }
            return false
        }
    }

    private static let listing = ForkSafeMutex(())
}

/// The groups of one user of the system, whether or not its users can be listed.
private enum SystemUser {
    static func isIn(_ group: UInt32, _ user: UInt32) -> Bool? {
        for size in [1 << 12, 1 << 16, 1 << 20] {
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            var bytes = [CChar](repeating: 0, count: size)
            var result: Bool?
            let failure = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
                guard let start = buffer.baseAddress else { return EINVAL }
                let failure = unsafe getpwuid_r(user, &entry, start, size, &found)
                guard failure == 0 else { return failure }
                guard let found = unsafe found?.pointee else {
                    // Who has no name is in no list.
                    result = false
                    return 0
                }
                // Its name lies in `buffer`.
                result = unsafe found.pw_gid == group ? true : isListed(found.pw_name, found.pw_gid, in: group)
                return 0
            }
            if failure != ERANGE { return result }
        }
        return nil
    }

    private static func isListed(_ name: UnsafeMutablePointer<CChar>?, _ first: gid_t, in group: UInt32) -> Bool? {
        guard let name = unsafe name else { return nil }
        var groups = [gid_t](repeating: 0, count: mostGroups)
        var count = Int32(mostGroups)
        guard unsafe getgrouplist(name, first, &groups, &count) >= 0 else { return nil }
        return groups.prefix(Int(count)).contains(group)
    }

    /// As many as the kernel gives a process (NGROUPS_MAX).
    private static let mostGroups = 65_536
}
