// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// What is on the screen.
extension Browser {
    static let tabRow = 1
    static let firstListRow = 4

    /// How many lines of a list there is room for.
    var listRows: Int { max(1, rows - Browser.firstListRow - 2) }

    /// The picture of the state as it is.
    package func frame() -> ScreenFrame {
        var frame = ScreenFrame(columns: columns, rows: rows, isUnicode: settings.isUnicode)
        guard columns >= Browser.leastColumns, rows >= Browser.leastRows else {
            frame.put("too small: \(Browser.leastColumns) by \(Browser.leastRows) at least", 0, 0)
            return frame
        }
        if let lockedWords {
            drawLock(lockedWords, &frame)
            return frame
        }
        drawTitle(&frame)
        switch pages.last {
        case .item(let page)?: draw(page, &frame)
        case .history(let page)?: draw(page, &frame)
        case .parts(let page)?: draw(page, &frame)
        case .text(let page)?: draw(page, &frame)
        case .entry(let page)?: draw(page, &frame)
        case .help(let top)?: drawHelp(top, &frame)
        case nil: drawList(&frame)
        }
        if let message { frame.put(message.text, rows - 2, 0, message.style) }
        drawHints(&frame)
        if let dialog { draw(dialog, &frame) }
        return frame
    }

    private func drawLock(_ words: String, _ frame: inout ScreenFrame) {
        frame.put(" llavero · \(settings.keychain)", 0, 0, .title, fills: true)
        let lines = WrappedText.lines(words, columns: max(10, columns - 8)) + ["", "Enter unlocks, q ends."]
        for (index, line) in lines.enumerated() {
            frame.put(line, max(2, rows / 2 - lines.count / 2) + index, 4, index == 0 ? .strong : .plain)
        }
    }

    private func drawTitle(_ frame: inout ScreenFrame) {
        let locked = lockedPart.map { ", locked: \($0)" } ?? ""
        frame.put(" llavero · \(settings.keychain)\(locked)", 0, 0, .title, fills: true)
        let count = isListed ? "\(items.count) item\(items.count == 1 ? "" : "s") " : "reading… "
        frame.put(count, 0, max(0, columns - TextWidth.of(count)), .title)
        for (view, place) in tabs {
            frame.put(
                "\(view.rawValue + 1) \(view.title)", Browser.tabRow, place.lowerBound,
                view == self.view ? .selected : .faint)
        }
    }

    /// The views' names and the columns that they take.
    var tabs: [(BrowserView, Range<Int>)] {
        var column = 0
        return BrowserView.allCases.map { view in
            let width = TextWidth.of("\(view.rawValue + 1) \(view.title)")
            defer { column += width + 1 }
            return (view, column..<column + width)
        }
    }

    // MARK: Lists

    private func drawList(_ frame: inout ScreenFrame) {
        drawSearch(&frame)
        let widths = columnWidths
        if view.listsItems || !(tables[view]?.entries.isEmpty ?? true) {
            drawCells(titles, widths, Browser.firstListRow - 1, .faint, &frame)
        }
        let place = places[view] ?? ListPlace()
        if lines.isEmpty { frame.put(emptyWords, Browser.firstListRow, 1, .faint) }
        for (offset, line) in lines.dropFirst(place.top).prefix(listRows).enumerated() {
            let row = Browser.firstListRow + offset
            let isSelected = place.top + offset == place.selected
            switch line {
            case .heading(let text): frame.put(text, row, 0, .strong)
            case .item(let index):
                drawCells(cells(items[index]), widths, row, isSelected ? .selected : .plain, &frame)
            case .entry(let index):
                guard let entry = tables[view]?.entries[index] else { continue }
                if entry.isHeading {
                    frame.put(entry.cells.first ?? "", row, 0, .strong)
                } else {
                    drawCells(entry.cells, widths, row, isSelected ? .selected : entry.style, &frame)
                }
            }
        }
    }

