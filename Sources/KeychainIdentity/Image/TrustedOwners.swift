// SPDX-License-Identifier: Apache-2.0

/// The users whose files are relied on: root alone, except in tests.
package struct TrustedOwners: Sendable, Equatable {
    package let users: Set<UInt32>

    package init(_ users: Set<UInt32>) { self.users = users }

    package static let root = TrustedOwners([0])

    /// Whether nobody else can change the file, or the names in the folder.
    ///
    /// The bits of the group are the greatest that an access list grants anybody, so they cover those lists too. A folder
    /// like /tmp is refused although its sticky bit protects names that are there: it does not protect those to come.
    package func guards(_ facts: FileFacts) -> Bool {
        users.contains(facts.owner) && facts.permissions & 0o022 == 0
    }
}
