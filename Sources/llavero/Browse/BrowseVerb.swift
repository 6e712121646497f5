// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBrowser
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero browse`.
enum BrowseVerb: Verb {
    static let name = "browse"
    static let summary = "shows the keychain on the whole screen, to search and to work in"
    static let help = """
        usage: llavero browse [--keychain NAME] [--hide-after N] [--clear-after N] [--mouse]

        Shows the keychain on the whole terminal, also over ssh: search as you type, add items, show and copy passwords, one-time codes,
        fields and attachments, change them, earlier versions, removed items, certificates as chains, keys and where they live,
        the members of the circle, the audit log, and what `llavero doctor` finds. The key ? lists the keys.

        A password is shown only when s is pressed, and for 30 seconds at most. It is on the terminal's other screen, which has no
        history, and erased before the program leaves that. When the keychain is locked, or no key was pressed for as long as
        `llavero settings --lock-after` says, the screen is cleared. It needs the package libncursesw6.

          --hide-after N    hides a password after N seconds
          --clear-after N   removes what was copied from the clipboard after N seconds instead of 45
          --mouse           the wheel moves, a click selects, a second one opens; the terminal itself selects with Shift then
          --keychain NAME   another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let hideAfter = try options.number("--hide-after", in: 1...3600, "a number from 1 to 3600") ?? 30
        let clearAfter = try options.number("--clear-after", in: 1...3600, "a number from 1 to 3600") ?? 45
        guard Screen.hasInput, Screen.output.isTerminal else {
            throw .needsPerson("browse needs a terminal; `llavero list`, `show` and `get` do without")
        }
        guard !["", "dumb"].contains(ProgramSearch.variable("TERM") ?? "") else {
            throw .needsPerson(
                "browse needs a terminal that can move its cursor, and TERM says that this one cannot; `llavero list`, `show` and `get` do without"
            )
        }
        let all = try Keychains(options)
        let keychains = all.searched
        guard let first = keychains.first else { throw .notFound(all.standard.noneYet) }
        var lockAfter: UInt32?
        for keychain in keychains {
            if let timeout = try keychain.settings().timeout { lockAfter = min(timeout, lockAfter ?? timeout) }
        }
        let screen = try TerminalScreen(hasMouse: options.has("--mouse"))
        let size = screen.size
        let settings = Browser.Settings(
            keychain: keychains.count == 1 ? first.shownName : "\(keychains.count) keychains",
            hideAfterSeconds: hideAfter, lockAfterSeconds: lockAfter, isUnicode: screen.isUnicode)
        var session = BrowserSession(
            Browser(settings, columns: size.columns, rows: size.rows, at: BrowserSession.now()), on: screen,
            BrowserKeychain(keychains, clearAfter: clearAfter))
        session.run()
    }
}

/// The browser with its terminal and its keychain: events to it, its wishes to them, until it is to end.
struct BrowserSession {
    private var browser: Browser
    private let screen: TerminalScreen
    private let keychain: BrowserKeychain
    private var wishes: [BrowserWish] = []
    private var isOver = false
    private var lookedAt: UInt64 = 0

    init(_ browser: Browser, on screen: TerminalScreen, _ keychain: BrowserKeychain) {
        (self.browser, self.screen, self.keychain) = (browser, screen, keychain)
    }

    mutating func run() {
        defer { screen.leave() }
        if let words = keychain.lockedWords() { tell(.locked(words)) } else { wishes = [.list] }
        tell(.lockedPart(keychain.lockedPart))
        lookedAt = BrowserSession.now()
        while !isOver {
            // A list comes in parts, and keys come first.
            if wishes.isEmpty, keychain.isReading {
                if let input = screen.next(within: 0) {
                    take(input)
                } else {
                    for event in keychain.readOn() { tell(event) }
                }
            } else if let wish = wishes.first {
                wishes.removeFirst()
                perform(wish)
            } else {
                if let input = screen.next(within: patience) { take(input) } else { tell(.tick) }
                lookForLock()
            }
            if !browser.showsCode { keychain.letGoOfCode() }
            // What was wanted is done first, unless it takes long: then people see what they wait for.
            if wishes.first.map(BrowserKeychain.takesLong) ?? true, !isOver { screen.draw(browser.frame()) }
        }
    }

    /// Milliseconds until something is to be done without a key.
    private var patience: Int {
        let now = BrowserSession.now()
        let look = lookedAt + BrowserSession.lookEvery
        let next = min(browser.nextDeadline ?? look, look)
        return next > now ? Int(next - now) : 0
    }

    private mutating func tell(_ event: BrowserEvent) {
        wishes += browser.handle(event, at: BrowserSession.now())
    }

    private mutating func take(_ input: TerminalScreen.Input) {
        switch input {
        case .event(let event): tell(event)
        case .suspension: suspend()
        case .end: isOver = true
        case .resumed:
            screen.comeBack()
            resume()
        }
    }

    /// Another program may have locked the keychain, or its daemon.
    private mutating func lookForLock() {
        let now = BrowserSession.now()
        guard !browser.isLocked, now >= lookedAt + BrowserSession.lookEvery else { return }
        lookAtLocks()
    }

    private mutating func lookAtLocks() {
        lookedAt = BrowserSession.now()
        if let event = keychain.look() { letGo(event) }
        tell(.lockedPart(keychain.lockedPart))
    }

    private mutating func lock(_ words: String) { letGo(.locked(words)) }

    /// Of all that was read, for one keychain or all became locked.
    private mutating func letGo(_ event: BrowserEvent) {
        keychain.forget()
        wishes = []
        tell(event)
    }

    private mutating func perform(_ wish: BrowserWish) {
        let keychain = keychain
        switch wish {
        case .quit: isOver = true
        case .suspend: suspend()
        case .redraw: screen.forget()
        case .lock:
            keychain.lock()
            lock(keychain.lockedWords() ?? "It was locked, and has no passcode.")
        case .unlock:
            let failure = away { keychain.unlock() }
            if let failure { return lock(failure) }
            tell(.unlocked)
            lookAtLocks()
        default:
            let events =
                keychain.needsTerminal(wish)
                ? away { keychain.perform(wish) } : keychain.perform(wish)
            for event in events {
                if case .locked(let words) = event { return lock(words) }
                tell(event)
            }
            // A check of many items draws its own progress.
            if wish == .entries(.doctor) { screen.forget() }
        }
    }

    /// Lends the terminal to what asks a person, or to another program.
    private mutating func away<Value>(_ body: () -> Value) -> Value {
        let value = screen.lend(body)
        measure()
        return value
    }

    private mutating func suspend() {
        screen.leave()
        _ = kill(getpid(), SIGSTOP)
        screen.comeBack()
        resume()
    }

    /// Before anything is drawn: while it was stopped, the keychain may have been locked, and times have gone by.
    private mutating func resume() {
        measure()
        tell(.tick)
        if !browser.isLocked { lookAtLocks() }
    }

    private mutating func measure() {
        let size = screen.size
        tell(.resized(columns: size.columns, rows: size.rows))
    }

    /// Milliseconds of a clock that goes on while the machine sleeps.
    static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }

    /// Milliseconds between looks at the lock.
    private static let lookEvery: UInt64 = 2000
}
