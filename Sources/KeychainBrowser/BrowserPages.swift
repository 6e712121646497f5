// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What stands over a list, one over another.
enum BrowserPage: Sendable {
    case item(ItemPage)
    case history(HistoryPage)
    case parts(PartsPage)
    case text(TextPage)
    case entry(EntryPage)
    case help(top: Int)
}

struct ItemPage: Sendable {
    var number: Int
    var fields: [BrowserField] = []
    var top = 0
}

struct HistoryPage: Sendable {
    let number: Int
    let entries: [BrowserEntry]
    var place = ListPlace()
}

/// What belongs to an item.
struct PartsPage: Sendable {
    var number: Int
    var parts: [BrowserPart]
    var place = ListPlace()

    var selected: BrowserPart? { parts.indices.contains(place.selected) ? parts[place.selected] : nil }
}

/// A secret of many lines, such as an attachment; it is there as long as the secret is.
struct TextPage: Sendable {
    let title: String
    let secret: SecretValue
    var layout: SecretLayout
    var top = 0
}

struct EntryPage: Sendable {
    let entry: BrowserEntry
    var top = 0
}

/// What has to be answered before anything else.
enum BrowserDialog: Sendable {
    /// Only y does it.
    case confirm(String, BrowserWish)
    /// What of an item is to be changed.
    case edit(Int)
    /// What of an item is to be added.
    case more(Int)
    case input(BrowserInput)
    case new(NewItemForm)
    /// Whether its password is generated or typed.
    case passwordOf(NewItemForm)
    case message(String, ScreenStyle)
}

/// A line that is typed, and what it is for.
struct BrowserInput: Sendable {
    enum Purpose: Sendable {
        case name
        case user
        case url
        case note
        case field
        case attachment
        case tag
        case otherTag(String)
        case expiry
        /// The file that a part is written into.
        case place(Int)
    }

    let title: String
    let number: Int
    let purpose: Purpose
    var line: LineInput

    var wish: BrowserWish {
        let text = line.text
        return switch purpose {
        case .name: .edit(number, .name(text))
        case .user: .edit(number, .user(text))
        case .url: .edit(number, .url(text))
        case .note: .edit(number, .note(text))
        case .field: .edit(number, .field(text))
        case .attachment: .edit(number, .attachment(text))
        case .tag: .edit(number, .tag(text))
        case .otherTag(let tag): .edit(number, .otherTag(text, insteadOf: tag))
        case .expiry: .edit(number, .expiry(text))
        case .place(let part): .savePart(number, part, path: text)
        }
    }
}

/// The lines of an item that is to be added.
struct NewItemForm: Sendable {
    static let titles = ["name", "user", "URL"]

    var lines = [LineInput(), LineInput(), LineInput()]
    var current = 0
    var problem = ""

    func item(isGenerated: Bool) -> NewItem {
        NewItem(name: lines[0].text, user: lines[1].text, url: lines[2].text, isGenerated: isGenerated)
    }
}

struct BrowserMessage: Sendable {
    let text: String
    let style: ScreenStyle
    let until: UInt64
}

/// A secret on the screen.
struct ShownSecret: Sendable {
    enum Owner: Sendable, Equatable {
        case item(Int)
        case version(Int)
        /// Of an item, by its place on the page.
        case part(Int)
    }

    let owner: Owner
    let secret: SecretValue
    let until: UInt64
}

/// A one-time code on the screen.
struct ShownCode: Sendable {
    let owner: Int
    let code: SecretValue
    let until: UInt64
    /// Milliseconds; 0 for a code without a time.
    let period: UInt64
    let hideAt: UInt64
}
