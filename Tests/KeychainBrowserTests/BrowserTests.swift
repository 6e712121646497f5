// SPDX-License-Identifier: Apache-2.0

import KeychainBrowser
import KeychainModel
import Testing

@Suite struct BrowserSearchTests {
    private func filled() -> Browser {
        var browser = Sample.browser()
        let items = [
            Sample.item(1, "GitHub", user: "ada", place: "https://github.com"), Sample.item(2, "mail", user: "grace"),
            Sample.item(3, "Café", user: "Zoë"), Sample.item(4, "token", group: "com.example.app"),
        ]
        _ = browser.handle(.items(items, isFirst: true, isLast: true), at: 0)
        return browser
    }

    @Test("each letter narrows the list, and Esc brings all back")
    func narrows() {
        var browser = filled()
        _ = browser.type("/")
        _ = browser.type("g")
        #expect(browser.screen[2].hasSuffix("2 found"))
        _ = browser.type("i")
        #expect(browser.screen[4].hasPrefix("GitHub") && browser.screen[5].isEmpty)
        _ = browser.handle(.key(.backspace), at: 0)
        #expect(browser.screen[2].hasSuffix("2 found"))
        _ = browser.handle(.key(.escape), at: 0)
        #expect(browser.screen[4].hasPrefix("Café") && browser.screen[6].hasPrefix("mail"))
    }

    @Test("case and accents do not count, and every word has to be somewhere", arguments: ["cafe", "ZOE caf", "CAFÉ"])
    func folds(query: String) {
        var browser = filled()
        _ = browser.type("/" + query)
        #expect(browser.screen[4].hasPrefix("Café") && browser.screen[5].isEmpty)
    }

    @Test("letters of commands are text in the search")
    func letters() {
        var browser = filled()
        #expect(browser.type("/qx?L1").isEmpty)
        #expect(browser.screen[2].hasPrefix("/qx?L1"))
        #expect(browser.screen[4].contains("nothing has these words"))
    }

    @Test(
        "another view is whole, and so is the first one afterwards",
        arguments: [BrowserKey.character("2"), .tab, .left])
    func ends(key: BrowserKey) {
        var browser = filled()
        _ = browser.type("/mail")
        if key != .tab { _ = browser.handle(.key(.enter), at: 0) }
        _ = browser.handle(.key(key), at: 0)
        #expect(!browser.screen[2].contains("found"))
        _ = browser.type("1")
        #expect(
            browser.screen[2].isEmpty && browser.screen[4].hasPrefix("Café") && browser.screen[5].hasPrefix("GitHub"))
        // The view that is there already keeps what is looked for.
        _ = browser.type("/mail")
        _ = browser.handle(.key(.enter), at: 0)
        _ = browser.type("1")
        #expect(browser.screen[2].hasSuffix("1 found"))
    }

    @Test("items of programs stand apart, under their groups")
    func programs() {
        var browser = filled()
        #expect(!browser.screen.contains { $0.hasPrefix("token") })
        _ = browser.type("2")
        #expect(browser.screen[4] == "com.example.app")
        #expect(browser.screen[5].hasPrefix("token"))
        #expect(browser.handle(.key(.character("c")), at: 0) == [.copy(4)])
    }

    @Test("a selected item stays selected while the list comes in, and when it is read anew")
    func staysSelected() {
        var browser = Sample.browser()
        _ = browser.handle(.items([Sample.item(1, "m"), Sample.item(2, "n")], isFirst: true, isLast: false), at: 0)
        _ = browser.handle(.key(.down), at: 0)
        _ = browser.handle(.items([Sample.item(3, "a"), Sample.item(4, "z")], isFirst: false, isLast: true), at: 0)
        #expect(browser.type("c") == [.copy(2)])
        _ = browser.handle(.items([Sample.item(11, "aa"), Sample.item(12, "n")], isFirst: true, isLast: false), at: 0)
        #expect(browser.type("c") == [.copy(2)])
        _ = browser.handle(.items([Sample.item(13, "b")], isFirst: false, isLast: true), at: 0)
        #expect(browser.type("c") == [.copy(12)])
    }
}

@Suite struct BrowserSecretTests {
    private let secret = SecretValue(copying: Array("hunter2".utf8))

    @Test("a secret is shown on request, and goes when its time is over")
    func time() {
        var browser = Sample.opened()
        #expect(browser.screen[3].contains("••••••••  s shows it"))
        #expect(browser.type("s") == [.show(1)])
        _ = browser.handle(.secret(1, secret), at: 1000)
        #expect(browser.frame().secrets.count == 1)
        #expect(browser.screen[4].contains("shown for 30 s"))
        #expect(browser.nextDeadline == 2000)
        _ = browser.handle(.tick, at: 30_999)
        #expect(browser.frame().secrets.count == 1)
        _ = browser.handle(.tick, at: 31_000)
        #expect(browser.frame().secrets.isEmpty)
    }

