// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBrowser
internal import KeychainCircle
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainOneTimeCodes
internal import KeychainRequest
internal import KeychainSync
internal import KeychainTools

/// What the browser wants of the keychain, done as the verbs do it.
final class BrowserKeychain {
    private let keychains: [ToolKeychain]
    private let clearAfter: Int
    private let scope = ItemScope.browsed
    /// The items that the browser knows, by their numbers, which are never used again.
    private var items: [Int: ToolItem] = [:]
    private var nextNumber = 1
    private var reading: Reading?
    private var open = LockWatch()
    /// The versions that were listed last, of one item and of removed ones.
    private var versions: [PastItem] = []
    private var removed: [PastItem] = []
    /// What belongs to the item whose parts were listed last.
    private var parts: [ShownPart] = []
    /// The one-time code that is on the screen, so that nobody is asked again for each that follows it.
    private var shownCode: (number: Int, seed: OneTimeCode, code: SecretValue)?

    /// A list that is being read.
    private struct Reading {
        var rest: [(keychain: ToolKeychain, itemClass: ItemClass)]
        var pages: ItemPages?
        var isFirst = true
        var items: [Int: ToolItem] = [:]
    }

    init(_ keychains: [ToolKeychain], clearAfter: Int) {
        self.keychains = keychains.map { keychain in
            var keychain = keychain
            // The browser has a screen of its own for that.
            keychain.asksToUnlock = false
            return keychain
        }
        self.clearAfter = clearAfter
    }

    // MARK: Lock

    /// Which of several were locked at the last look; nil for none, or all.
    private(set) var lockedPart: String?

    /// What became of the locks since the last look; nil where nothing did that the screen has to do with.
    func look() -> BrowserEvent? {
        let locked = lockedNames()
        let gone = open.look(locked.map { $0 != nil })
        note(locked)
        if let words = words(forAll: locked) { return .locked(words) }
        let names = gone.compactMap { locked[$0] }
        guard !names.isEmpty else { return nil }
        let subject = names.count == 1 ? "The keychain \(names[0]) is" : "Keychains are"
        let rest = names.count == 1 ? "" : ": \(names.joined(separator: ", "))"
        return .partLocked("\(subject) locked now\(rest).")
    }

    /// Why nothing can be shown: that all keychains are locked; nil where one is not.
    func lockedWords() -> String? {
        let locked = lockedNames()
        note(locked)
        return words(forAll: locked)
    }

    private func note(_ locked: [String?]) {
        let names = locked.compactMap(\.self)
        lockedPart = names.isEmpty || names.count == locked.count ? nil : names.joined(separator: ", ")
    }

    /// What each locked keychain is called, with what went wrong where that cannot be told; nil for an open one.
    private func lockedNames() -> [String?] {
        keychains.map { keychain in
            do throws(CommandError) {
                return try keychain.state().isLocked ? keychain.shownName : nil
            } catch { return "\(keychain.shownName): \(error.description)" }
        }
    }

    private func words(forAll locked: [String?]) -> String? {
        let names = locked.compactMap(\.self)
        guard names.count == locked.count else { return nil }
        return names.count == 1
            ? "The keychain \(names[0]) is locked." : "All keychains are locked: \(names.joined(separator: ", "))."
    }

    func lock() {
        for keychain in keychains { _ = try? keychain.perform(.lock) }
    }

    /// Asks for the passcode of each locked keychain in turn, until the person has enough of that; why all are still locked, or nil.
    func unlock() -> String? {
        for keychain in keychains {
            do throws(CommandError) {
                guard try keychain.state().isLocked else { continue }
                try PasscodeInput.using(nil, "The keychain \(keychain.shownName) is locked.") {
                    (passcode) throws(CommandError) in
                    _ = try keychain.perform(.unlock(passcode))
                }
            } catch { return lockedNames().contains(nil) ? nil : error.description }
        }
        return nil
    }

    /// Lets go of everything that was read.
    func forget() {
        (items, reading, versions, removed, parts) = ([:], nil, [], [], [])
        open = LockWatch()
        letGoOfCode()
    }

    /// The code is not on the screen any more.
    func letGoOfCode() { shownCode = nil }

    // MARK: The list

    var isReading: Bool { reading != nil }