    private func drawSearch(_ frame: inout ScreenFrame) {
        if isSearching || !query.letters.isEmpty {
            frame.put("/", 2, 0, .strong)
            let found = "\(lines.count { !isHeading($0) }) found"
            let room = max(1, columns - 3 - found.utf8.count)
            let hidden = max(0, TextWidth.of(query.beforeCursor) - room + 1)
            let shown = hidden == 0 ? query.text : String(query.text.suffix(room))
            frame.put(shown, 2, 1, width: room)
            frame.put(found, 2, columns - found.utf8.count, .faint)
            if isSearching { frame.putCursor(2, 1 + min(room, TextWidth.of(query.beforeCursor) - hidden)) }
        } else if let note = tables[view]?.note, !view.listsItems {
            frame.put(note, 2, 0, .faint)
        }
    }

    private var emptyWords: String {
        if !query.letters.isEmpty {
            return lockedPart == nil ? "nothing has these words" : "nothing that is unlocked has these words"
        }
        if view.listsItems { return isListed ? "no items; n adds one" : "reading…" }
        return tables[view] == nil ? "reading…" : "nothing"
    }

    private var titles: [String] {
        switch view {
        case .passwords, .programs: ["NAME", "USER", "FOR", "CHANGED"]
        case .keys: ["NAME", "KEY", "LIVES", "GROUP"]
        case .certificates, .removed, .circle, .audit, .doctor: tables[view]?.columns ?? []
        }
    }

    private func cells(_ item: BrowserItem) -> [String] {
        let name = item.mark.isEmpty ? item.name : "\(item.name) (\(item.mark))"
        if view == .keys { return [name] + item.facts + [item.group] }
        return [name, item.user, item.place, item.changed]
    }

    private var columnWidths: [Int] {
        if view.listsItems {
            let last = view == .keys ? min(24, columns / 4) : 10
            let room = columns - last - 3
            let name = room * 2 / 5
            let second = room * 3 / 10
            return [name, second, room - name - second, last]
        }
        guard let table = tables[view] else { return [] }
        var widths = table.columns.map(TextWidth.of)
        for entry in table.entries.prefix(500) where !entry.isHeading {
            for (index, cell) in entry.cells.enumerated() where index < widths.count {
                widths[index] = max(widths[index], min(TextWidth.of(ScreenFrame.safe(cell, columns: columns)), columns))
            }
        }
        while widths.reduce(0, +) + widths.count - 1 > columns, let most = widths.max(), most > 4,
            let index = widths.lastIndex(of: most)
        { widths[index] -= 1 }
        return widths
    }

    func drawCells(
        _ cells: [String], _ widths: [Int], _ row: Int, _ style: ScreenStyle, _ frame: inout ScreenFrame
    ) {
        if style == .selected { frame.put("", row, 0, .selected, fills: true) }
        var column = 0
        for (cell, width) in zip(cells, widths) {
            frame.put(cell, row, column, width: width, style)
            column += width + 1
        }
    }

    // MARK: Pages

    private func draw(_ page: ItemPage, _ frame: inout ScreenFrame) {
        guard let item = items.item(page.number) else { return }
        frame.put(title(item), 2, 0, .strong)
        var row = 3
        if item.kind == .password {
            row = drawSecret(of: page.number, hint: "s shows it, c copies it", from: row, &frame)
            row = drawCode(of: page.number, from: row, &frame)
        }
        row += 1
        draw(page.fields, from: row, top: page.top, &frame)
    }

    /// The row behind it.
    private func drawSecret(of number: Int, hint: String, from row: Int, _ frame: inout ScreenFrame) -> Int {
        frame.put("password", row, 0, .faint)
        guard let shown = secret, shown.owner == .item(number) else {
            frame.put("••••••••", row, Browser.valueColumn)
            frame.put(hint, row, Browser.valueColumn + 10, .faint)
            return row + 1
        }
        return draw(shown, from: row, &frame)
    }

