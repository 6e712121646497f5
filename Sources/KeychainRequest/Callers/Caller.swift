// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The program that asks: its rights, what people know it by, and where they are.
package struct Caller: Sendable {
    /// Its access groups in order; the first is where its items go.
    package let groups: [AccessGroup]
    /// Whether it may see every group; the wildcard itself is not among `groups`.
    package let seesEveryGroup: Bool
    /// Whether it may change what the keys hang on without showing the passcode: it could read the files itself.
    package let administersKeys: Bool
    /// Whether it is Llavero's own synchronisation, which takes and gives items of every group.
    package var synchronizes = false
    /// The path of its file, which a person who is asked for it sees; no right hangs on it.
    package let program: String?
    /// What a daemon knows of it, and why that gives it no more; said to it where it has no group.
    package var lack: String?
    /// Why a daemon does not let it manage keys, though a file says that it may.
    package var lackOfAdministration: String?
    /// Groups that a daemon would have given it, had no file reserved them for other programs, and what to say to it of each.
    package var reservations: [AccessGroup: String] = [:]
    /// Where its person is; nil for a program that asks in its own surroundings.
    package var terminal: ClientTerminal?
    /// Who is told what its requests did.
    package var observer: (any ItemObserver)?
    /// Whose costly work its requests make, and whether it still waits for them.
    package var work = WorkOrder.own
    /// Whether an answer of so many bytes may be made for it; nil where nothing is shared.
    package var budget: (@Sendable (Int) -> AnswerBudget)?

    package init(groups: [AccessGroup], seesEveryGroup: Bool, administersKeys: Bool, program: String?) {
        self.groups = groups
        self.seesEveryGroup = seesEveryGroup
        self.administersKeys = administersKeys
        self.program = program
    }
}

extension Caller {
    /// What is said to a program with no group: why the daemon gives it none, where a daemon knows that; else the text.
    package func refusal(_ text: StaticString, subject: String? = nil) -> KeychainError {
        guard let lack else { return KeychainError(.missingEntitlement, text, subject: subject) }
        return KeychainError(
            relaying: .missingEntitlement, "the daemon gives this program no access group: \(lack)",
            subject: nil, code: nil, retryAfter: nil)
    }
}

/// Whether an answer fits into the budget.
package enum AnswerBudget: Sendable {
    case enough
    /// No message holds so much.
    case tooLarge
    /// Other answers are in the way.
    case taken
}

/// Where the person is whom a program asks through a daemon: a display, a terminal, a language.
package struct ClientTerminal: Sendable, Hashable {
    /// What the program's environment says of the display and the language; of `names` only, and of their shape.
    package let variables: [Variable]
    /// Who the daemon knows to ask; the terminal of a program is what the kernel says of it.
    package var asker: Asker?

    package struct Asker: Sendable, Hashable {
        package let process: Int32
        package let user: UInt32
        /// The path of the file that the process executes; nil when it could not be read.
        package let program: String?

        package init(process: Int32, user: UInt32, program: String? = nil) {
            self.process = process
            self.user = user
            self.program = program
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

    /// nil when a variable is not one of those, is given twice, or has a value that `allows` refuses.
    package init?(_ variables: [Variable]) {
        guard Set(variables.map(\.name)).count == variables.count,
            variables.allSatisfy({ ClientTerminal.allows($0.value, for: $0.name) })
        else { return nil }
        self.variables = variables
    }

    /// Of a program that said nothing of its surroundings, or is not believed any of it.
    package init(of asker: Asker) {
        variables = []
        self.asker = asker
    }

    /// Nothing that chooses a program, a library or a file of settings: the daemon's own surroundings do that.
    package static let names = shapes.map(\.name)

    package static let longestValue = 4096
}

/// What each variable may look like.
///
/// The values reach the libraries of a dialog, which make paths of some of them: libwayland and libxcb take a path in place of
/// a display's name, gettext and the C library look for files below a folder that the language names, Qt for a theme by the
/// name of the desktop. So no value but XAUTHORITY has a slash, and none has a component that leads upwards.
extension ClientTerminal {
    /// Whether the variable is one of `names`, and the value of the shape that it has.
    package static func allows(_ value: String, for name: String) -> Bool {
        guard let shape = shapes.first(where: { $0.name == name })?.shape else { return false }
        let bytes = Array(value.utf8)
        guard !bytes.isEmpty, bytes.count <= longestValue, !value.contains("..") else { return false }
        return shape.admits(bytes)
    }

    private enum Shape {
        /// Letters, digits and these marks.
        case word(String)
        /// `:0`, `host:0` or `host:0.0`; a host is a name, `unix` among them.
        case display
        /// Of a file, from the root on.
        case path

        func admits(_ bytes: [UInt8]) -> Bool {
            switch self {
            case .word(let marks): bytes.allSatisfy { Shape.isPlain($0) || marks.utf8.contains($0) }
            case .display: Shape.isDisplay(bytes)
            case .path: bytes.first == UInt8(ascii: "/") && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            }
        }

        private static func isDisplay(_ bytes: [UInt8]) -> Bool {
            let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 2, let host = parts.first, let screen = parts.last else { return false }
            let numbers = screen.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return host.count <= 255 && host.allSatisfy { isPlain($0) || Array("._-".utf8).contains($0) }
                && (1...2).contains(numbers.count)
                && numbers.allSatisfy { (1...5).contains($0.count) && $0.allSatisfy(isDigit) }
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        private static func isPlain(_ byte: UInt8) -> Bool {
            isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
    }

    private static let shapes: [(name: String, shape: Shape)] = [
        ("TERM", .word("._+-")), ("NO_COLOR", .word("")),
        ("DISPLAY", .display), ("WAYLAND_DISPLAY", .word("._-")), ("XAUTHORITY", .path),
        ("XDG_SESSION_TYPE", .word("")), ("XDG_CURRENT_DESKTOP", .word(":_-")),
        ("LANG", .word("._@-")), ("LANGUAGE", .word("._@:-")),
        ("LC_ALL", .word("._@-")), ("LC_CTYPE", .word("._@-")), ("LC_MESSAGES", .word("._@-")),
    ]
}