    /// The next part of the list.
    func readOn() -> [BrowserEvent] {
        guard var reading else { return [] }
        do throws(CommandError) {
            var part: [ToolItem]?
            while part == nil {
                if let pages = reading.pages, let keychain = reading.rest.first?.keychain {
                    part = try scope.items(of: pages, in: keychain)
                    if part == nil {
                        reading.pages = nil
                        reading.rest.removeFirst()
                    }
                } else if let next = reading.rest.first {
                    reading.pages = scope.pages(next.itemClass, AttributeList(), in: next.keychain)
                } else {
                    part = []
                }
            }
            var shown: [BrowserItem] = []
            for item in part ?? [] {
                reading.items[nextNumber] = item
                // While the first list comes in, its items can be used already.
                items[nextNumber] = item
                shown.append(BrowserItem(item, nextNumber))
                nextNumber += 1
            }
            let event = BrowserEvent.items(shown, isFirst: reading.isFirst, isLast: reading.rest.isEmpty)
            reading.isFirst = false
            if reading.rest.isEmpty {
                items = reading.items
                self.reading = nil
            } else {
                self.reading = reading
            }
            return [event]
        } catch {
            self.reading = nil
            return [failure(error), .items([], isFirst: reading.isFirst, isLast: true)]
        }
    }

    private func startReading() {
        var rest: [(ToolKeychain, ItemClass)] = []
        for (place, keychain) in keychains.enumerated() where (try? keychain.state().isLocked) == false {
            open.note(place)
            for itemClass in scope.classes { rest.append((keychain, itemClass)) }
        }
        reading = Reading(rest: rest)
    }

    // MARK: Wishes

    /// Whether people are to see the screen before it is done.
    static func takesLong(_ wish: BrowserWish) -> Bool {
        switch wish {
        case .entries: true
        default: false
        }
    }

    /// Whether doing it may ask a person, or writes on the terminal.
    func needsTerminal(_ wish: BrowserWish) -> Bool {
        switch wish {
        case .show(let number), .copy(let number), .showPart(let number, _), .copyPart(let number, _),
            .savePart(let number, _, _):
            isGuarded(number)
        case .code(let number), .copyCode(let number): shownCode?.number != number && isGuarded(number)
        case .edit(let number, let edit): BrowserKeychain.asks(edit) || isGuarded(number)
        case .add(let item): !item.isGenerated
        case .ask, .run: true
        default: false
        }
    }

    private func isGuarded(_ number: Int) -> Bool { items[number]?.accessControl?.rules != nil }

    private static func asks(_ edit: ItemEdit) -> Bool {
        switch edit {
        case .typedPassword, .code, .field: true
        case .name, .user, .url, .note, .generatedPassword, .attachment, .tag, .otherTag, .expiry, .without: false
        }
    }

    func perform(_ wish: BrowserWish) -> [BrowserEvent] {
        do throws(CommandError) { return try performed(wish) } catch { return [failure(error)] }
    }

    private func failure(_ error: CommandError) -> BrowserEvent {
        if case .keychain(let cause) = error, cause.reason == .interactionNotAllowed, let words = lockedWords() {
            return .locked(words)
        }
        return .failed(error.description)
    }

