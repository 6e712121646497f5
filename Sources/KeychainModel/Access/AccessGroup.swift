// SPDX-License-Identifier: Apache-2.0

/// The name of an access group: never empty, never containing NUL.
package struct AccessGroup: Hashable, Sendable {
    package let name: String

    package init?(_ name: String) {
        guard !name.isEmpty, !name.contains(byte: 0) else { return nil }
        self.name = name
    }

    /// Names are equal when their bytes are, as they are to the database.
    package static func == (left: AccessGroup, right: AccessGroup) -> Bool {
        left.name.hasSameBytes(as: right.name)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
    }

    private init(literal: StaticString) { name = literal.description }

    /// The group of items that come from hardware tokens; no program writes to it.
    package static let token = AccessGroup(literal: "com.apple.token")
    /// The one group of programs that declare nothing.
    package static let open = AccessGroup(literal: "llavero.open")
    /// The group of what people keep with the command line tools, and of what git and docker store for them.
    package static let passwords = AccessGroup(literal: "llavero.passwords")
    /// The group of what programs keep by the Secret Service, all of them together.
    package static let secretService = AccessGroup(literal: "llavero.secret-service")
    /// The group of what a keychain keeps of the circle that it shares items with; none of it leaves the device.
    package static let sync = AccessGroup(literal: "llavero.sync")
    /// The push service's group, whose items are readable always.
    package static let pushService = AccessGroup(literal: "com.apple.apsd")
}
