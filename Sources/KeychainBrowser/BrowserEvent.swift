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

/// What belongs to an item besides its password: one of its fields, files, tags.
package struct BrowserPart: Sendable, Equatable {
    package enum Kind: Sendable {
        case code
        /// A field with a secret of its own.
        case field
        case shownField
        case note
        case attachment
        case tag
        case expiry
    }

    package let kind: Kind
    package let name: String
    /// What is shown of it; empty for a secret.
    package let text: String

    package init(_ kind: Kind, _ name: String, text: String = "") {
        (self.kind, self.name, self.text) = (kind, name, text)
    }

    var word: String {
        switch kind {
        case .code: "one-time code"
        case .field, .shownField: "field"
        case .note: "note"
        case .attachment: "attachment"
        case .tag: "tag"
        case .expiry: "expires"
        }
    }

    /// Whether it is shown on request alone.
    package var isSecret: Bool {
        switch kind {
        case .code, .field, .note, .attachment: true
        case .shownField, .tag, .expiry: false
        }
    }
}

/// An item that is to be added.
package struct NewItem: Sendable, Equatable {
    package let name: String
    package let user: String
    package let url: String
    /// Whether its password is generated, or asked for.
    package let isGenerated: Bool
}

/// An item's note as far as it is changed here.
package enum ItemNote: Sendable, Equatable {
    /// Of one line, which is typed over.
    case line(String)
    /// Of several, which a line that is typed would make one.
    case lines
    /// One that is asked for elsewhere, as a secret is.
    case secret
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
    /// The seed of its one-time codes, which is asked for.
    case code
    /// A field of this name, whose secret is asked for.
    case field(String)
    /// A file, by its path.
    case attachment(String)
    case tag(String)
    /// A tag in place of another.
    case otherTag(String, insteadOf: String)
    /// A day; empty for none.
    case expiry(String)
    case without(BrowserPart)
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
    /// What belongs to an item, by whose places it is asked for.
    case parts(Int, [BrowserPart])
    case partSecret(Int, Int, SecretValue)
    /// The secret of an earlier version.
    case pastSecret(Int, SecretValue)
    /// An item's note, to be changed.
    case note(Int, ItemNote)
    /// A one-time code, and until when by the system's clock in seconds since 1970; 0 for one without a time.
    case code(Int, SecretValue, until: UInt64, period: UInt64)
    /// A sentence about what was done.
    case told(String)
    /// The same, and the list and the view are to be read anew.
    case changed(String)
    case failed(String)
    /// No keychain is open any more; the sentence says which are locked.
    case locked(String)
    /// Of several keychains one became locked, which the sentence names: what was read is let go of, and the others are read anew.
    case partLocked(String)
    /// Which of several are locked, for as long as they are; nil for none.
    case lockedPart(String?)
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
    case add(NewItem)
    case edit(Int, ItemEdit)
    /// The note, to be changed.
    case note(Int)
    case parts(Int)
    case showPart(Int, Int)
    case copyPart(Int, Int)
    /// Writes a secret into a new file.
    case savePart(Int, Int, path: String)
    case remove(Int)
    case history(Int)
    case showVersion(Int)
    case bringBack(Int)
    case undelete(Int)
    /// Runs a command of this program, on the terminal.
    case run([String])
    /// Copies a text that is no secret.
    case copyText(String)
    /// The screen from its first cell on: something else may have written there.
    case redraw
    case lock
    case unlock
    case suspend
    case quit
}

/// Which of several keychains are open, from one look to the next; each is known by its place among them.
package struct LockWatch: Sendable {
    private var open: Set<Int> = []

    package init() {}

    /// Items of it were read.
    package mutating func note(_ place: Int) { open.insert(place) }

    /// Takes a look at all of them; those that became locked since they were seen open, in order.
    package mutating func look(_ isLocked: [Bool]) -> [Int] {
        let locked = open.filter { !isLocked.indices.contains($0) || isLocked[$0] }
        open = Set(isLocked.indices.filter { !isLocked[$0] })
        return locked.sorted()
    }
}
