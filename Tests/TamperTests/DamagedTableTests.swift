// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct DamagedTableTests {
    private static func twoItems() throws -> TamperedKeychain {
        let place = try TamperedKeychain()
        for number in [1, 3] { #expect(place.add(Samples.item("genp", number)) == errSecSuccess) }
        return place
    }

    @Test(
        "a table, index, view or trigger that is not the format's is reported by check()",
        arguments: [
            "create trigger t after insert on genp begin delete from genp; end", "create view v as select 1",
            "create table more(a)", "create index more on genp(acct)", "drop index genpsvce",
            "alter table genp add column more", "drop table cert",
        ])
    func schema(sql: String) throws {
        let place = try Self.twoItems()
        let intruder = try place.intruder()
        try intruder.execute(sql)
        intruder.close()
        place.reopen()
        // One that lacks a table cannot even be read through.
        #expect(((try? place.check()) ?? ["refused"]) != [])
        #expect(place.find(["class": "genp"]).items.count == 2)
    }

    /// Where the trees of a table and its indexes begin.
    private static func rootPages(_ place: TamperedKeychain) throws -> [Int64] {
        let intruder = try place.intruder()
        let statement = try intruder.prepare("select rootpage from sqlite_schema where tbl_name = 'genp'")
        var pages: [Int64] = []
        while try statement.step() { pages.append(statement.int64(0)) }
        return pages
    }

    @Test("with a page of one table overwritten nothing wrong is found, nothing is lost, and other tables work")
    func page() throws {
        let place = try Self.twoItems()
        let baseline = Baseline(place, "genp")
        let pages = try Self.rootPages(place)
        #expect(pages.count == 4)
        place.reopen()
        try Child.shell("cp -a \"$1\" \"$1.aside\"", place.folder)
        for page in pages {
            let script = "head -c 4096 /dev/urandom | dd of=\"$1\" bs=4096 seek=$2 conv=notrunc status=none"
            try Child.shell(script, place.file("keychain.db"), String(page - 1))
            let damaged = try place.digests()
            let query = ["class": "genp", "acct": Samples.text("acct", "one")]
            #expect(baseline.troubles(place, asking: "acct").isEmpty)
            for call in place.fourCalls(about: query) where call.status != errSecSuccess {
                #expect(call.status == errSecIO && call.failure.contains("keychain.db"))
            }
            #expect(place.add(Samples.item("genp", 2)) == errSecIO)
            #expect(((try? place.check()) ?? ["refused"]) != [])
            place.reopen()
            #expect(try place.digests() == damaged)
            #expect(place.add(["class": "inet", "acct": "anna"]) == errSecSuccess)
            place.reopen()
            try Child.shell("rm -rf \"$1\"/* && cp -a \"$1.aside\"/. \"$1\"", place.folder)
            place.reopen()
            #expect(Baseline(place, "genp").items == baseline.items)
            #expect(try place.check().isEmpty)
            place.reopen()
        }
    }

    @Test("behind a page of zeros every other item is listed and found, and none that lies there is \"not found\"")
    func behindPage() throws {
        let place = try TamperedKeychain()
        let accounts = (0..<50).map { "account \($0)" }
        for account in accounts {
            let secret = Data(repeating: 7, count: account.hasSuffix("5") ? 6000 : 200)
            #expect(place.add(["class": "genp", "acct": account, "svce": "s", "v_Data": secret]) == errSecSuccess)
        }
        let baseline = place.everything(of: "genp")
        let pages = try Int(place.intruder().number("page_count"))
        place.reopen()
        try Child.shell("cp -a \"$1\" \"$1.aside\"", place.folder)
        var (worst, unusable, wholeLists) = (accounts.count, 0, 0)
        for page in 0..<pages {
            let script = "head -c 4096 /dev/zero | dd of=\"$1\" bs=4096 seek=$2 conv=notrunc status=none"
            try Child.shell(script, place.file("keychain.db"), String(page))
            let (status, listed) = place.find(["class": "genp"])
            #expect(listed.allSatisfy(baseline.contains))
            switch status {
            case errSecSuccess:
                let found = accounts.filter { account in
                    let (status, items) = place.find(["class": "genp", "acct": account, "svce": "s"])
                    #expect(status == errSecSuccess ? items.count == 1 : status == errSecIO, "page \(page): \(account)")
                    return status == errSecSuccess
                }
                #expect(listed.count == found.count, "page \(page)")
                worst = min(worst, listed.count)
                if listed.count == accounts.count { wholeLists += 1 }
                if listed.count < accounts.count { #expect(try place.check() != []) }
            case errSecNotAvailable: unusable += 1
            // The root of the table: nothing of it can be reached.
            case errSecIO: worst = 0
            default: Issue.record("page \(page): \(status)")
            }
            place.reopen()
            try Child.shell("rm -rf \"$1\"/* && cp -a \"$1.aside\"/. \"$1\"", place.folder)
            place.reopen()
        }
        print(
            "of \(pages) pages \(unusable) make the keychain unusable; \(wholeLists) lists were whole; the least: \(worst)"
        )
    }

    /// What a program does to the database that knows nothing of sums.
    private static func stranger(_ sql: String, _ place: TamperedKeychain) throws {
        let program =
            "import sqlite3,sys; d=sqlite3.connect(sys.argv[1],isolation_level=None); d.executescript(sys.argv[2])"
        try Child.shell("python3 -c \"$1\" \"$2\" \"$3\"", program, place.file("keychain.db"), sql)
    }

    /// A connection that reads pages as they are.
    private static func untouched(_ place: TamperedKeychain) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: place.file("keychain.db"), mode: .readWrite)
        try connection.trustPages()
        return connection
    }

    @Test(
        "what another program has written without sums is read once all else proves it right, and has sums then",
        arguments: [
            "vacuum", "drop index genpsvce; create index genpsvce on genp(svce)",
            "create table x(a); insert into x values(1); drop table x",
        ])
    func stale(sql: String) throws {
        let place = try Self.twoItems()
        let items = place.everything(of: "genp")
        place.reopen()
        try Self.stranger(sql, place)
        #expect(try Self.untouched(place).examinePages().damaged > 0)
        #expect(place.everything(of: "genp") == items && items.count == 2)
        #expect(try place.check() == [])
        #expect(try place.intruder().examinePages().damaged == 0)
        #expect(place.add(Samples.item("inet", 1)) == errSecSuccess)
    }

    @Test(
        "what another program has changed is not proved right: what may be there is not found, and nothing is made anew"
    )
    func changed() throws {
        let place = try Self.twoItems()
        #expect(place.add(Samples.item("inet", 1)) == errSecSuccess)
        place.reopen()
        try Self.stranger("update genp set labl = zeroblob(16) where rowid = 1", place)
        let query = ["class": "genp", "acct": Samples.text("acct", "one")]
        #expect(place.find(query).status == errSecIO)
        #expect(place.find(["class": "inet"]).items.count == 1)
        #expect(try !place.check().isEmpty)
        #expect(try Self.untouched(place).examinePages().damaged > 0)
    }
}
