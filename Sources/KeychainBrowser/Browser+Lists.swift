// SPDX-License-Identifier: Apache-2.0

/// What is listed, which line is selected, and how a list that is read anew takes the place of the one before.
extension Browser {
    mutating func take(_ part: [BrowserItem], _ isFirst: Bool, _ isLast: Bool) -> [BrowserWish] {
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
        let old = items
        var selected = listedItem?.identifier
        items = ItemIndex()
        items.insert(collected + part)
        incoming = nil
        if let new = awaited {
            awaited = nil
            // Where something was searched for, a new item need not be among what was found.
            (view, pages, query, isSearching) = (.passwords, [], LineInput(), false)
            selected = items.identifier(named: new.name, user: new.user) ?? selected
        }
        list(selecting: selected)
        // Pages are about the same items as before, which have other numbers now.
        var wishes: [BrowserWish] = []
        pages = pages.compactMap { page in
            func number(_ number: Int) -> Int? {
                guard let identifier = old.item(number)?.identifier, !identifier.isEmpty else { return nil }
                return items.place(identifier: identifier).map { items[$0].number }
            }
            switch page {
            case .item(var page):
                guard let now = number(page.number) else { return nil }
                page.number = now
                wishes.append(.details(now))
                return .item(page)
            case .parts(var page):
                guard let now = number(page.number) else { return nil }
                page.number = now
                wishes.append(.parts(now))
                return .parts(page)
            case .history, .text, .entry, .help: return page
            }
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
        switch pages.last {
        case .item(let page)?: return items.item(page.number)
        case nil: return listedItem
        case .history?, .parts?, .text?, .entry?, .help?: return nil
        }
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
        case .item, .parts, .text, .help: return nil
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