    func draw(_ shown: ShownSecret, from row: Int, _ frame: inout ScreenFrame) -> Int {
        let layout = SecretLayout(
            shown.secret, columns: columns - Browser.valueColumn - 1, isUnicode: settings.isUnicode)
        let most = max(1, (rows - row - 4) / 2)
        let count = min(layout.lines.count, most)
        frame.put(layout, rows: row..<row + count, Browser.valueColumn)
        var words = "shown for \(secondsLeft(of: shown)) s, s hides it"
        if shown.secret.count == 0 { words = "empty; " + words }
        if !layout.isText { words = "no text: its bytes in hexadecimal; " + words }
        if layout.lines.count > count {
            words = "\(layout.lines.count - count) more lines, which `llavero get` prints; " + words
        }
        frame.put(words, row + count, Browser.valueColumn, .warning)
        return row + count + 1
    }

    func secondsLeft(of shown: ShownSecret) -> UInt64 { (shown.until - min(now, shown.until) + 999) / 1000 }

    private func drawCode(of number: Int, from row: Int, _ frame: inout ScreenFrame) -> Int {
        guard let shown = code, shown.owner == number else { return row }
        frame.put("code", row, 0, .faint)
        let layout = SecretLayout(shown.code, columns: columns - Browser.valueColumn - 1, isUnicode: settings.isUnicode)
        frame.put(layout, rows: row..<row + 1, Browser.valueColumn)
        guard shown.period > 0 else { return row + 1 }
        let left = shown.until - min(now, shown.until)
        let bars = 20 * left / shown.period
        let bar =
            String(repeating: "█", count: Int(min(bars, 20))) + String(repeating: "░", count: Int(20 - min(bars, 20)))
        frame.put(
            "\(bar) \((left + 999) / 1000) s", row, Browser.valueColumn + 10, left < 5000 ? .warning : .good)
        return row + 1
    }

    private func draw(_ page: EntryPage, _ frame: inout ScreenFrame) {
        // The first cell of these says how grave it is, or when it was, and not what.
        let cells = page.entry.cells.filter { !$0.isEmpty }.prefix(view == .doctor || view == .audit ? 2 : 1)
        frame.put(cells.joined(separator: " · "), 2, 0, .strong)
        draw(page.entry.fields, from: 4, top: page.top, &frame)
    }

    private func draw(_ fields: [BrowserField], from row: Int, top: Int, _ frame: inout ScreenFrame) {
        let lines = fieldLines(of: fields)
        let room = max(0, rows - row - 2)
        for (offset, line) in lines.dropFirst(top).prefix(room).enumerated() {
            frame.put(line.name, row + offset, 0, width: Browser.valueColumn - 1, .faint)
            frame.put(line.text, row + offset, Browser.valueColumn)
        }
        if lines.count > top + room {
            drawMore(lines.count - top - room, &frame)
        }
    }

    /// The lines of fields, each value in as many as it takes; of very long ones the beginning, for they are broken anew in every
    /// picture of the screen.
    func fieldLines(of fields: [BrowserField]) -> [BrowserField] {
        var all: [BrowserField] = []
        var room = Browser.mostOfFields
        for field in fields {
            guard room > 0 else {
                all.append(BrowserField("", Browser.cutWords))
                break
            }
            let most = min(room, Browser.mostOfField)
            let isCut = field.text.utf8.count > most
            // Its last letter may be broken.
            let text = isCut ? String(decoding: field.text.utf8.prefix(most), as: UTF8.self) : field.text
            var lines = WrappedText.lines(
                PlainText.lines(text), columns: max(10, columns - Browser.valueColumn))
            if isCut { lines.append(Browser.cutWords) }
            all += lines.enumerated().map { BrowserField($0 == 0 ? field.name : "", $1) }
            // A field of few letters is a line, too.
            room -= min(room, text.utf8.count + Browser.costOfField)
        }
        return all
    }

