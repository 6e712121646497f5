// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Testing

/// What a keychain keeps of its circle, and which of its items go there.
@Suite("a keychain in a circle") struct MarkTests {
    private func accounts(_ changes: [SyncChange]) -> [String] { changes.compactMap { SyncDevice.account($0.item) } }

    private func tables(_ device: SyncDevice) throws -> Int64 {
        let count = try device.connection.sqlite.prepare("select count(*) from sqlite_schema where name like 'sync%'")
        defer { count.reset() }
        return try count.step() ? count.int64(0) : -1
    }

    @Test("a keychain in no circle has no tables, no marks, and no state")
    func none() throws {
        let device = try SyncDevice()
        try device.add("a", "x", at: 1)
        #expect(try tables(device) == 0)
        guard case .state(nil) = try device.sync(.state()) else { throw SyncDevice.Unexpected() }
        for request in [
            SyncRequest.leaves(of: SyncDevice.view, behind: nil, limit: 1), .changes(behind: 0, limit: 1), .markAll,
            .waiting(in: SyncDevice.view, behind: nil, limit: 1), .heads(of: SyncDevice.view, before: nil, limit: 1),
            .apply(SyncBatch(version: 1)),
        ] {
            #expect(throws: StoreError.inNoCircle) { try device.sync(request) }
        }
        try device.sync(.end)
        #expect(try device.findings() == [])
    }

    @Test("beginning marks what is eligible, and nothing else; ending leaves the items alone")
    func beginning() throws {
        let device = try SyncDevice()
        for (index, protection) in [Accessibility.whenUnlocked, .afterFirstUnlock, .always].enumerated() {
            try device.add("yes\(index)", "x", at: 1, protection)
        }
        try device.add("net", "x", at: 1, as: .internetPassword)
        try device.add("gone", "x", at: 1)
        try device.remove("gone", at: 2)
        try device.add("no1", "x", at: 1, isSynchronizable: false)
        try device.add("no2", "x", at: 1, .whenUnlockedThisDeviceOnly, isSynchronizable: false)
        try device.begun()
        #expect(try device.state().says([1, 2, 3], version: 1))
        #expect(Set(accounts(try device.changes())) == ["yes0", "yes1", "yes2", "net", "gone"])
        #expect(try device.changes().filter(\.item.isTombstone).count == 1)
        #expect(try device.findings() == [])
        #expect(throws: StoreError.inCircle) { try device.sync(.begin(state: [], base: [])) }
        try device.sync(.end)
        #expect(try tables(device) == 0)
        #expect(try device.secret("yes0") == "x")
        #expect(try device.findings() == [])
        try device.begun()
        #expect(try device.changes().count == 5)
    }

    @Test("whatever changes an item marks it, in the order in which that was")
    func marking() throws {
        let device = try SyncDevice().begun()
        for account in ["a", "b", "c"] { try device.add(account, "x", at: 1) }
        try device.add("local", "x", at: 1, isSynchronizable: false)
        #expect(accounts(try device.changes()) == ["a", "b", "c"])
        try device.change("a", to: "y", at: 2)
        try device.change("local", to: "y", at: 2)
        #expect(accounts(try device.changes()) == ["b", "c", "a"])
        try device.remove("b", at: 3)
        #expect(accounts(try device.changes()) == ["c", "a", "b"])
        #expect(try device.changes().last?.item.isTombstone == true)
        try device.remove("c", at: 3, leaving: .never)
        #expect(accounts(try device.changes()) == ["a", "b"])
        try device.rename("a", to: "z", at: 4)
        #expect(Set(accounts(try device.changes())) == ["a", "b", "z"])
        #expect(try device.changes(limit: 2).count == 2)
        let first = try #require(try device.changes(limit: 1).first)
        #expect(try device.changes(behind: first.mark).count == 2)
        #expect(try device.findings() == [])
    }