    private func performed(_ wish: BrowserWish) throws(CommandError) -> [BrowserEvent] {
        switch wish {
        case .list: startReading()
        case .details(let number): return [.details(number, try BrowserText.details(of: try item(number)))]
        case .show(let number): return [.secret(number, try item(number).secret())]
        case .copy(let number):
            let item = try item(number)
            return [try copy(try item.secret(), "the password of \(item.title)")]
        case .copyUser(let number):
            let item = try item(number)
            guard !item.account.isEmpty else { throw .failure("\(item.title) has no user") }
            return [try copy(SecretValue(copying: Array(item.account.utf8)), "the user of \(item.title)")]
        case .copyText(let text): return [try copy(SecretValue(copying: Array(text.utf8)), "what to do")]
        case .code(let number):
            let (code, left, period) = try code(of: number)
            let now = BrowserSession.now()
            return [.code(number, code, until: now + UInt64(left) * 1000, period: UInt64(period) * 1000)]
        case .copyCode(let number):
            let title = try item(number).title
            // One that counts is used up when it is given: the one on the screen is meant.
            if let shown = shownCode, shown.number == number, shown.seed.isCounted {
                return [try copy(shown.code, "the one-time code of \(title)")]
            }
            return [try copy(try code(of: number).code, "the one-time code of \(title)")]
        case .add(let new): return [.changed(try add(new))]
        case .parts(let number):
            parts = try ShownPart.parts(of: try item(number))
            return [.parts(number, parts.map(\.shown))]
        case .showPart(let number, let index): return [.partSecret(number, index, try secret(ofPart: index))]
        case .copyPart(let number, let index):
            let name = PlainText.shown(parts.indices.contains(index) ? parts[index].shown.name : "")
            return [try copy(try secret(ofPart: index), "\(name) of \(try item(number).title)")]
        case .savePart(_, let index, let path): return [.told(try save(try secret(ofPart: index), into: path))]
        case .edit(let number, let edit): return [.changed(try change(try item(number), edit))]
        case .note(let number): return [.note(number, try note(of: try item(number)))]
        case .remove(let number):
            let item = try item(number)
            try RemoveVerb.run(try words(for: item)[...])
            let isKept = (try? PastItems.version(of: item)) != nil
            return [
                .changed(
                    "removed \(item.title)"
                        + (isKept ? "; \(PastVersion.days) days among the removed ones" : " for good"))
            ]
        case .history(let number):
            versions = try PastItems.versions(of: try item(number))
            return [.history(number, versions.map { BrowserText.entry(for: $0) })]
        case .showVersion(let number): return [.pastSecret(number, try version(number).secret())]
        case .bringBack(let number):
            let past = try version(number)
            try PastItems.bringBack(past, scope)
            return [.changed("\(past.item.title) is again what it was in version \(number)")]
        case .undelete(let index):
            guard removed.indices.contains(index) else { throw .notFound("the item is not among the removed ones") }
            try PastItems.bringBack(removed[index], scope)
            return [.changed("brought back \(removed[index].item.title)")]
        case .run(let words): return [.changed(try TerminalCommand.run(words))]
        case .entries(let view): return [try entries(of: view)]
        case .ask(let view):
            for keychain in keychains where try CircleTool(of: keychain).isInCircle {
                try CircleTool(of: keychain).round(.look)
            }
            return [try entries(of: view)]
        // The session does these itself.
        case .lock, .unlock, .suspend, .redraw, .quit: break
        }
        return []
    }

    private func entries(of view: BrowserView) throws(CommandError) -> BrowserEvent {
        switch view {
        case .passwords, .programs, .keys: break
        case .certificates:
            let certificates = items.values.filter { $0.itemClass == .certificate && $0.damage == nil }
            return .entries(
                view, columns: CertificateChains.columns, try CertificateChains(certificates).entries, note: "")
        case .removed:
            removed = []
            for keychain in keychains { removed += try PastItems(in: [keychain], scope).removed(scope) }
            return .entries(
                view, columns: ["NAME", "REMOVED", "KIND", "KEYCHAIN"],
                removed.enumerated().map { BrowserText.removedEntry(for: $1, $0) },
                note: "kept for \(PastVersion.days) days; u brings one back")
        case .circle: return try BrowserText.circle(of: keychains)
        case .audit: return try BrowserText.audit(of: keychains)
        case .doctor:
            var findings: [Diagnosis] = []
            for keychain in keychains { findings += DoctorVerb.findings(of: keychain) }
            findings += PlaintextExamination.findings()
            return BrowserText.doctor(findings)
        }
        return .entries(view, columns: [], [], note: "")
    }

    private func version(_ number: Int) throws(CommandError) -> PastItem {
        guard let past = versions.first(where: { $0.version.number == number }) else {
            throw .notFound("there is no version \(number) any more")
        }
        return past
    }

    // MARK: Items

    /// A code, how many seconds it is good, and how long each of them is; zeros for one that counts.
    private func code(of number: Int) throws(CommandError) -> (code: SecretValue, left: UInt32, period: UInt32) {
        let now = UInt64(max(0, time(nil)))
        let seed: OneTimeCode
        if let shown = shownCode, shown.number == number, !shown.seed.isCounted {
            seed = shown.seed
        } else {
            let item = try item(number)
            guard let further = try item.code() else {
                throw .notFound("\(item.title) has no one-time code; f, n and o give it one")
            }
            seed = try further.seed()
            guard !seed.isCounted else {
                let code = try further.nextCode(seed)
                shownCode = (number, seed, code)
                return (code, 0, 0)
            }
        }
        let code = try FurtherItem.translating { () throws(CryptoError) in try seed.code(at: now) }
        shownCode = (number, seed, code)
        let left = seed.secondsLeft(at: now) ?? 0
        guard case .timed(let period) = seed.kind else { return (code, left, left) }
        return (code, left, period)
    }

    private func note(of item: ToolItem) throws(CommandError) -> ItemNote {
        if try item.furtherItems().contains(where: { $0.kind == .notes }) { return .secret }
        let text = item.text(.comment)
        return text.contains("\n") ? .lines : .line(text)
    }