    /// Bytes of one field, and of all fields of a page, that are drawn.
    private static let mostOfField = 64 << 10
    private static let mostOfFields = 256 << 10
    private static let costOfField = 64
    private static let cutWords = "… `llavero show` prints all of an item"

    private func draw(_ page: HistoryPage, _ frame: inout ScreenFrame) {
        frame.put("Earlier versions of \(items.item(page.number).map(title) ?? "the item")", 2, 0, .strong)
        if page.entries.isEmpty { frame.put("none is kept", Browser.firstListRow, 1, .faint) }
        var end = Browser.firstListRow
        for (offset, entry) in page.entries.dropFirst(page.place.top).prefix(historyRows).enumerated() {
            let row = Browser.firstListRow + offset
            let isSelected = page.place.top + offset == page.place.selected
            drawCells(entry.cells, [18, 12, columns - 32], row, isSelected ? .selected : .plain, &frame)
            end = row + 1
        }
        if let shown = secret { _ = draw(shown, from: end + 1, &frame) }
    }

    private func drawHelp(_ top: Int, _ frame: inout ScreenFrame) {
        frame.put("Keys", 2, 0, .strong)
        let lines = helpLines
        for (offset, line) in lines.dropFirst(top).prefix(helpRows).enumerated() {
            frame.put(line.name, 3 + offset, 0, width: helpWidth, .strong)
            frame.put(line.text, 3 + offset, helpWidth + 1)
        }
        if lines.count > top + helpRows { drawMore(lines.count - top - helpRows, &frame) }
    }

    private func drawMore(_ count: Int, _ frame: inout ScreenFrame) {
        let words = "↓ \(count) more"
        frame.put(words, rows - 2, max(0, columns - TextWidth.of(words)), .faint)
    }

    /// The keys and what they do, in lines of the screen.
    var helpLines: [BrowserField] {
        KeyHelp.lines.flatMap { line in
            let keys = WrappedText.lines(line.keys, columns: helpWidth)
            let what = WrappedText.lines(line.what, columns: columns - helpWidth - 1)
            return (0..<max(keys.count, what.count)).map { index in
                BrowserField(
                    keys.indices.contains(index) ? keys[index] : "", what.indices.contains(index) ? what[index] : "")
            }
        }
    }

    private var helpWidth: Int { min(24, columns / 2) }
    var helpRows: Int { max(1, rows - 5) }

    // MARK: Hints and dialogs

    private func drawHints(_ frame: inout ScreenFrame) {
        var column = 0
        for (key, word) in hints {
            let width = TextWidth.of(key) + 1 + TextWidth.of(word)
            guard column + width <= columns else { break }
            frame.put(key, rows - 1, column, .strong)
            frame.put(word, rows - 1, column + TextWidth.of(key) + 1, .faint)
            column += width + 2
        }
    }

