// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The full-screen browser as a machine: events go in, wishes come out, and `frame` is what is on the screen.
///
/// It reads no clock, no terminal and no keychain. Times are milliseconds of one clock that never goes back.
package struct Browser: Sendable {
    /// What stays the same as long as it runs.
    package struct Settings: Sendable {
        /// The keychain's name, for the title.
        let keychain: String
        /// Milliseconds that a secret stays on the screen.
        let hideAfter: UInt64
        /// Milliseconds without a key, after which the keychain is locked; nil for never.
        let lockAfter: UInt64?
        /// Whether the terminal shows more than ASCII.
        let isUnicode: Bool

        package init(keychain: String, hideAfterSeconds: Int, lockAfterSeconds: UInt32?, isUnicode: Bool = true) {
            (self.keychain, self.isUnicode) = (keychain, isUnicode)
            hideAfter = UInt64(max(1, hideAfterSeconds)) * 1000
            lockAfter = lockAfterSeconds.map { UInt64($0) * 1000 }
        }
    }

    let settings: Settings
    var (columns, rows): (Int, Int)
    var now: UInt64
    private var lastKey: UInt64

    // Lists.
    var view = BrowserView.passwords
    var items = ItemIndex()
    /// What a list that is read anew has so far; nil while the first one comes in.
    private var incoming: [BrowserItem]?
    var isListed = false
    var tables: [BrowserView: EntryTable] = [:]
    var query = LineInput()
    var isSearching = false
    var lines: [ListLine] = []
    /// The places that fitted the query, for a longer one.
    private var fitting: (view: BrowserView, words: String, places: [Int])?
    var places: [BrowserView: ListPlace] = [:]

    // What stands over the list.
    var pages: [BrowserPage] = []
    var dialog: BrowserDialog?
    var message: BrowserMessage?
    /// Why nothing is shown; nil while the keychain is open.
    var lockedWords: String?

    // Secrets.
    var secret: ShownSecret?
    var code: ShownCode?

    package init(_ settings: Settings, columns: Int, rows: Int, at now: UInt64) {
        (self.settings, self.columns, self.rows) = (settings, columns, rows)
        (self.now, lastKey) = (now, now)
    }

    /// When something changes by itself: a secret's time, a message's, a code's, the lock's; nil for never.
    package var nextDeadline: UInt64? {
        guard lockedWords == nil else { return nil }
        let lock = settings.lockAfter.map { lastKey + $0 }
        // A countdown moves each second.
        let second = secret != nil || code != nil ? now + 1000 : nil
        return [secret?.until, code?.hideAt, message?.until, lock, second].compactMap(\.self).min()
    }

    /// Whether the keychain is locked, so that nothing of it is shown.
    package var isLocked: Bool { lockedWords != nil }

    /// Takes an event; gives what is wanted now.
    package mutating func handle(_ event: BrowserEvent, at now: UInt64) -> [BrowserWish] {
        self.now = now
        switch event {
        case .key(let key):
            lastKey = now
            message = nil
            return lockedWords == nil ? press(key) : pressLocked(key)
        case .wheel(let up):
            lastKey = now
            return lockedWords == nil ? press(up ? .up : .down) : []
        case .click(let row, let column):
            lastKey = now
            return lockedWords == nil ? click(row, column) : []
        case .resized(let columns, let rows):
            (self.columns, self.rows) = (columns, rows)
            keepSelectionInside()
        case .tick: return tick()
        case .items(let part, let isFirst, let isLast): return take(part, isFirst, isLast)
        case .entries(let view, let columns, let entries, let note):
            tables[view] = EntryTable(columns: columns, entries: entries, note: note)
            if view == self.view { list() }
        case .details(let number, let fields): update(number) { $0.fields = fields }
        case .secret(let number, let value): reveal(number, "password", value)
        case .pastSecret(let number, let value): reveal(number, "password of version \(number)", value)
        case .code(let number, let value, let until, let period):
            code = ShownCode(
                owner: number, code: value, until: until, period: period,
                hideAt: code?.owner == number ? code?.hideAt ?? now : now + settings.hideAfter)
        case .history(let number, let entries):
            hideSecrets()
            pages.append(.history(HistoryPage(number: number, entries: entries)))
        case .told(let text): message = BrowserMessage(text: text, style: .good, until: now + Browser.messageTime)
        case .changed(let text):
            message = BrowserMessage(text: text, style: .good, until: now + Browser.messageTime)
            hideSecrets()
            return readAgain()
        case .failed(let text): dialog = .message(text, .danger)
        case .locked(let words): lock(words)
        case .unlocked:
            lockedWords = nil
            lastKey = now
            return readAgain()
        }
        return []
    }

    // MARK: Time

    private mutating func tick() -> [BrowserWish] {
        guard lockedWords == nil else { return [] }
        if let shown = secret, now >= shown.until { secret = nil }
        if let message, now >= message.until { self.message = nil }
        if let lockAfter = settings.lockAfter, now >= lastKey + lockAfter {
            lock("Nothing was typed for some time.")
            return [.lock]
        }
        guard let shown = code else { return [] }
        if now >= shown.hideAt {
            code = nil
        } else if shown.period > 0, now >= shown.until {
            // Until the new one is there: an old one is refused wherever it is typed.
            return [.code(shown.owner)]
        }
        return []
    }

    /// Nothing of the keychain is left, on the screen or in memory.
    private mutating func lock(_ words: String) {
        lockedWords = words
        (secret, code, dialog, message, fitting, incoming) = (nil, nil, nil, nil, nil, nil)
        items = ItemIndex()
        tables = [:]
        pages = []
        lines = []
        query = LineInput()
        (isSearching, isListed) = (false, false)
    }

    func readAgain() -> [BrowserWish] {
        var wishes: [BrowserWish] = [.list]
        if !view.listsItems { wishes.append(.entries(view)) }
        return wishes
    }

    // MARK: Secrets

    private mutating func reveal(_ number: Int, _ title: String, _ value: SecretValue) {
        secret = ShownSecret(owner: number, title: title, secret: value, until: now + settings.hideAfter)
    }

    /// Secrets belong to the page that they were asked for on.
    mutating func hideSecrets() { (secret, code) = (nil, nil) }

    // MARK: Lists

    private mutating func take(_ part: [BrowserItem], _ isFirst: Bool, _ isLast: Bool) -> [BrowserWish] {
        guard lockedWords == nil else { return [] }
        // It names places in the index as it was.
        fitting = nil
        if isFirst { incoming = isListed ? [] : nil }
        guard let collected = incoming else {
            let selected = isMoved ? listedItem?.identifier : nil
            items.insert(part)
            list(selecting: selected)
            if isLast { isListed = true }
            return []
        }
        // A list that is there stays until the new one is complete.
        guard isLast else {
            incoming = collected + part
            return []
        }
        let (old, selected) = (items, listedItem?.identifier)
        items = ItemIndex()
        items.insert(collected + part)
        incoming = nil
        list(selecting: selected)
        // Pages are about the same items as before, which have other numbers now.
        var wishes: [BrowserWish] = []
        pages = pages.compactMap { page in
            guard case .item(var page) = page else { return page }
            guard let identifier = old.item(page.number)?.identifier, !identifier.isEmpty,
                let place = items.place(identifier: identifier)
            else { return nil }
            page.number = items[place].number
            wishes.append(.details(page.number))
            return .item(page)
        }
        return wishes
    }

    /// Whether somebody chose a line: then it stays chosen while others come in before it.
    private var isMoved: Bool { (places[view] ?? ListPlace()).selected > 0 }

    /// Makes the lines of the view anew.
    mutating func list(selecting identifier: String? = nil) {
        let words = SearchText(query.text)
        lines = []
        switch view {
        case .passwords, .keys: lines = matches(words).map { .item($0) }
        case .programs:
            var group: String?
            for place in matches(words).sorted(by: isBeforeByGroup) {
                if items[place].group != group {
                    group = items[place].group
                    lines.append(.heading(items[place].group))
                }
                lines.append(.item(place))
            }
        case .certificates, .removed, .circle, .audit, .doctor:
            for (index, entry) in (tables[view]?.entries ?? []).enumerated()
            where words.words.isEmpty || !entry.isHeading && words.fits(entry.cells) {
                lines.append(.entry(index))
            }
        }
        if let identifier, let place = items.place(identifier: identifier) {
            let line = lines.firstIndex { if case .item(place) = $0 { true } else { false } }
            if let line { places[view, default: ListPlace()].selected = line }
        }
        keepSelectionInside()
    }

    private mutating func matches(_ words: SearchText) -> [Int] {
        var candidates: [Int]?
        // What a longer query fits, its beginning fitted.
        if let fitting, fitting.view == view, query.text.hasPrefix(fitting.words), isListed {
            candidates = fitting.places
        }
        let view = view
        let found = items.matches(words, among: candidates) { item in
            switch view {
            case .passwords: item.isOwn && item.kind == .password
            case .programs: !item.isOwn && item.kind == .password
            case .keys: item.kind == .key
            case .certificates, .removed, .circle, .audit, .doctor: false
            }
        }
        fitting = isListed ? (view, query.text, found) : nil
        return found
    }

    private func isBeforeByGroup(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (items[left].group, items[right].group)
        return first == second ? left < right : first < second
    }

    /// The item of the page, or the one that is selected in the list.
    var selectedItem: BrowserItem? {
        if case .item(let page)? = pages.last { return items.item(page.number) }
        return pages.isEmpty ? listedItem : nil
    }

    /// The one that is selected in the list, whatever stands over that.
    private var listedItem: BrowserItem? {
        guard case .item(let place)? = selectedLine else { return nil }
        return items[place]
    }

    var selectedLine: ListLine? {
        let selected = (places[view] ?? ListPlace()).selected
        return lines.indices.contains(selected) ? lines[selected] : nil
    }

    var selectedEntry: BrowserEntry? {
        switch pages.last {
        case .history(let page):
            return page.entries.indices.contains(page.place.selected) ? page.entries[page.place.selected] : nil
        case .entry(let page): return page.entry
        case .item, .help: return nil
        case nil: break
        }
        guard case .entry(let index)? = selectedLine, let entries = tables[view]?.entries,
            entries.indices.contains(index)
        else { return nil }
        return entries[index]
    }

    func isHeading(_ line: ListLine) -> Bool {
        switch line {
        case .heading: true
        case .item: false
        case .entry(let index): tables[view]?.entries[index].isHeading ?? false
        }
    }

    mutating func keepSelectionInside() {
        var place = places[view] ?? ListPlace()
        let lines = lines
        place.settle(lines.count, rows: listRows) { isHeading(lines[$0]) }
        places[view] = place
    }

    mutating func update(_ number: Int, _ change: (inout ItemPage) -> Void) {
        for index in pages.indices {
            if case .item(var page) = pages[index], page.number == number {
                change(&page)
                pages[index] = .item(page)
            }
        }
    }

    /// Milliseconds that a sentence stays.
    private static let messageTime: UInt64 = 8000
}