    /// The verb does the change, with everything that belongs to one.
    private func change(_ item: ToolItem, _ edit: ItemEdit) throws(CommandError) -> String {
        let words = try words(for: item)
        let what: String
        switch edit {
        case .name(let name):
            // Behind the option, so that no name is one.
            try RenameVerb.run((Array(words.dropFirst()) + ["--", words[0], name])[...])
            return "renamed \(item.title) to \(PlainText.shown(name))"
        case .user(let user):
            try EditVerb.run((words + ["--new-user=\(user)"])[...])
            what = "user"
        case .url(let url):
            try EditVerb.run((words + ["--url=\(url)"])[...])
            what = "URL"
        case .note(let note):
            try EditVerb.run((words + ["--note=\(note)"])[...])
            what = "note"
        case .typedPassword:
            try EditVerb.run(words[...])
            what = "password"
        case .generatedPassword:
            try EditVerb.run((words + ["--generate"])[...])
            what = "password, to a generated one"
        case .code:
            try EditVerb.run((words + ["--code"])[...])
            what = "one-time code"
        case .field(let name):
            try EditVerb.run((words + ["--field=\(name)"])[...])
            if case .note = ItemField(name) { what = "note" } else { what = "field \(PlainText.shown(name))" }
        case .attachment(let path):
            try EditVerb.run((words + ["--attach=\(BrowserKeychain.path(path))"])[...])
            what = "attachment \(PlainText.shown(path))"
        case .tag(let tag):
            try EditVerb.run((words + ["--tag=\(tag)"])[...])
            what = "tags"
        case .otherTag(let tag, let other):
            try EditVerb.run((words + ["--no-tag=\(other)", "--tag=\(tag)"])[...])
            what = "tags"
        case .expiry(let day):
            try EditVerb.run((words + ["--expires=\(day)"])[...])
            what = "expiry"
        case .without(let part):
            try EditVerb.run((words + ShownPart.removal(of: part))[...])
            what = "\(PlainText.shown(part.name)) removed"
        }
        return "changed \(item.title): \(what)"
    }

    private func add(_ new: NewItem) throws(CommandError) -> String {
        guard let keychain = keychains.first else { throw .notFound("there is no keychain") }
        var words = ["--keychain=\(KeychainNames.name(of: keychain.place))", "--quiet"]
        if !new.user.isEmpty { words.append("--user=\(new.user)") }
        if !new.url.isEmpty { words.append("--url=\(new.url)") }
        if new.isGenerated { words.append("--generate") }
        try AddVerb.run((words + ["--", new.name])[...])
        return "added \(PlainText.shown(new.name))" + (new.isGenerated ? ", with a generated password" : "")
    }

    private func secret(ofPart index: Int) throws(CommandError) -> SecretValue {
        guard parts.indices.contains(index), let further = parts[index].further else {
            throw .notFound("it no longer exists")
        }
        return try further.secret()
    }

    private func save(_ secret: SecretValue, into path: String) throws(CommandError) -> String {
        guard !path.isEmpty else { throw .failure("the file has no name") }
        let file = try NewFile(for: BrowserKeychain.path(path))
        try unsafe secret.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe file.write(bytes) }
        try file.takeEmptyPlace()
        return "\(PlainText.shown(path)) has it, for you alone to read"
    }

    /// As a shell reads it that meets a tilde.
    private static func path(_ typed: String) -> String {
        guard typed.hasPrefix("~/"), let home = ProgramSearch.variable("HOME") else { return typed }
        return home + typed.dropFirst()
    }

    /// The words by which a verb finds exactly this item.
    private func words(for item: ToolItem) throws(CommandError) -> [String] {
        guard !item.identifier.isEmpty else {
            try item.requireWhole()
            return []
        }
        return [item.identifier, "--keychain=\(KeychainNames.name(of: item.keychain.place))", "--quiet"]
    }

    private func item(_ number: Int) throws(CommandError) -> ToolItem {
        guard let item = items[number] else { throw .notFound("the item no longer exists") }
        return item
    }

    private func copy(_ secret: SecretValue, _ what: String) throws(CommandError) -> BrowserEvent {
        let clipboard = try Clipboard.here("`llavero get` prints it")
        try CopyVerb.put(secret, into: clipboard, for: clearAfter)
        return .told("\(what) \(clipboard.place(for: clearAfter))")
    }
}