    @Test("a key that leaves the page takes the secret away", arguments: [BrowserKey.escape, .character("q"), .left])
    func leaving(key: BrowserKey) {
        var browser = Sample.opened()
        _ = browser.handle(.secret(1, secret), at: 0)
        _ = browser.handle(.key(key), at: 0)
        #expect(browser.frame().secrets.isEmpty)
        _ = browser.handle(.key(.enter), at: 0)
        #expect(browser.frame().secrets.isEmpty)
    }

    @Test("a dialog stands over a secret, and the secret under it is not drawn")
    func dialog() {
        var browser = Sample.opened()
        _ = browser.handle(.resized(columns: 80, rows: 12), at: 0)
        _ = browser.handle(.secret(1, secret), at: 0)
        _ = browser.type("e")
        #expect(browser.frame().secrets.isEmpty)
    }

    @Test("what is asked for as the new URL begins with the one there is, and with nothing where that is none")
    func newURL() {
        for (place, shown) in [("mail", ""), ("https://mail.example", "https://mail.example")] {
            var browser = Sample.browser()
            let items = [Sample.item(1, "mail", place: place)]
            _ = browser.handle(.items(items, isFirst: true, isLast: true), at: 0)
            _ = browser.type("el")
            #expect(browser.handle(.key(.enter), at: 0) == [.edit(1, .url(shown))])
        }
    }

    @Test("a lock leaves nothing, and an unlock reads anew")
    func lock() {
        var browser = Sample.opened()
        _ = browser.handle(.secret(1, secret), at: 0)
        _ = browser.handle(.locked("The keychain login is locked."), at: 0)
        #expect(browser.frame().secrets.isEmpty)
        let screen = browser.screen.joined(separator: "\n")
        #expect(!screen.contains("mail") && screen.contains("is locked") && screen.contains("Enter unlocks"))
        #expect(browser.type("s").isEmpty && browser.nextDeadline == nil)
        #expect(browser.handle(.key(.enter), at: 0) == [.unlock])
        #expect(browser.handle(.unlocked, at: 0) == [.list])
        #expect(browser.screen[4].contains("reading"))
    }

    @Test("where one of several keychains is locked, nothing of any is left, and the others are read anew")
    func partLock() {
        var browser = Sample.opened()
        _ = browser.handle(.secret(1, secret), at: 0)
        #expect(browser.handle(.partLocked("The keychain work is locked now."), at: 0) == [.list])
        #expect(browser.frame().secrets.isEmpty && !browser.isLocked)
        let screen = browser.screen.joined(separator: "\n")
        #expect(!screen.contains("mail") && screen.contains("The keychain work is locked now."))
        _ = browser.handle(.items([Sample.item(7, "home")], isFirst: true, isLast: true), at: 0)
        #expect(browser.screen[4].hasPrefix("home"))
    }

    @Test("a keychain becomes locked when it was open at the last look, or read since")
    func whatBecameLocked() {
        var open = LockWatch()
        #expect(open.look([false, true, false]) == [])
        #expect(open.look([false, true, true]) == [2])
        #expect(open.look([false, true, true]) == [])
        open.note(1)
        #expect(open.look([true, true, false]) == [0, 1])
        #expect(open.look([true, true, true]) == [2])
    }

    @Test("what is too large for the screen is not laid out, and what to do instead is said")
    func tooLarge() {
        let large = SecretValue(copying: [UInt8](repeating: 0x61, count: 4 << 20))
        for event in [BrowserEvent.secret(1, large), .pastSecret(1, large)] {
            var browser = Sample.opened()
            _ = browser.handle(event, at: 0)
            #expect(browser.frame().secrets.isEmpty)
            #expect(browser.screen.contains { $0.contains("has 4194304 bytes, too many to be shown") })
        }
    }

    @Test("of a long field the beginning is drawn, and of very many the first")
    func longFields() {
        var browser = Sample.opened()
        let word = String(repeating: "a", count: 1 << 20)
        let wide = String(repeating: "ä \u{301}", count: 1 << 18)
        let fields = [BrowserField("word", word), BrowserField("wide", wide)]
        let many = (0..<100_000).map { BrowserField("f\($0)", "x") }
        _ = browser.handle(.details(1, fields + many), at: 0)
        #expect(browser.screen.contains { $0.hasPrefix("word") })
        // "↓ 1234 more"
        let more = browser.screen.first { $0.hasSuffix(" more") }?.split(separator: " ").dropLast().last
        #expect((1000..<20_000).contains(Int(more ?? "") ?? 0))
        _ = browser.handle(.key(.end), at: 0)
        #expect(browser.screen.contains { $0.contains("`llavero show` prints all of an item") })
    }