    @Test("a mark goes with what was sent, unless the item changed since")
    func sending() throws {
        let device = try SyncDevice().begun()
        for account in ["a", "b"] { try device.add(account, "x", at: 1) }
        let sent = try device.changes()
        try device.change("a", to: "y", at: 2)
        try device.apply(
            sent: try sent.map { SyncSent(mark: $0.mark, leaf: (SyncDevice.view, try SyncDevice.leaf($0.item))) })
        #expect(accounts(try device.changes()) == ["a"])
        #expect(try device.leaves().count == 2)
        // What is not shared leaves no leaf.
        try device.add("c", "x", at: 3)
        let mark = try #require(try device.changes().last?.mark)
        try device.apply(sent: [SyncSent(mark: mark, leaf: nil)])
        #expect(accounts(try device.changes()) == ["a"])
        #expect(try device.leaves().count == 2)
        #expect(try device.findings() == [])
    }

    @Test("a secret that went is of the generation it went in until it changes, whatever else does")
    func generations() throws {
        let device = try SyncDevice().begun()
        try device.add("a", "x", at: 1)
        func push(_ generation: UInt32) throws {
            try device.apply(
                sent: try device.changes().map {
                    SyncSent(
                        mark: $0.mark, leaf: (SyncDevice.view, try SyncDevice.leaf($0.item)), generation: generation)
                })
            #expect(try device.changes().isEmpty)
        }
        try push(3)
        try device.rename("a", to: "b", at: 2)
        let renamed = try #require(try device.changes().first { SyncDevice.account($0.item) == "b" })
        #expect(renamed.item.secretGeneration == 3)
        try push(4)
        try device.change("b", to: "y", at: 3)
        #expect(try device.changes().last?.item.secretGeneration == 0)
        #expect(try device.findings() == [])
    }

    @Test("a mark's number is never given twice, also when there is none left")
    func rising() throws {
        let device = try SyncDevice().begun()
        var last: UInt64 = 0
        for round in 1...20 {
            try device.add("\(round)", "x", at: 1)
            let mark = try #require(try device.changes().last?.mark)
            #expect(mark > last)
            last = mark
            switch round % 3 {
            case 0: try device.push()
            case 1: try device.remove("\(round)", at: 2, leaving: .never)
            default: try device.change("\(round)", to: "y", at: 2)
            }
            // A mark that was taken off by another hand does not take one of these off.
            try device.apply(sent: [SyncSent(mark: last + 1_000_000, leaf: nil)])
            #expect(try device.findings() == [])
        }
    }

    @Test("marking everything keeps the marks there are, and adds those that are missing")
    func markingAll() throws {
        let device = try SyncDevice().begun()
        for account in ["a", "b", "c"] { try device.add(account, "x", at: 1) }
        try device.push()
        try device.change("b", to: "y", at: 2)
        guard case .marked(let behind, let upTo) = try device.sync(.markAll) else { throw SyncDevice.Unexpected() }
        let changes = try device.changes()
        #expect(accounts(changes) == ["b", "a", "c"])
        // By its number it is known which was marked for another reason.
        #expect(changes.map { $0.mark > behind && $0.mark <= upTo } == [false, true, true])
        try device.change("a", to: "z", at: 3)
        #expect(try device.changes().last?.mark ?? 0 > upTo)
        guard case .marked(let again, let same) = try device.sync(.markAll) else { throw SyncDevice.Unexpected() }
        #expect(again == same)
    }

