// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What each key does; `KeyHelp` says it to people.
extension Browser {
    mutating func press(_ key: BrowserKey) -> [BrowserWish] {
        switch key {
        case .control("c"): return [.quit]
        case .control("z"):
            hideSecrets()
            return [.suspend]
        case .control("l"):
            hideSecrets()
            return [.redraw]
        default: break
        }
        if let dialog { return press(key, in: dialog) }
        if isSearching, pages.isEmpty, let wishes = pressInSearch(key) { return wishes }
        if case .character(let letter) = key, let wishes = press(letter) { return wishes }
        switch key {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: move(by: -max(1, listRows - 1))
        case .pageDown: move(by: max(1, listRows - 1))
        case .home: move(by: -1_000_000_000)
        case .end: move(by: 1_000_000_000)
        case .tab, .right: return pages.isEmpty ? show(step: 1) : []
        case .backTab: return pages.isEmpty ? show(step: -1) : []
        case .left: return pages.isEmpty ? show(step: -1) : back()
        case .enter: return open()
        case .escape, .backspace: return back()
        case .character, .control, .other: break
        }
        return []
    }

    func pressLocked(_ key: BrowserKey) -> [BrowserWish] {
        switch key {
        case .enter: [.unlock]
        case .character("q"), .control("c"): [.quit]
        case .control("z"): [.suspend]
        default: []
        }
    }

    private mutating func press(_ letter: Unicode.Scalar) -> [BrowserWish]? {
        switch letter {
        case "q":
            if pages.isEmpty { return [.quit] }
            return back()
        case "?":
            if case .help? = pages.last { return back() }
            pages.append(.help(top: 0))
            return []
        case "L":
            // The screen is empty once the keychain says that it is locked; the secret goes at once.
            hideSecrets()
            return [.lock]
        default: break
        }
        switch pages.last {
        case .help: return []
        case .history(let page): return press(letter, inHistory: page)
        case .parts(let page): return press(letter, inParts: page)
        case .text: return letter == "s" ? back() : []
        case .entry(let page): return act(letter, page.entry) ?? []
        case .item: return actOnItem(letter) ?? []
        case nil: break
        }
        if let number = Int(String(Character(letter))), let view = BrowserView(rawValue: number - 1) {
            return show(view)
        }
        switch letter {
        case "/":
            isSearching = true
            return []
        case "r":
            tables[view] = nil
            list()
            return readAgain()
        case "a" where view == .circle: return [.ask(.circle)]
        case "n" where view.listsItems:
            dialog = .new(NewItemForm())
            return []
        default: break
        }
        if let wishes = actOnItem(letter) { return wishes }
        return selectedEntry.flatMap { act(letter, $0) } ?? []
    }

    // MARK: Views

    mutating func show(_ view: BrowserView) -> [BrowserWish] {
        hideSecrets()
        // What was looked for in one view would hide most of another, and nobody would see why.
        if view != self.view { (query, isSearching) = (LineInput(), false) }
        self.view = view
        pages = []
        list()
        return view.listsItems || tables[view] != nil ? [] : [.entries(view)]
    }

    private mutating func show(step: Int) -> [BrowserWish] {
        let count = BrowserView.allCases.count
        return show(BrowserView(rawValue: (view.rawValue + step + count) % count) ?? .passwords)
    }

    /// nil for keys that the list takes.
    private mutating func pressInSearch(_ key: BrowserKey) -> [BrowserWish]? {
        switch key {
        case .escape:
            isSearching = false
            query = LineInput()
        case .enter:
            isSearching = false
            return []
        case .up, .down, .pageUp, .pageDown, .tab, .backTab: return nil
        default: guard query.press(key) else { return [] }
        }
        places[view] = ListPlace()
        list()
        return []
    }

    /// Goes into what is selected.
    private mutating func open() -> [BrowserWish] {
        guard pages.isEmpty else {
            if case .history(let page)? = pages.last { return press("s", inHistory: page) }
            if case .parts(let page)? = pages.last { return press("s", inParts: page) }
            return []
        }
        if let item = selectedItem { return openItem(item.number) }
        guard let entry = selectedEntry, !entry.fields.isEmpty else { return [] }
        pages.append(.entry(EntryPage(entry: entry)))
        return []
    }

    private mutating func openItem(_ number: Int) -> [BrowserWish] {
        hideSecrets()
        pages.append(.item(ItemPage(number: number)))
        return [.details(number)]
    }