    @Test("without a key for the lock's time, the keychain is locked")
    func idle() {
        var browser = Sample.browser(lockAfter: 60)
        _ = browser.handle(.key(.down), at: 10_000)
        #expect(browser.handle(.tick, at: 69_999).isEmpty)
        #expect(browser.handle(.tick, at: 70_000) == [.lock])
        #expect(browser.isLocked)
    }

    @Test("a new code is asked for when the one on the screen is over, and hidden with time")
    func code() {
        var browser = Sample.opened()
        #expect(browser.type("o") == [.code(1)])
        _ = browser.handle(.code(1, secret, until: 10_000, period: 30_000), at: 0)
        #expect(browser.handle(.tick, at: 9_999).isEmpty)
        #expect(browser.screen[4].contains("1 s"))
        #expect(browser.handle(.tick, at: 10_000) == [.code(1)])
        _ = browser.handle(.code(1, secret, until: 40_000, period: 30_000), at: 10_000)
        #expect(browser.handle(.tick, at: 30_000).isEmpty)
        #expect(browser.frame().secrets.isEmpty)
    }
}

@Suite struct BrowserDialogTests {
    @Test("a removal is done by y alone", arguments: [("y", [BrowserWish.remove(1)]), ("n", []), ("x", [])])
    func removal(answer: String, wishes: [BrowserWish]) {
        var browser = Sample.opened()
        #expect(browser.type("x").isEmpty)
        #expect(browser.screen.contains { $0.contains("Remove mail (user ada)?") })
        #expect(browser.type(answer) == wishes)
    }

    @Test("an edit is typed over what there is")
    func edit() {
        var browser = Sample.opened()
        _ = browser.type("eu")
        #expect(browser.screen.contains { $0.trimmed == "ada" })
        _ = browser.handle(.key(.control("u")), at: 0)
        _ = browser.type("grâce")
        _ = browser.handle(.key(.home), at: 0)
        _ = browser.type("g")
        #expect(browser.handle(.key(.enter), at: 0) == [.edit(1, .user("ggrâce"))])
        _ = browser.type("ep")
        #expect(browser.type("epx") == [])
    }

    @Test("a password is typed elsewhere, or generated after a question")
    func passwords() {
        var browser = Sample.opened()
        #expect(browser.type("ep") == [.edit(1, .typedPassword)])
        #expect(browser.type("g").isEmpty)
        #expect(browser.type("y") == [.edit(1, .generatedPassword)])
    }

    @Test("a note is what the keychain has, and one of several lines is not typed over")
    func note() {
        var browser = Sample.opened()
        #expect(browser.type("et") == [.note(1)])
        _ = browser.handle(.note(1, .line("by May")), at: 0)
        #expect(browser.screen.contains { $0.trimmed == "by May" })
        #expect(browser.handle(.key(.enter), at: 0) == [.edit(1, .note("by May"))])
        #expect(browser.handle(.note(1, .secret), at: 0) == [.edit(1, .field("note"))])
        #expect(browser.handle(.note(1, .lines), at: 0).isEmpty)
        #expect(browser.screen.contains { $0.contains("several lines") })
    }