    private var hints: [(String, String)] {
        switch pages.last {
        case .help?: return [("↑↓", "scroll"), ("Esc", "back")]
        case .history?: return [("s", "show"), ("b", "bring back"), ("Esc", "back"), ("?", "keys")]
        case .parts?:
            return [
                ("s", "show"), ("c", "copy"), ("w", "into a file"), ("n", "add"), ("e", "change"), ("x", "remove"),
                ("Esc", "back"), ("?", "keys"),
            ]
        case .text?: return [("↑↓", "scroll"), ("Esc", "back")]
        case .entry?:
            return
                (view == .doctor
                ? [("a", "act"), ("c", "copy what to do")] : view == .removed ? [("u", "undelete")] : [])
                + [("↑↓", "scroll"), ("Esc", "back"), ("?", "keys")]
        case .item(let page)?:
            let isPassword = items.item(page.number)?.kind == .password
            let own = [
                ("s", "show"), ("c", "copy"), ("o", "code"), ("e", "edit"), ("f", "fields"),
            ]
            return (isPassword ? own : []) + [("h", "history"), ("x", "remove"), ("Esc", "back"), ("?", "keys")]
        case nil: break
        }
        if isSearching { return [("Enter", "done"), ("Esc", "all"), ("↑↓", "move")] }
        let ends = [("?", "keys"), ("q", "end")]
        switch view {
        case .passwords, .programs:
            return [
                ("/", "search"), ("Enter", "open"), ("n", "new"), ("c", "copy"), ("s", "show"), ("e", "edit"),
                ("h", "history"),
            ] + ends
        case .keys, .certificates: return [("/", "search"), ("Enter", "open")] + ends
        case .removed: return [("u", "undelete"), ("Enter", "open"), ("/", "search")] + ends
        case .circle: return [("a", "ask the server"), ("Enter", "open")] + ends
        case .audit: return [("Enter", "open"), ("/", "search"), ("r", "read again")] + ends
        case .doctor: return [("a", "act"), ("Enter", "open"), ("c", "copy what to do"), ("r", "examine again")] + ends
        }
    }

    private func draw(_ dialog: BrowserDialog, _ frame: inout ScreenFrame) {
        var lines: [String]
        var style = ScreenStyle.strong
        var input: LineInput?
        // Of which line the input is a part, and where.
        var (inputLine, indent) = (Int.max, 0)
        let width = min(columns - 4, 72)
        switch dialog {
        case .confirm(let text, _):
            lines = WrappedText.lines(text, columns: width) + ["", "y does it, any other key does not."]
        case .message(let text, let wanted):
            (lines, style) = (WrappedText.lines(text, columns: width), wanted)
            lines = Array(lines.prefix(max(1, rows - 6))) + ["", "Any key goes on."]
        case .edit(let number):
            lines =
                ["Change \(items.item(number).map(title) ?? "the item")", ""]
                + [
                    "n  name", "u  user", "l  URL", "t  note", "p  password, typed", "g  password, generated",
                    "f  fields, attachments, tags, expiry, codes", "", "Esc  nothing",
                ]
        case .more:
            lines = [
                "Add to it", "", "f  field with a secret", "a  attachment: a file", "t  tag", "e  expiry",
                "o  one-time codes", "", "Esc  nothing",
            ]
        case .new(let form):
            lines = Browser.lines(of: form)
            (input, inputLine, indent) = (form.lines[form.current], 2 + form.current, Browser.inputColumn)
        case .passwordOf(let form):
            lines = ["The password for \(form.lines[0].text)", "", "g  generated", "p  typed", "", "Esc  back"]
        case .input(let asked):
            lines = ["\(asked.title): Enter keeps it, Esc does not.", ""]
            input = asked.line
        }
        let top = max(1, (rows - lines.count) / 2 - 1)
        let left = (columns - width) / 2 - 1
        // Whole rows: a wide letter that is cut in half is drawn in another way by each terminal.
        frame.clear(rows: top..<min(rows, top + lines.count + 2), columns: 0..<columns)
        let bar = String(repeating: "─", count: width + 2)
        frame.put(bar, top, left, .faint)
        for (index, line) in lines.enumerated() {
            frame.put(line, top + 1 + index, left + 1, width: width, index == 0 ? style : .plain, fills: true)
        }
        frame.put(bar, top + 1 + lines.count, left, .faint)
        guard let input else { return }
        let row = top + 1 + min(inputLine, lines.count - 1)
        let room = width - indent
        let hidden = max(0, TextWidth.of(input.beforeCursor) - room + 2)
        frame.put(
            hidden == 0 ? input.text : String(input.text.suffix(room - 1)), row, left + 1 + indent, width: room,
            fills: true)
        frame.putCursor(row, left + 1 + indent + TextWidth.of(input.beforeCursor) - hidden)
    }

    private static let leastColumns = 40
    private static let leastRows = 12
    static let valueColumn = 16
}