    mutating func back() -> [BrowserWish] {
        // It goes with what it shows.
        if case .text? = pages.last {
            hideSecrets()
            return []
        }
        hideSecrets()
        if pages.popLast() == nil, !query.letters.isEmpty {
            query = LineInput()
            list()
        }
        return []
    }

    private mutating func move(by lines: Int) {
        switch pages.last {
        case nil:
            var place = places[view] ?? ListPlace()
            let all = self.lines
            place.move(by: lines, of: all.count, rows: listRows) { isHeading(all[$0]) }
            places[view] = place
        case .item(var page)?:
            page.top = max(0, min(page.top + lines, fieldLines(of: page.fields).count - 1))
            pages[pages.count - 1] = .item(page)
        case .entry(var page)?:
            page.top = max(0, min(page.top + lines, fieldLines(of: page.entry.fields).count - 1))
            pages[pages.count - 1] = .entry(page)
        case .history(var page)?:
            secret = nil
            page.place.move(by: lines, of: page.entries.count, rows: listRows) { page.entries[$0].isHeading }
            pages[pages.count - 1] = .history(page)
        case .parts(var page)?:
            secret = nil
            page.place.move(by: lines, of: page.parts.count, rows: listRows) { _ in false }
            pages[pages.count - 1] = .parts(page)
        case .text(var page)?:
            page.top = max(0, min(page.top + lines, page.layout.lines.count - 1))
            pages[pages.count - 1] = .text(page)
        case .help(let top)?:
            pages[pages.count - 1] = .help(top: max(0, min(top + lines, helpLines.count - helpRows)))
        }
    }

    mutating func click(_ row: Int, _ column: Int) -> [BrowserWish] {
        guard dialog == nil else { return [] }
        if row == Browser.tabRow {
            for (view, place) in tabs where place.contains(column) { return show(view) }
            return []
        }
        guard pages.isEmpty else {
            click(onPage: row)
            return []
        }
        var place = places[view] ?? ListPlace()
        let line = place.top + row - Browser.firstListRow
        guard row >= Browser.firstListRow, row < Browser.firstListRow + listRows, lines.indices.contains(line),
            !isHeading(lines[line])
        else { return [] }
        // The second click opens.
        if place.selected == line { return open() }
        place.selected = line
        places[view] = place
        return []
    }

    // MARK: Items and entries

    /// nil where no item is selected, or the letter is none of an item's.
    private mutating func actOnItem(_ letter: Unicode.Scalar) -> [BrowserWish]? {
        guard let item = selectedItem else { return nil }
        switch (letter, item.kind) {
        case ("s", .password):
            if secret?.owner == .item(item.number) {
                secret = nil
                return []
            }
            guard pages.isEmpty else { return [.show(item.number)] }
            return openItem(item.number) + [.show(item.number)]
        case ("c", .password): return [.copy(item.number)]
        case ("u", .password): return [.copyUser(item.number)]
        case ("o", .password):
            if code?.owner == item.number {
                code = nil
                return []
            }
            guard pages.isEmpty else { return [.code(item.number)] }
            return openItem(item.number) + [.code(item.number)]
        case ("O", .password): return [.copyCode(item.number)]
        case ("f", .password): return [.parts(item.number)]
        case ("e", .password): dialog = .edit(item.number)
        case ("g", .password): dialog = Browser.generation(of: item)
        case ("h", _): return [.history(item.number)]
        case ("x", _): dialog = .confirm("Remove \(title(item))?", .remove(item.number))
        case ("s", _), ("c", _), ("e", _), ("g", _), ("f", _):
            message = BrowserMessage(
                text:
                    "a \(item.kind == .key ? "key" : "certificate") is not shown or changed here; `llavero export` writes it into a file",
                style: .warning, until: now + 8000)
        default: return nil
        }
        return []
    }

    private static func generation(of item: BrowserItem) -> BrowserDialog {
        .confirm(
            "Generate a new password for \(item.name)? The one it has now becomes an earlier version.",
            .edit(item.number, .generatedPassword))
    }

    func title(_ item: BrowserItem) -> String { item.user.isEmpty ? item.name : "\(item.name) (user \(item.user))" }

