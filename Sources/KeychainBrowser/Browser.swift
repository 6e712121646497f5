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
    var incoming: [BrowserItem]?
    var isListed = false
    var tables: [BrowserView: EntryTable] = [:]
    var query = LineInput()
    var isSearching = false
    var lines: [ListLine] = []
    /// The places that fitted the query, for a longer one.
    var fitting: (view: BrowserView, words: String, places: [Int])?
    var places: [BrowserView: ListPlace] = [:]

    // What stands over the list.
    var pages: [BrowserPage] = []
    var dialog: BrowserDialog?
    var message: BrowserMessage?
    /// What was typed, for another attempt where it fails.
    var typed: BrowserDialog?
    /// The item that is selected once it is in the list.
    var awaited: NewItem?
    /// Why nothing is shown; nil while the keychain is open.
    var lockedWords: String?
    /// Which of several keychains are locked, while others are open.
    var lockedPart: String?

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
            return lockedWords == nil && dialog == nil ? press(up ? .up : .down) : []
        case .click(let row, let column):
            lastKey = now
            return lockedWords == nil ? click(row, column) : []
        case .resized(let columns, let rows):
            (self.columns, self.rows) = (columns, rows)
            keepSelectionInside()
            if case .text(var page)? = pages.last {
                page.layout = layout(of: page.secret)
                pages[pages.count - 1] = .text(page)
            }
        case .tick: return tick()
        case .items(let part, let isFirst, let isLast): return take(part, isFirst, isLast)
        case .entries(let view, let columns, let entries, let note):
            tables[view] = EntryTable(columns: columns, entries: entries, note: note)
            if view == self.view { list() }
        case .details(let number, let fields): update(number) { $0.fields = fields }
        case .secret(let number, let value):
            reveal(.item(number), value, called: "The password", otherwise: "c copies it")
        case .pastSecret(let number, let value):
            reveal(.version(number), value, called: "It", otherwise: "`llavero get --version` prints it")
        case .partSecret(let number, let index, let value): reveal(part: index, of: number, value)
        case .code(let number, let value, let until, let period):
            code = ShownCode(
                owner: number, code: value, until: until, period: period,
                hideAt: code?.owner == number ? code?.hideAt ?? now : now + settings.hideAfter)
        case .history(let number, let entries):
            hideSecrets()
            pages.append(.history(HistoryPage(number: number, entries: entries)))
        case .note(let number, .line(let text)): ask("New note", .note, of: number, text)
        case .note(_, .lines):
            dialog = .message(
                "The note has several lines. `llavero edit NAME --field note --stdin` has it be what it reads from standard input.",
                .warning)
        case .note(let number, .secret): return [.edit(number, .field("note"))]
        case .parts(let number, let parts): take(parts, of: number)
        case .told(let text):
            typed = nil
            message = BrowserMessage(text: text, style: .good, until: now + Browser.messageTime)
        case .changed(let text):
            typed = nil
            message = BrowserMessage(text: text, style: .good, until: now + Browser.messageTime)
            hideSecrets()
            return readAgain()
        case .failed(let text):
            awaited = nil
            dialog = .message(text, .danger)
        case .locked(let words): lock(words)
        case .partLocked(let words):
            forget()
            message = BrowserMessage(text: words, style: .warning, until: now + Browser.messageTime)
            return readAgain()
        case .lockedPart(let words):
            lockedPart = words
            return []
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
        if let shown = secret, now >= shown.until { hideSecrets() }
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
        forget()
    }

    private mutating func forget() {
        (secret, code, dialog, message, fitting, incoming) = (nil, nil, nil, nil, nil, nil)
        (typed, awaited) = (nil, nil)
        items = ItemIndex()
        tables = [:]
        pages = []
        lines = []
        query = LineInput()
        (isSearching, isListed) = (false, false)
    }

    mutating func readAgain() -> [BrowserWish] {
        // The others are read when somebody looks at them; what is seen stays until the new is there.
        tables = tables.filter { $0.key == view }
        var wishes: [BrowserWish] = [.list]
        if !view.listsItems { wishes.append(.entries(view)) }
        return wishes
    }

    // MARK: Secrets

    /// Shows it, where it is not so large that every picture of the screen would take long; else it says what to do instead.
    @discardableResult
    mutating func reveal(
        _ owner: ShownSecret.Owner, _ value: SecretValue, called name: String, otherwise words: String
    ) -> Bool {
        guard value.count <= Browser.largestShown else {
            hideSecrets()
            dialog = .message("\(name) has \(value.count) bytes, too many to be shown; \(words).", .warning)
            return false
        }
        secret = ShownSecret(owner: owner, secret: value, until: now + settings.hideAfter)
        return true
    }

    private static let largestShown = 256 << 10

    /// Secrets belong to the page that they were asked for on.
    mutating func hideSecrets() {
        (secret, code) = (nil, nil)
        pages.removeAll { if case .text = $0 { true } else { false } }
    }

    /// Whether a one-time code is on the screen, so that another has to come when it is over.
    package var showsCode: Bool { code != nil }

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