    @Test("a dialog cuts no wide letter in half")
    func wideLetters() {
        var browser = Sample.browser()
        let items = (1..<20).map { Sample.item($0, "a\(String(repeating: "本", count: 19))") }
        _ = browser.handle(.items(items, isFirst: true, isLast: true), at: 0)
        let before = browser.screen
        _ = browser.type("e")
        let rows = browser.screen.indices.filter { browser.screen[$0] != before[$0] }
        #expect(rows.count > 5)
        for row in rows { #expect(browser.screen[row].prefix(3).allSatisfy { $0 == " " }) }
    }

    @Test("Page Down goes through all keys that there are", arguments: [(80, 24), (40, 12), (57, 13)])
    func help(columns: Int, rows: Int) {
        var browser = Sample.browser(columns: columns, rows: rows)
        _ = browser.type("?")
        var seen: [String] = []
        for _ in 0..<60 {
            seen += browser.screen[3..<rows - 2]
            _ = browser.handle(.key(.pageDown), at: 0)
        }
        let text = seen.joined(separator: " ")
        for line in KeyHelp.lines {
            for word in line.what.split(separator: " ") + line.keys.split(separator: " ") {
                #expect(text.contains(word), "\(word)")
            }
        }
        // The end is a full page.
        #expect(browser.screen[3].isEmpty == false && browser.screen[rows - 3].isEmpty == false)
    }

    @Test("a failure is said in full, and any key goes on")
    func failure() {
        var browser = Sample.opened()
        let text = "it failed " + String(repeating: "for a reason ", count: 12)
        _ = browser.handle(.failed(text), at: 0)
        #expect(browser.screen.filter { $0.contains("reason") }.count > 1)
        _ = browser.type("s")
        #expect(!browser.screen.contains { $0.contains("reason") })
    }

    @Test("Ctrl-C ends, wherever it is typed", arguments: ["", "/ab", "e", "eu", "x", "?", "h"])
    func ends(before: String) {
        var browser = Sample.opened()
        _ = browser.type(before)
        #expect(browser.handle(.key(.control("c")), at: 0) == [.quit])
    }
}

@Suite struct BrowserPartTests {
    private func listed(_ parts: [BrowserPart]) -> Browser {
        var browser = Sample.opened()
        _ = browser.type("f")
        _ = browser.handle(.parts(1, parts), at: 0)
        return browser
    }

    @Test("what belongs to an item is listed, and each can be asked for")
    func listing() {
        var browser = Sample.opened()
        #expect(browser.type("f") == [.parts(1)])
        browser = listed([
            BrowserPart(.shownField, "room", text: "12"), BrowserPart(.field, "PIN"),
            BrowserPart(.tag, "work", text: "work"),
        ])
        #expect(browser.screen[4].hasSuffix("12") && browser.screen[5].contains("••••••••"))
        #expect(browser.type("s").isEmpty && browser.type("c") == [.copyText("12")])
        _ = browser.handle(.key(.down), at: 0)
        #expect(browser.type("s") == [.showPart(1, 1)] && browser.type("c") == [.copyPart(1, 1)])
        #expect(browser.type("e") == [.edit(1, .field("PIN"))])
        #expect(browser.type("xy") == [.edit(1, .without(BrowserPart(.field, "PIN")))])
        _ = browser.handle(.key(.down), at: 0)
        _ = browser.type("e!")
        #expect(browser.handle(.key(.enter), at: 0) == [.edit(1, .otherTag("work!", insteadOf: "work"))])
    }

    @Test(
        "an attachment has a page of its own, which is gone with its time, whatever stands over it",
        arguments: ["", "?"])
    func page(over: String) {
        var browser = listed([BrowserPart(.attachment, "a.txt")])
        let lines = (0..<100).map { "line \($0)" }.joined(separator: "\n")
        _ = browser.handle(.partSecret(1, 0, SecretValue(copying: Array(lines.utf8))), at: 1000)
        #expect(browser.frame().secrets.count == 17)
        _ = browser.handle(.key(.pageDown), at: 1000)
        #expect(browser.screen.contains { $0.hasPrefix("lines 18 to 34 of 100") })
        _ = browser.type(over, at: 1000)
        _ = browser.handle(.tick, at: 31_000)
        _ = browser.handle(.key(.escape), at: 31_000)
        #expect(browser.frame().secrets.isEmpty)
        #expect(!browser.screen.contains { $0.hasPrefix("lines") })
    }

    @Test(
        "the file that an attachment is written into is never another folder's", arguments: ["../../etc/x", "/x", "x"])
    func fileName(name: String) {
        var browser = listed([BrowserPart(.attachment, name)])
        _ = browser.type("w")
        #expect(browser.handle(.key(.enter), at: 0) == [.savePart(1, 0, path: "x")])
    }