    private mutating func act(_ letter: Unicode.Scalar, _ entry: BrowserEntry) -> [BrowserWish]? {
        switch (view, letter) {
        case (.removed, "u"):
            guard let number = entry.number else { return nil }
            return [.undelete(number)]
        case (.doctor, "a"):
            guard !entry.command.isEmpty else {
                message = BrowserMessage(
                    text: "nothing can be run for this one; c copies what to do", style: .warning, until: now + 8000)
                return []
            }
            dialog = .confirm("Run `llavero \(entry.command.joined(separator: " "))`?", .run(entry.command))
            return []
        case (.doctor, "c"):
            guard let fix = entry.fields.last(where: { $0.name == "do" }) else { return nil }
            return [.copyText(fix.text)]
        default: return nil
        }
    }

    private mutating func press(_ letter: Unicode.Scalar, inHistory page: HistoryPage) -> [BrowserWish] {
        guard page.entries.indices.contains(page.place.selected), let number = page.entries[page.place.selected].number
        else { return [] }
        switch letter {
        case "s":
            if secret?.owner == .version(number) {
                secret = nil
                return []
            }
            return [.showVersion(number)]
        case "b":
            dialog = .confirm("Make it again what it was in version \(number)?", .bringBack(number))
        default: break
        }
        return []
    }

    // MARK: Dialogs

    private mutating func press(_ key: BrowserKey, in dialog: BrowserDialog) -> [BrowserWish] {
        switch dialog {
        case .message:
            // What failed can be typed in another way.
            self.dialog = typed
            typed = nil
        case .confirm(_, let wish):
            self.dialog = nil
            guard key == .character("y") else { return [] }
            hideSecrets()
            if case .bringBack = wish { pages.removeAll { if case .history = $0 { true } else { false } } }
            return [wish]
        case .edit(let number):
            self.dialog = nil
            return edit(key, number)
        case .more(let number):
            self.dialog = nil
            return add(key, to: number)
        case .new(let form): press(key, in: form)
        case .passwordOf(let form): return choose(key, form)
        case .input(var input):
            switch key {
            case .escape: self.dialog = nil
            case .enter:
                (self.dialog, typed) = (nil, .input(input))
                return [input.wish]
            default:
                _ = input.line.press(key)
                self.dialog = .input(input)
            }
        }
        return []
    }

    private mutating func edit(_ key: BrowserKey, _ number: Int) -> [BrowserWish] {
        guard let item = items.item(number) else { return [] }
        switch key {
        case .character("n"): ask("New name", .name, of: number, item.name)
        case .character("u"): ask("New user", .user, of: number, item.user)
        case .character("l"):
            // Without a URL its place is its name.
            let hasNone = item.place.hasSameBytes(as: item.name) && !item.place.contains("://")
            ask("New URL", .url, of: number, hasNone ? "" : item.place)
        case .character("t"): return [.note(number)]
        case .character("f"): return [.parts(number)]
        case .character("p"): return [.edit(number, .typedPassword)]
        case .character("g"): dialog = Browser.generation(of: item)
        default: break
        }
        return []
    }

    mutating func ask(_ title: String, _ purpose: BrowserInput.Purpose, of number: Int, _ text: String) {
        dialog = .input(BrowserInput(title: title, number: number, purpose: purpose, line: LineInput(text)))
    }
}

/// The keys, as `?` and the manual list them.
package enum KeyHelp {
    package static let lines: [(keys: String, what: String)] = [
        ("up, down, Page Up, Page Down, Home, End", "move; the mouse's wheel too, with --mouse"),
        ("1 to 8, Tab, Shift-Tab, left, right", "another view"),
        ("/", "search as you type: every word has to be in name, user, URL, group or note"),
        (
            "Enter",
            "opens what is selected; in the search: back to the list, which stays filtered until another view is chosen"
        ),
        ("Esc", "back; in the list: ends the search"),
        ("s", "shows the password for a while, or hides it"),
        ("c", "copies the password, as `llavero copy` does"),
        ("u", "copies the user; among removed items: brings it back"),
        ("o, O", "shows the one-time code, copies it"),
        ("e", "changes name, user, URL, note or password"),
        ("g", "generates a new password"),
        ("n", "a new item: name, user, URL, and a password that is generated or typed"),
        (
            "f",
            "fields, attachments, tags, expiry, codes: s shows one, c copies it, w writes it into a file, n adds, e changes, x removes"
        ),
        ("h", "earlier versions: s shows the password of one, b brings it back"),
        ("x", "removes the item"),
        ("a", "doctor: runs what mends it; circle: asks the server"),
        ("r", "reads everything anew"),
        ("L", "locks the keychain"),
        ("?", "these keys"),
        ("q, Ctrl-C", "ends; Ctrl-Z suspends, Ctrl-L hides secrets and draws the screen anew"),
    ]
}