/// A line of a list.
enum ListLine: Sendable, Equatable {
    case heading(String)
    /// An item, by its place in the index.
    case item(Int)
    /// An entry of the view.
    case entry(Int)
}

/// The entries of a view.
struct EntryTable: Sendable {
    let columns: [String]
    let entries: [BrowserEntry]
    let note: String
}

/// Which line of a list is selected, and which is the first on the screen.
struct ListPlace: Sendable, Equatable {
    var selected = 0
    var top = 0

    /// Moves by some lines; headings are passed over, in the direction of the move.
    mutating func move(by lines: Int, of count: Int, rows: Int, _ isHeading: (Int) -> Bool) {
        guard count > 0 else { return }
        var next = min(max(0, selected + lines), count - 1)
        let step = lines < 0 ? -1 : 1
        while next >= 0, next < count, isHeading(next) { next += step }
        if next >= 0, next < count { selected = next }
        // The heading over the first line is shown with it.
        if next < 0 { top = 0 }
        settle(count, rows: rows, isHeading)
    }

    /// Has the selection be a line that is there, and on the screen.
    mutating func settle(_ count: Int, rows: Int, _ isHeading: (Int) -> Bool) {
        guard count > 0 else {
            (selected, top) = (0, 0)
            return
        }
        selected = min(max(0, selected), count - 1)
        while selected < count - 1, isHeading(selected) { selected += 1 }
        let rows = max(1, rows)
        if selected < top { top = selected }
        if selected >= top + rows { top = selected - rows + 1 }
        if top == selected, top > 0, isHeading(top - 1), rows > 1 { top -= 1 }
        top = min(max(0, top), max(0, count - rows))
    }
}

