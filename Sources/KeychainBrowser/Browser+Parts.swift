// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// What belongs to an item besides its password, and items that are added.
extension Browser {
    /// The page with these parts, or the one that is there, as it is now.
    mutating func take(_ parts: [BrowserPart], of number: Int) {
        for index in pages.indices {
            guard case .parts(var page) = pages[index], page.number == number else { continue }
            page.parts = parts
            page.place.settle(parts.count, rows: listRows) { _ in false }
            pages[index] = .parts(page)
            return
        }
        hideSecrets()
        pages.append(.parts(PartsPage(number: number, parts: parts)))
    }

    /// What has many lines gets a page of its own.
    mutating func reveal(part index: Int, of number: Int, _ value: SecretValue) {
        guard case .parts(let page)? = pages.last, page.number == number, page.parts.indices.contains(index) else {
            return
        }
        let part = page.parts[index]
        guard reveal(.part(index), value, called: part.name, otherwise: "w writes it into a file"),
            part.kind == .attachment || part.kind == .note
        else { return }
        pages.append(.text(TextPage(title: part.name, secret: value, layout: layout(of: value))))
    }

    func layout(of secret: SecretValue) -> SecretLayout {
        SecretLayout(secret, columns: columns, isUnicode: settings.isUnicode)
    }

    mutating func press(_ letter: Unicode.Scalar, inParts page: PartsPage) -> [BrowserWish] {
        let (number, index) = (page.number, page.place.selected)
        if letter == "n" {
            dialog = .more(number)
            return []
        }
        guard let part = page.selected else { return [] }
        switch letter {
        case "s":
            guard part.isSecret else { return [] }
            guard secret?.owner != .part(index) else {
                hideSecrets()
                return []
            }
            return [.showPart(number, index)]
        case "c": return part.isSecret ? [.copyPart(number, index)] : [.copyText(part.text)]
        case "w": ask("Write it into the file", .place(index), of: number, Browser.fileName(part.name))
        case "x":
            let what = part.kind == .expiry ? "the expiry" : "the \(part.word) \(part.name)"
            dialog = .confirm("Remove \(what)?", .edit(number, .without(part)))
        case "e":
            switch part.kind {
            case .code: return [.edit(number, .code)]
            case .field, .shownField: return [.edit(number, .field(part.name))]
            case .tag: ask("Tag", .otherTag(part.text), of: number, part.text)
            case .expiry: ask(Browser.expiryTitle, .expiry, of: number, part.text)
            case .note: return [.edit(number, .field("note"))]
            case .attachment:
                message = BrowserMessage(
                    text: "n stores a file of the same name in its place", style: .warning, until: now + 8000)
            }
        default: break
        }
        return []
    }

    /// A name in the folder that the browser was started in, whatever the attachment is called.
    private static func fileName(_ name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? ""
        return [".", "..", ""].contains(last) ? "attachment" : last
    }

    mutating func add(_ key: BrowserKey, to number: Int) -> [BrowserWish] {
        switch key {
        case .character("f"): ask("The field's name", .field, of: number, "")
        case .character("a"): ask("The file's path", .attachment, of: number, "")
        case .character("t"): ask("Tag", .tag, of: number, "")
        case .character("e"): ask(Browser.expiryTitle, .expiry, of: number, "")
        case .character("o"): return [.edit(number, .code)]
        default: break
        }
        return []
    }

    /// Selects what was clicked on.
    mutating func click(onPage row: Int) {
        let line = row - Browser.firstListRow
        guard line >= 0 else { return }
        switch pages.last {
        case .history(var page)? where line < historyRows && page.entries.indices.contains(page.place.top + line):
            secret = nil
            page.place.selected = page.place.top + line
            pages[pages.count - 1] = .history(page)
        case .parts(var page)? where line < historyRows && page.parts.indices.contains(page.place.top + line):
            secret = nil
            page.place.selected = page.place.top + line
            pages[pages.count - 1] = .parts(page)
        default: break
        }
    }

    /// How many lines of a page's list there is room for, with what is shown of one below.
    var historyRows: Int { max(1, listRows - 4) }

    // MARK: Items that are added

    mutating func press(_ key: BrowserKey, in form: NewItemForm) {
        var form = form
        let last = form.lines.count - 1
        switch key {
        case .escape:
            dialog = nil
            return
        case .up, .backTab: form.current = max(0, form.current - 1)
        case .down, .tab: form.current = min(last, form.current + 1)
        case .enter where form.current < last: form.current += 1
        case .enter:
            guard !form.lines[0].letters.isEmpty else {
                (form.problem, form.current) = ("It needs a name.", 0)
                break
            }
            dialog = .passwordOf(form)
            return
        default:
            form.problem = ""
            _ = form.lines[form.current].press(key)
        }
        dialog = .new(form)
    }

    mutating func choose(_ key: BrowserKey, _ form: NewItemForm) -> [BrowserWish] {
        switch key {
        case .character("g"), .character("p"):
            let item = form.item(isGenerated: key == .character("g"))
            (dialog, typed, awaited) = (nil, .new(form), item)
            return [.add(item)]
        case .escape: dialog = .new(form)
        default: break
        }
        return []
    }

    // MARK: Drawing

    func draw(_ page: PartsPage, _ frame: inout ScreenFrame) {
        let name = items.item(page.number).map(title) ?? "the item"
        frame.put("Fields and files of \(name)", 2, 0, .strong)
        if page.parts.isEmpty { frame.put("it has none; n adds one", Browser.firstListRow, 1, .faint) }
        var end = Browser.firstListRow
        let widths = [13, max(12, columns / 3), max(1, columns - 15 - max(12, columns / 3))]
        for (offset, part) in page.parts.dropFirst(page.place.top).prefix(historyRows).enumerated() {
            let row = Browser.firstListRow + offset
            let style: ScreenStyle = page.place.top + offset == page.place.selected ? .selected : .plain
            drawCells([part.word, part.name, part.isSecret ? "••••••••" : part.text], widths, row, style, &frame)
            end = row + 1
        }
        if let shown = secret { _ = draw(shown, from: end + 1, &frame) }
    }

    func draw(_ page: TextPage, _ frame: inout ScreenFrame) {
        frame.put(page.title, 2, 0, .strong)
        let room = max(1, rows - Browser.firstListRow - 3)
        let layout = page.layout
        frame.put(layout, from: page.top, rows: Browser.firstListRow..<Browser.firstListRow + room, 0)
        let last = min(page.top + room, layout.lines.count)
        var words = "lines \(min(page.top + 1, last)) to \(last) of \(layout.lines.count)"
        if page.secret.count == 0 { words = "empty" }
        if !layout.isText { words += "; no text: its bytes in hexadecimal" }
        if let shown = secret { words += "; shown for \(secondsLeft(of: shown)) s" }
        frame.put(words, rows - 3, 0, .warning)
    }

    /// What can be chosen, or typed, in the form of a new item.
    static func lines(of form: NewItemForm) -> [String] {
        ["A new item: Enter goes on, Esc ends.", ""]
            + zip(NewItemForm.titles, form.lines).map { title, line in
                title + String(repeating: " ", count: inputColumn - title.count) + line.text
            } + ["", form.problem]
    }

    /// Where what is typed begins.
    static let inputColumn = 6
    private static let expiryTitle = "No good any more from (2026-12-31; empty for never)"
}