    @Test("a batch that was worked out from another state changes nothing")
    func outdated() throws {
        let (device, source) = (try SyncDevice(1).begun(), try SyncDevice(2).begun())
        try source.add("a", "x", at: 1)
        let incoming = try source.changes().map { try SyncDevice.incoming($0.item) }
        var batch = SyncBatch(version: 1)
        batch.state = [9]
        guard case .applied(let none, version: 2) = try device.sync(.apply(batch)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(none == [])
        batch.incoming = incoming
        guard case .outdated = try device.sync(.apply(batch)) else { throw SyncDevice.Unexpected() }
        #expect(try device.state().says([9], version: 2))
        #expect(try device.secret("a") == nil)
        #expect(try device.leaves() == [])
        // Another process is as good as this one.
        let other = try device.another()
        defer { other.close() }
        batch = SyncBatch(version: 2)
        (batch.state, batch.incoming) = ([10], incoming)
        guard case .applied([.added], version: 3) = try SyncDevice.sync(.apply(batch), on: other) else {
            throw SyncDevice.Unexpected()
        }
        #expect(try device.state().says([10], version: 3))
        #expect(try device.secret("a") == "x")
    }

    @Test("the state opens from the first unlock on, in its keychain and under its version alone")
    func stateSeal() throws {
        let device = try SyncDevice().begun()
        try device.lock()
        #expect(try device.state().bytes == [1, 2, 3])
        try device.lock(.beforeFirstUnlock)
        #expect(throws: StoreError.locked(.afterFirstUnlock)) { try device.state() }
        try device.unlock()
        for change in [
            "update sync_state set version = 2",
            "update sync_state set version = 1, data = cast(substr(data, 1, length(data) - 1) || case when substr(data, -1) = x'00' then x'01' else x'00' end as blob)",
        ] {
            try device.connection.sqlite.execute(change)
            #expect(throws: StoreError.sealing(.undecodable)) { try device.state() }
            #expect(try device.findings() == ["circle: its state cannot be read; leave the circle and join again"])
        }
    }

    @Test("a state is written without its base, and a base is given only to who does not have it")
    func base() throws {
        let device = try SyncDevice().begun()
        func row() throws -> [UInt8] {
            let statement = try device.connection.sqlite.prepare("select data from sync_state where id = 2")
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : []
        }
        let (first, sealed) = (try device.state(), try row())
        var batch = SyncBatch(version: 1)
        batch.state = [9]
        try device.sync(.apply(batch))
        #expect(try row() == sealed)
        guard case .state(let known?) = try device.sync(.state(knowing: first.baseName)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(known == SyncState(version: 2, bytes: [9], base: nil, baseName: first.baseName))
        batch = SyncBatch(version: 2)
        (batch.state, batch.base) = ([10], [11])
        try device.sync(.apply(batch))
        guard case .state(let new?) = try device.sync(.state(knowing: first.baseName)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(new.bytes == [10] && new.base == [11] && new.baseName != first.baseName)
        // A base that nothing is written with is none.
        batch = SyncBatch(version: 3)
        batch.base = [12]
        try device.sync(.apply(batch))
        #expect(try device.state() == new)
    }

    @Test("a base of another day beside a state is damage, and stays that whatever is written")
    func mixedParts() throws {
        let device = try SyncDevice().begun()
        let sqlite = device.connection.sqlite
        let damage = ["circle: its state cannot be read; leave the circle and join again"]
        try sqlite.execute("create temp table kept as select * from sync_state")
        var batch = SyncBatch(version: 1)
        (batch.state, batch.base) = ([9], [9, 9])
        try device.sync(.apply(batch))
        let new = try device.state()
        try sqlite.execute("create temp table newer as select * from sync_state")
        for (id, table) in [(2, "kept"), (1, "kept")] {
            try sqlite.execute("insert or replace into sync_state select * from \(table) where id = \(id)")
            #expect(throws: StoreError.sealing(.undecodable)) { try device.state() }
            #expect(try device.findings() == damage)
            try sqlite.execute("insert or replace into sync_state select * from newer")
            #expect(try device.state() == new)
        }
        // Who knows the new base writes on; what was put there does not come to belong to it.
        try sqlite.execute("insert or replace into sync_state select * from kept where id = 2")
        batch = SyncBatch(version: 2)
        batch.state = [10]
        try device.sync(.apply(batch))
        #expect(throws: StoreError.sealing(.undecodable)) { try device.state() }
        // Both of one day are a keychain of that day.
        try sqlite.execute("insert or replace into sync_state select * from kept")
        #expect(try device.state().says([1, 2, 3], version: 1))
    }

    @Test("a state is not written with what is locked, and then with that as it came")
    func lockedWithState() throws {
        let (device, source) = (try SyncDevice(1).begun(), try SyncDevice(2).begun())
        try source.add("a", "x", at: 1)
        try source.add("b", "y", at: 1, .afterFirstUnlock)
        try device.lock()
        var batch = SyncBatch(version: 1)
        batch.incoming = try source.changes().map { try SyncDevice.incoming($0.item) }
        batch.heads = [(SyncDevice.view, SyncHead(number: 1, body: [1]))]
        (batch.state, batch.base) = ([9], [9, 9])
        guard case .applied([.locked, .added], version: 1) = try device.sync(.apply(batch)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(try device.state().says([1, 2, 3], version: 1))
        #expect(try device.leaves().count == 1)
        guard case .heads([]) = try device.sync(.heads(of: SyncDevice.view, before: nil, limit: 9)) else {
            throw SyncDevice.Unexpected()
        }
        let leaf = batch.incoming[0].leaf
        batch.incoming = [SyncIncoming(view: SyncDevice.view, leaf: leaf, content: .sealed([5]))]
        guard case .applied([.noted], version: 2) = try device.sync(.apply(batch)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(try device.state().bytes == [9])
        #expect(try device.leaves().count == 2)
    }

    @Test("records of a locked class wait as they came, and go when they are opened")
    func waiting() throws {
        let (device, source) = (try SyncDevice(1).begun(), try SyncDevice(2).begun())
        try source.add("a", "x", at: 1)
        let item = try #require(try source.changes().first?.item)
        let leaf = try SyncDevice.leaf(item)
        try device.lock()
        let sealed = SyncIncoming(view: SyncDevice.view, leaf: leaf, content: .sealed([5, 6, 7]))
        #expect(try device.apply([sealed]) == [.noted])
        #expect(try device.waiting().map(\.body) == [[5, 6, 7]])
        #expect(try device.waiting().map(\.leaf) == [leaf])
        #expect(try device.leaves() == [leaf])
        // It cannot be sealed here now, so it is to wait too.
        #expect(try device.pull([item]) == [.locked])
        #expect(try device.waiting().count == 1)
        try device.unlock()
        #expect(try device.pull([item]) == [.added])
        #expect(try device.waiting().isEmpty)
        #expect(try device.changes().isEmpty)
        #expect(try device.findings() == [])
    }

    @Test("nothing is decided about an item here that is locked; it is told, and not passed over in silence")
    func lockedHere() throws {
        let (device, source) = (try SyncDevice(1), try SyncDevice(2).begun())
        try device.add("a", "mine", at: 30)
        try device.begun()
        try source.add("a", "theirs", at: 20, .afterFirstUnlock)
        try source.add("b", "b", at: 20, .afterFirstUnlock)
        let items = try source.changes().map(\.item)
        try device.lock()
        #expect(try device.pull(items) == [.locked, .added])
        #expect(try device.leaves().count == 1)
        guard case .changes(let changes, someAreLocked: true) = try device.sync(.changes(behind: 0, limit: 10)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(changes.isEmpty)
        try device.unlock()
        #expect(try device.pull(items) == [.kept, .same])
        #expect(try device.secret("a") == "mine")
    }

    @Test("a record that was forgotten takes the tombstone along, and what was not changed here")
    func void() throws {
        let (device, source) = (try SyncDevice(1).begun(), try SyncDevice(2).begun())
        for account in ["dead", "still", "edited"] { try source.add(account, "x", at: 1) }
        try device.pull(try source.push())
        try source.remove("dead", at: 2)
        try device.pull(try source.push(head: 2), head: 2)
        #expect(try device.secret("dead") == nil)
        try device.change("edited", to: "y", at: 5)
        let leaves = try device.leaves()
        #expect(leaves.count == 3)
        var outcomes: [SyncOutcome] = []
        for leaf in leaves {
            outcomes += try device.apply([SyncIncoming(view: SyncDevice.view, leaf: leaf, content: .void)])
        }
        #expect(outcomes.count == 3)
        #expect(Set(outcomes) == [.noted, .removed, .kept])
        #expect(try device.leaves() == leaves)
        #expect(try device.secret("still") == nil)
        #expect(try device.secret("edited") == "y")
        // The keychain knows which are void, until something else comes under their names.
        func voids() throws -> Int {
            guard case .voids(let ids) = try device.sync(.voids(of: SyncDevice.view, among: leaves.map(\.id))) else {
                throw SyncDevice.Unexpected()
            }
            return ids.count
        }
        #expect(try voids() == 2)
        for (content, left) in [(SyncIncoming.Content.sealed([1]), 1), (.unreadable, 1), (.void, 2)] {
            let place = outcomes[0] == .kept ? 1 : 0
            try device.apply([SyncIncoming(view: SyncDevice.view, leaf: leaves[place], content: content)])
            #expect(try voids() == left)
        }
        let rows = try device.connection.sqlite.prepare("select count(*) from genp")
        #expect(try rows.step() && rows.int64(0) == 1)
        #expect(try device.findings() == [])
    }

    @Test("heads are remembered, the newest so many of each view")
    func heads() throws {
        let device = try SyncDevice().begun()
        var batch = SyncBatch(version: 1)
        batch.heads = (1...10).map { (SyncDevice.view, SyncHead(number: $0, body: [UInt8($0)])) }
        batch.keptHeads = 4
        try device.sync(.apply(batch))
        guard case .heads(let heads) = try device.sync(.heads(of: SyncDevice.view, before: nil, limit: 100)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(heads.map { $0.number } == [10, 9, 8, 7])
        guard case .heads(let earlier) = try device.sync(.heads(of: SyncDevice.view, before: 9, limit: 1)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(earlier == [SyncHead(number: 8, body: [8])])
        // Numbers that somebody filled with junk push out no more than came.
        var far = SyncBatch(version: 1)
        (far.heads, far.keptHeads) = ([(SyncDevice.view, SyncHead(number: 5000, body: [1]))], 4)
        try device.sync(.apply(far))
        guard case .heads(let left) = try device.sync(.heads(of: SyncDevice.view, before: nil, limit: 100)) else {
            throw SyncDevice.Unexpected()
        }
        #expect(left.map { $0.number } == [5000, 10, 9, 8])
    }

    @Test("an examination names leaves, records and marks that cannot be")
    func examination() throws {
        let device = try SyncDevice().begun()
        try device.add("a", "x", at: 1)
        try device.push()
        #expect(try device.findings() == [])
        let cases = [
            ("insert into sync_mark(item) values(4444)", "items are marked", "delete from sync_mark where item = 4444"),
            (
                "update sync_leaf set digest = x'00'", "noted that cannot be",
                "update sync_leaf set digest = zeroblob(32)"
            ),
            ("update sync_leaf set item = x'05'", "noted that cannot be", "update sync_leaf set item = x''"),
            (
                "insert into sync_pending values(zeroblob(16), zeroblob(16), x'01')", "waits that is not noted",
                "delete from sync_pending"
            ),
            ("insert into sync_head values(x'', 1, x'')", "remembered that cannot be", "delete from sync_head"),
            ("drop trigger sync_genp_gone", "the tables do not match", ""),
        ]
        for (damage, words, repair) in cases {
            try device.connection.sqlite.execute(damage)
            let found = try device.findings()
            #expect(found.count == 1)
            let said = found.first ?? ""
            #expect(said.contains(words) || said.contains(words.replacing("items are", with: "item is")), "\(said)")
            if !repair.isEmpty { try device.connection.sqlite.execute(repair) }
        }
    }
}