/// What stands over a list, one over another.
enum BrowserPage: Sendable {
    case item(ItemPage)
    case history(HistoryPage)
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
    case input(BrowserInput)
    case message(String, ScreenStyle)
}

/// A line that is typed, and what it is for.
struct BrowserInput: Sendable {
    enum Purpose: Sendable {
        case name
        case user
        case url
        case note
    }

    let title: String
    let number: Int
    let purpose: Purpose
    var line: LineInput

    var edit: ItemEdit {
        switch purpose {
        case .name: .name(line.text)
        case .user: .user(line.text)
        case .url: .url(line.text)
        case .note: .note(line.text)
        }
    }
}

struct BrowserMessage: Sendable {
    let text: String
    let style: ScreenStyle
    let until: UInt64
}

/// A secret on the screen.
struct ShownSecret: Sendable {
    /// The number of the item or version.
    let owner: Int
    let title: String
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

/// A line being typed.
struct LineInput: Sendable {
    private(set) var letters: [Character] = []
    private(set) var cursor = 0

    init(_ text: String = "") {
        letters = Array(text)
        cursor = letters.count
    }

    var text: String { String(letters) }
    var beforeCursor: String { String(letters[..<cursor]) }

    /// Whether the key was one of a line's.
    mutating func press(_ key: BrowserKey) -> Bool {
        switch key {
        case .character(let scalar):
            guard scalar.value >= 0x20, scalar.value != 0x7F, letters.count < LineInput.longest else { return true }
            // A mark joins the letter before it.
            let before = String(letters[..<cursor]) + String(Character(scalar))
            letters = Array(before) + letters[cursor...]
            cursor = Array(before).count
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            letters.remove(at: cursor)
        case .control("u"):
            letters.removeSubrange(..<cursor)
            cursor = 0
        case .control("w"):
            let before = letters[..<cursor]
            var end = before.endIndex
            while end > 0, before[end - 1] == " " { end -= 1 }
            while end > 0, before[end - 1] != " " { end -= 1 }
            letters.removeSubrange(end..<cursor)
            cursor = end
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(letters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = letters.count
        default: return false
        }
        return true
    }

    private static let longest = 1000
}
