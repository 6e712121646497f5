// SPDX-License-Identifier: Apache-2.0

internal import KeychainBrowser
internal import KeychainModel
internal import KeychainRequest
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
    /// The versions that were listed last, of one item and of removed ones.
    private var versions: [PastItem] = []
    private var removed: [PastItem] = []

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

    /// Why nothing can be shown: that all keychains are locked; nil where one is not.
    func lockedWords() -> String? {
        var locked: [String] = []
        for keychain in keychains {
            do throws(CommandError) {
                guard try keychain.state().isLocked else { return nil }
                locked.append(keychain.shownName)
            } catch { locked.append("\(keychain.shownName): \(error.description)") }
        }
        return locked.count == 1
            ? "The keychain \(locked[0]) is locked." : "All keychains are locked: \(locked.joined(separator: ", "))."
    }

    func lock() {
        for keychain in keychains { _ = try? keychain.perform(.lock) }
    }

    /// Asks for the passcode of each locked keychain; why it is still locked, or nil.
    func unlock() -> String? {
        for keychain in keychains {
            do throws(CommandError) {
                guard try keychain.state().isLocked else { continue }
                try PasscodeInput.using(nil, "The keychain \(keychain.shownName) is locked.") {
                    (passcode) throws(CommandError) in
                    _ = try keychain.perform(.unlock(passcode))
                }
            } catch { return error.description }
        }
        return nil
    }

    /// Lets go of everything that was read.
    func forget() { (items, reading, versions, removed) = ([:], nil, [], []) }

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
        for keychain in keychains where (try? keychain.state().isLocked) == false {
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
        case .show(let number), .copy(let number), .code(let number), .copyCode(let number):
            items[number]?.accessControl?.rules != nil
        case .edit(let number, let edit): edit == .typedPassword || items[number]?.accessControl?.rules != nil
        case .ask, .run: true
        default: false
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
        case .details(let number): return [.details(number, try details(of: try item(number)))]
        case .show(let number): return [.secret(number, try item(number).secret())]
        case .copy(let number):
            let item = try item(number)
            return [try copy(try item.secret(), "the password of \(item.title)")]
        case .copyUser(let number):
            let item = try item(number)
            guard !item.account.isEmpty else { throw .failure("\(item.title) has no user") }
            return [try copy(SecretValue(copying: Array(item.account.utf8)), "the user of \(item.title)")]
        case .copyText(let text): return [try copy(SecretValue(copying: Array(text.utf8)), "what to do")]
        case .code, .copyCode, .edit, .remove, .history, .showVersion, .bringBack, .undelete, .run, .entries, .ask:
            break
        case .lock, .unlock, .suspend, .quit: break
        }
        return []
    }

    private func item(_ number: Int) throws(CommandError) -> ToolItem {
        guard let item = items[number] else { throw .notFound("the item no longer exists") }
        return item
    }

    private func copy(_ secret: SecretValue, _ what: String) throws(CommandError) -> BrowserEvent {
        try CopyVerb.put(secret, into: try CopyVerb.here("`llavero get` prints it"), for: clearAfter)
        return .told("\(what) is in the clipboard for \(clearAfter) seconds")
    }

    private func details(of item: ToolItem) throws(CommandError) -> [BrowserField] {
        ItemDetails(item).members.map { BrowserField($0, PlainText.shown($1)) }
    }
}

extension BrowserItem {
    init(_ item: ToolItem, _ number: Int) {
        let kind: Kind =
            switch item.itemClass {
            case .genericPassword, .internetPassword: .password
            case .certificate: .certificate
            case .key: .key
            }
        self.init(
            number: number, identifier: item.identifier, kind: kind, name: item.name, user: item.account,
            place: item.place, group: item.group, isOwn: item.group.hasSameBytes(as: AccessGroup.passwords.name),
            changed: String(item.text(.modificationDate).prefix(10)), notes: item.text(.comment),
            mark: item.damage == nil ? "" : "damaged")
    }
}
