// SPDX-License-Identifier: Apache-2.0

/// Where the person is whom a program asks through a daemon: a display, a terminal, a language.
package struct Seat: Sendable, Hashable {
    /// What the program's environment says of the display and the language; of `names` only.
    package let variables: [Variable]
    /// Who the daemon knows to ask; the terminal of a program is what the kernel says of it.
    package var asker: Asker?

    package struct Asker: Sendable, Hashable {
        package let process: Int32
        package let user: UInt32

        package init(process: Int32, user: UInt32) {
            self.process = process
            self.user = user
        }
    }

    package struct Variable: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// nil when a variable is none of those, is there twice, or is longer than any.
    package init?(_ variables: [Variable]) {
        guard Set(variables.map(\.name)).count == variables.count,
            variables.allSatisfy({ Seat.names.contains($0.name) && $0.value.utf8.count <= Seat.longestValue })
        else { return nil }
        self.variables = variables
    }

    /// Nothing that chooses a program, a library or a file of settings: the daemon's own surroundings do that.
    package static let names = [
        "TERM", "NO_COLOR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP",
        "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
    ]

    package static let longestValue = 4096
}
