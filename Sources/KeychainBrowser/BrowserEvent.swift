// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The views, in the order of their numbers on the keyboard.
package enum BrowserView: Int, Sendable, CaseIterable {
    case passwords
    case programs
    case certificates
    case keys
    case removed
    case circle
    case audit
    case doctor

    var title: String {
        switch self {
        case .passwords: "Passwords"
        case .programs: "Programs"
        case .certificates: "Certs"
        case .keys: "Keys"
        case .removed: "Removed"
        case .circle: "Circle"
        case .audit: "Audit"
        case .doctor: "Doctor"
        }
    }

    /// Whether it lists items; the others list entries that are read when the view is opened.
    var listsItems: Bool {
        switch self {
        case .passwords, .programs, .keys: true
        case .certificates, .removed, .circle, .audit, .doctor: false
        }
    }
}

/// A key, whatever the terminal sends for it.
package enum BrowserKey: Sendable, Hashable {
    case character(Unicode.Scalar)
    case enter
    case escape
    case tab
    case backTab
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end
    case backspace
    /// With the Control key.
    case control(Unicode.Scalar)
    case other
}

/// A line of a view that lists no items, or of an item's history.
package struct BrowserEntry: Sendable {
    /// By which it is acted on; nil for one that nothing can be done with.
    package let number: Int?
    package let cells: [String]
    package let style: ScreenStyle
    /// A heading: the selection passes over it.
    package let isHeading: Bool
    /// What Enter shows.
    package let fields: [BrowserField]
    /// The command that `a` runs: the words behind the program's name; empty where there is none.
    package let command: [String]

    package init(
        number: Int?, cells: [String], style: ScreenStyle = .plain, isHeading: Bool = false,
        fields: [BrowserField] = [],
        command: [String] = []
    ) {
        (self.number, self.cells, self.style) = (number, cells, style)
        (self.isHeading, self.fields, self.command) = (isHeading, fields, command)
    }

    /// A line over entries that belong together.
    package static func heading(_ text: String) -> BrowserEntry {
        BrowserEntry(number: nil, cells: [text], style: .strong, isHeading: true)
    }
}

/// A name and its value, of an item or an entry.
package struct BrowserField: Sendable, Equatable {
    package let name: String
    package let text: String

    package init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
}

/// What a person changes of an item.
package enum ItemEdit: Sendable, Equatable {
    case name(String)
    case user(String)
    case url(String)
    case note(String)
    /// One that is asked for.
    case typedPassword
    case generatedPassword
}

/// What happened: to the terminal, to the keychain, or to a wish of the browser's.
package enum BrowserEvent: Sendable {
    case key(BrowserKey)
    case wheel(up: Bool)
    case click(row: Int, column: Int)
    case resized(columns: Int, rows: Int)
    /// Time passed.
    case tick
    /// A part of the list; `isFirst` begins a list, `isLast` ends it.
    case items([BrowserItem], isFirst: Bool, isLast: Bool)
    /// The entries of a view, its columns, and a line about them.
    case entries(BrowserView, columns: [String], [BrowserEntry], note: String)
    case details(Int, [BrowserField])
    case secret(Int, SecretValue)
    case history(Int, [BrowserEntry])
    /// The secret of an earlier version.
    case pastSecret(Int, SecretValue)
    /// A one-time code, and until when by the system's clock in seconds since 1970; 0 for one without a time.
    case code(Int, SecretValue, until: UInt64, period: UInt64)
    /// A sentence about what was done.
    case told(String)
    /// The same, and the list and the view are to be read anew.
    case changed(String)
    case failed(String)
    /// A keychain is locked; the sentence says which.
    case locked(String)
    case unlocked
}

/// What the browser wants from whoever runs it; an event answers each.
package enum BrowserWish: Sendable, Equatable {
    /// The list, from its beginning.
    case list
    case entries(BrowserView)
    /// The entries with what a server has to say.
    case ask(BrowserView)
    case details(Int)
    case show(Int)
    case copy(Int)
    case copyUser(Int)
    case code(Int)
    case copyCode(Int)
    case edit(Int, ItemEdit)
    case remove(Int)
    case history(Int)
    case showVersion(Int)
    case bringBack(Int)
    case undelete(Int)
    /// Runs a command of this program, on the terminal.
    case run([String])
    /// Copies a text that is no secret.
    case copyText(String)
    case lock
    case unlock
    case suspend
    case quit
}