    @Test("what could not be added is there again to be typed in another way, and selected once it is there")
    func adding() {
        var browser = Sample.opened()
        _ = browser.handle(.key(.escape), at: 0)
        _ = browser.type("nshop")
        for _ in 0..<3 { _ = browser.handle(.key(.enter), at: 0) }
        let wishes = browser.type("g")
        guard case .add(let item)? = wishes.first else {
            Issue.record("\(wishes)")
            return
        }
        #expect(item.name == "shop" && item.user.isEmpty && item.isGenerated)
        _ = browser.handle(.failed("the URL is none"), at: 0)
        _ = browser.type(" ")
        #expect(browser.screen.contains { $0.contains("name  shop") })
        _ = browser.handle(.key(.enter), at: 0)
        _ = browser.type("p")
        #expect(browser.handle(.changed("added shop"), at: 0) == [.list])
        let items = [Sample.item(4, "mail", user: "ada"), Sample.item(5, "shop")]
        _ = browser.handle(.items(items, isFirst: true, isLast: true), at: 0)
        #expect(browser.type("c") == [.copy(5)])
    }
}

@Suite struct BrowserViewTests {
    @Test("a view's entries are asked for when it is first opened")
    func asks() {
        var browser = Sample.browser()
        #expect(browser.type("8") == [.entries(.doctor)])
        let entries = [
            BrowserEntry(
                number: 0, cells: ["advice", "login", "no passcode"],
                fields: [BrowserField("do", "llavero passcode set")], command: ["passcode", "set"]),
            BrowserEntry(number: 1, cells: ["ok", "enclave", "good"]),
        ]
        _ = browser.handle(.entries(.doctor, columns: ["GRADE", "SUBJECT", "FINDING"], entries, note: ""), at: 0)
        #expect(browser.screen[4].contains("no passcode"))
        #expect(browser.type("1").isEmpty && browser.type("8").isEmpty)
        #expect(browser.type("a").isEmpty)
        #expect(browser.type("y") == [.run(["passcode", "set"])])
        #expect(browser.type("c") == [.copyText("llavero passcode set")])
        _ = browser.handle(.key(.down), at: 0)
        #expect(browser.type("ay").isEmpty)
    }

    @Test("the selection passes over headings", arguments: [BrowserKey.down, .end, .pageDown])
    func headings(key: BrowserKey) {
        var browser = Sample.browser()
        _ = browser.type("7")
        let entries = [
            BrowserEntry.heading("today"),
            BrowserEntry(number: 1, cells: ["one"], fields: [BrowserField("n", "first")]),
            BrowserEntry.heading("yesterday"),
            BrowserEntry(number: 2, cells: ["two"], fields: [BrowserField("n", "second")]),
        ]
        _ = browser.handle(.entries(.audit, columns: ["WHEN"], entries, note: ""), at: 0)
        _ = browser.handle(.key(.up), at: 0)
        _ = browser.handle(.key(key), at: 0)
        _ = browser.handle(.key(.enter), at: 0)
        #expect(browser.screen.contains { $0.contains("second") })
    }

    @Test("any keys in any order leave a selection that is on the screen", arguments: 0..<20)
    func anyKeys(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ count: Int) -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(random % UInt64(count))
        }
        var browser = Sample.browser()
        let keys: [BrowserKey] = [
            .up, .down, .pageUp, .pageDown, .home, .end, .enter, .escape, .tab, .backTab, .left, .right, .backspace,
            .character("/"), .character("1"), .character("e"), .character("?"), .character("a"), .character("y"),
            .character("h"), .character("s"), .character("o"), .character("L"), .control("u"), .other, .character("f"),
            .character("n"), .character("w"), .character("x"),
        ]
        for step in 0..<300 {
            switch next(12) {
            case 0:
                let items = (0..<next(60)).map {
                    Sample.item(step * 100 + $0, "n\(next(50))", group: next(2) == 0 ? "a" : "llavero.passwords")
                }
                _ = browser.handle(.items(items, isFirst: next(2) == 0, isLast: next(2) == 0), at: UInt64(step))
            case 1: _ = browser.handle(.resized(columns: 20 + next(100), rows: 5 + next(40)), at: UInt64(step))
            case 2: _ = browser.handle(.click(row: next(30), column: next(80)), at: UInt64(step))
            case 3:
                _ = browser.handle(
                    .entries(
                        .audit, columns: ["A"], (0..<next(5)).map { BrowserEntry(number: $0, cells: ["\($0)"]) },
                        note: ""), at: UInt64(step))
            case 4:
                _ = browser.handle(
                    .history(next(3), [BrowserEntry(number: 1, cells: ["a", "b", "c"])]), at: UInt64(step))
            case 6 where next(4) == 0:
                let parts = (0..<next(30)).map { BrowserPart(next(2) == 0 ? .field : .attachment, "p\($0)") }
                _ = browser.handle(.parts(next(60), parts), at: UInt64(step))
                _ = browser.handle(
                    .partSecret(next(60), next(3), SecretValue(copying: [UInt8](repeating: 0x61, count: next(3000)))),
                    at: UInt64(step))
            case 5 where next(8) == 0:
                _ = browser.handle(next(2) == 0 ? .locked("locked") : .unlocked, at: UInt64(step))
            default: _ = browser.handle(.key(keys[next(keys.count)]), at: UInt64(step))
            }
            let frame = browser.frame()
            for text in frame.texts { #expect(text.row < frame.rows && text.column < frame.columns) }
        }
    }
}

extension String {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
