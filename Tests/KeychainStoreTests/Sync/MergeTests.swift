// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Testing

/// Two devices have the same item, each in a version of its own, and get the other's: both come to the same (semantics §9.1).
@Suite("merging what comes from a circle") struct MergeTests {
    /// One device's version of the item "a".
    enum Version: Sendable, CustomTestStringConvertible {
        case none
        case live(String, at: Double)
        case deleted(at: Double)

        var testDescription: String {
            switch self {
            case .none: "none"
            case .live(let secret, let time): "\(secret) at \(Int(time))"
            case .deleted(let time): "deleted at \(Int(time))"
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let a: Version
        let b: Version
        /// What both have in the end; nil where the item is gone.
        let end: String?
        /// What became of B's at A, and of A's at B.
        let outcomes: (SyncOutcome?, SyncOutcome?)
        var testDescription: String { "\(a.testDescription) against \(b.testDescription)" }
    }

    static let table = [
        Row(a: .none, b: .live("new", at: 10), end: "new", outcomes: (.added, nil)),
        Row(a: .none, b: .deleted(at: 10), end: nil, outcomes: (.noted, nil)),
        Row(a: .live("old", at: 10), b: .live("new", at: 20), end: "new", outcomes: (.changed, .kept)),
        Row(a: .live("old", at: 10), b: .live("new", at: 10.001), end: "new", outcomes: (.changed, .kept)),
        Row(a: .live("same", at: 10), b: .live("same", at: 10), end: "same", outcomes: (.same, .same)),
        Row(a: .live("old", at: 10), b: .deleted(at: 20), end: nil, outcomes: (.removed, .kept)),
        Row(a: .live("new", at: 30), b: .deleted(at: 20), end: "new", outcomes: (.kept, .added)),
        Row(a: .deleted(at: 10), b: .deleted(at: 20), end: nil, outcomes: (.noted, .kept)),
        // A clock ten years ahead wins, once.
        Row(a: .live("here", at: 10), b: .live("ahead", at: 315_360_000), end: "ahead", outcomes: (.changed, .kept)),
    ]

    private func device(_ name: UInt8, _ version: Version) throws -> SyncDevice {
        let device = try SyncDevice(name)
        switch version {
        case .none: break
        case .live(let secret, let time): try device.add("a", secret, at: time)
        case .deleted(let time):
            try device.add("a", "gone", at: 1)
            try device.remove("a", at: time)
        }
        return try device.begun()
    }

    @Test("each row of the table, from both sides", arguments: table)
    func rows(row: Row) throws {
        let (a, b) = (try device(1, row.a), try device(2, row.b))
        let (before, after) = (try a.found("a")?.id, try b.found("a")?.id)
        let (ofA, ofB) = (try a.changes().map(\.item), try b.changes().map(\.item))
        #expect(try a.pull(ofB).first == row.outcomes.0)
        #expect(try b.pull(ofA).first == row.outcomes.1)
        #expect(try a.secret("a") == row.end)
        #expect(try b.secret("a") == row.end)
        // Who held its reference finds it still.
        if let before, let now = try a.found("a")?.id { #expect(before == now) }
        if let after, let now = try b.found("a")?.id { #expect(after == now) }
        // Whose version stayed sends it, and nobody else does.
        for (device, outcome) in [(a, row.outcomes.0), (b, row.outcomes.1)] {
            guard let outcome else { continue }
            #expect(try device.changes().count == (outcome == .kept ? 1 : 0))
        }
        // Once more, and nothing happens.
        let (againA, againB) = (try device(3, .none), try device(4, .none))
        try againA.pull(try a.push() + b.push())
        try againB.pull(try a.push() + b.push())
        for device in [a, b] { #expect(try device.findings() == []) }
    }

    @Test("of two of one age the one with the smaller digest stays, whichever side it is on")
    func equalAge() throws {
        var kept: Set<String> = []
        for secrets in [("one", "two"), ("two", "one")] {
            let (a, b) = (try device(1, .live(secrets.0, at: 10)), try device(2, .live(secrets.1, at: 10)))
            let (ofA, ofB) = (try a.changes().map(\.item), try b.changes().map(\.item))
            let outcomes = [try a.pull(ofB).first, try b.pull(ofA).first]
            #expect(Set(outcomes) == [.changed, .kept])
            let ends = [try a.secret("a"), try b.secret("a")]
            #expect(ends[0] == ends[1])
            if let end = ends[0] { kept.insert(end) }
        }
        #expect(kept.count == 1)
    }

    @Test("what was changed here and loses is an earlier version, in whatever group")
    func lostChange() throws {
        let (a, b) = (try device(1, .live("mine", at: 10)), try device(2, .live("theirs", at: 20)))
        let (ofA, ofB) = (try a.changes().map(\.item), try b.changes().map(\.item))
        try a.pull(ofB)
        try b.pull(ofA)
        // A's own lost at A, and A's lost at B, before it was ever there.
        for device in [a, b] {
            let versions = try device.history()
            #expect(versions.count == 1)
            #expect(try device.pastSecret(versions[0]) == "mine")
            try device.connection.bringBack(versions[0].number, .only([SyncDevice.group]), at: SyncDevice.moment(30))
            #expect(try device.secret("a") == "mine")
            #expect(try device.changes().count == 1)
            #expect(try device.findings() == [])
        }
    }

    @Test("an ordinary change of another device leaves no version of a program's item, and one of a person's")
    func ordinaryChange() throws {
        for (group, count) in [(SyncDevice.group, 0), (AccessGroup.passwords, 1)] {
            let (a, b) = (try SyncDevice(1), try SyncDevice(2))
            try a.add("a", "old", at: 10, in: group)
            try a.begun()
            try b.begun()
            try b.pull(try a.push())
            #expect(try b.secret("a", in: group) == "old")
            try a.change("a", to: "new", at: 20, in: group)
            #expect(try b.pull(try a.push(head: 2), head: 2) == [.changed])
            #expect(try b.secret("a", in: group) == "new")
            #expect(try b.history(in: group).count == count)
        }
    }

    @Test("what cannot be read here gives way, and is kept in quarantine")
    func undecodable() throws {
        let (a, b) = (try device(1, .live("mine", at: 30)), try device(2, .live("theirs", at: 20)))
        try a.connection.sqlite.execute(
            "update genp set data = cast(substr(data, 1, length(data) - 1) || case when substr(data, -1) = x'00' then x'01' else x'00' end as blob)"
        )
        #expect(try a.pull(try b.changes().map(\.item)) == [.added])
        #expect(try a.secret("a") == "theirs")
        #expect(try a.changes().isEmpty)
        let count = try a.connection.sqlite.prepare("select count(*) from quarantine")
        #expect(try count.step() && count.int64(0) == 1)
    }

    @Test("an item of another class of protection takes its place all the same")
    func otherClass() throws {
        let (a, b) = (try SyncDevice(1), try SyncDevice(2))
        try a.add("a", "old", at: 10, .whenUnlocked)
        try b.add("a", "new", at: 20, .afterFirstUnlock)
        try a.begun()
        try b.begun()
        #expect(try a.pull(try b.changes().map(\.item)) == [.changed])
        try a.lock()
        #expect(try a.secret("a") == "new")
    }

    @Test("what this keychain could not have is refused, and its leaf noted")
    func refused() throws {
        let source = try device(2, .live("x", at: 10))
        let item = try #require(try source.changes().first?.item)
        func changed(_ change: (inout AttributeList) -> Void, _ itemClass: ItemClass = .genericPassword) -> SyncItem {
            var attributes = item.attributes
            change(&attributes)
            return SyncItem(itemClass: itemClass, attributes: attributes, secret: item.secret)
        }
        let wrong = [
            changed { $0[.synchronizable] = .number(0) }, changed { $0[.synchronizable] = nil },
            changed { $0[.accessible] = .string("aku") }, changed { $0[.accessible] = .string("akpu") },
            changed { $0[.accessible] = nil }, changed { $0[.accessGroup] = .string("") },
            changed { $0[.accessGroup] = .string(AccessGroup.token.name) },
            changed { $0[.accessGroup] = .string(AccessGroup.sync.name) },
            changed { $0[.modificationDate] = nil }, changed { $0[.modificationDate] = .date(.infinity) },
            changed { $0[.modificationDate] = .date(1e15) }, changed { $0[.creationDate] = nil },
            changed { $0[.tokenID] = .string("com.apple.setoken") }, changed { $0[.server] = .string("a") },
            changed { $0[.accessControl] = .data([1]) }, changed { $0[.syncIdentifier] = .data([1]) },
            changed { $0[.multiUser] = .data([UInt8](repeating: 1, count: 16)) },
            changed { $0[.tombstone] = .number(1) }, changed({ _ in }, .key), changed({ _ in }, .certificate),
        ]
        let device = try SyncDevice(1).begun()
        for item in wrong { #expect(try device.pull([item]) == [.refused]) }
        #expect(try device.secret("a") == nil)
        #expect(try device.leaves().count == 3)
        #expect(try device.findings() == [])
        #expect(try device.pull([item]) == [.added])
    }

    @Test(
        "an item that is renamed into the place of a deleted one is later than that deletion, whatever the clock says")
    func renamedOntoDeleted() throws {
        let (a, b) = (try device(1, .deleted(at: 3700)), try SyncDevice(2))
        try b.add("b", "kept", at: 50)
        try b.begun()
        let deletion = try a.push()
        try b.pull(deletion)
        // The clock of the device that deleted is an hour ahead.
        try b.rename("b", to: "a", at: 400)
        #expect(try b.pull(deletion, head: 2).first == .kept)
        #expect(try b.secret("a") == "kept")
        try a.pull(try b.push(head: 3), head: 3)
        #expect(try a.secret("a") == "kept")
        for device in [a, b] { #expect(try device.findings() == []) }
    }

    @Test("going back over a rename takes the place of the tombstone there, and leaves one where the item was")
    func wentBackOverRename() throws {
        let (a, b) = (try SyncDevice(1), try SyncDevice(2))
        try a.add("mail", "secret", at: 10, in: .passwords)
        try a.begun()
        try b.begun()
        try b.pull(try a.push())
        let reference = try a.found("mail", in: .passwords)?.id
        try a.rename("mail", to: "post", at: 20, in: .passwords)
        try b.pull(try a.push(head: 2), head: 2)
        #expect(try b.secret("post", in: .passwords) == "secret")
        // Whatever the clock says, it is later than what it takes the place of.
        let version = try #require(
            try a.history(in: .passwords).first { $0.item.attributes?[.account] == .string("mail") })
        try a.connection.bringBack(version.number, .only([.passwords]), at: SyncDevice.moment(15))
        try b.pull(try a.push(head: 3), head: 3)
        for device in [a, b] {
            #expect(try device.secret("mail", in: .passwords) == "secret")
            #expect(try device.secret("post", in: .passwords) == nil)
            #expect(try device.findings() == [])
        }
        #expect(try a.found("mail", in: .passwords)?.id == reference)
    }

    @Test("going back over a rename that was deleted since leaves the deletion where it was")
    func wentBackOverDeletedRename() throws {
        let (a, b) = (try SyncDevice(1), try SyncDevice(2))
        try a.add("mail", "secret", at: 10, in: .passwords)
        try a.begun()
        try b.begun()
        try a.rename("mail", to: "post", at: 20, in: .passwords)
        try b.pull(try a.push())
        // b hears of the deletion and of the return at once.
        try a.remove("post", at: 30, in: .passwords)
        let version = try #require(try a.history(in: .passwords).last)
        try a.connection.bringBack(version.number, .only([.passwords]), at: SyncDevice.moment(40))
        try b.pull(try a.push(head: 2), head: 2)
        for device in [a, b] {
            #expect(try device.secret("mail", in: .passwords) == "secret")
            #expect(try device.secret("post", in: .passwords) == nil)
            #expect(try device.findings() == [])
        }
    }

    @Test("going back to before an item was shared leaves it shared, and its devices with what it was")
    func wentBackToUnshared() throws {
        let (a, b) = (try SyncDevice(1), try SyncDevice(2))
        try a.add("mail", "secret", at: 10, in: .passwords, isSynchronizable: false)
        try a.begun()
        try b.begun()
        try a.share("mail", at: 20, in: .passwords)
        try b.pull(try a.push())
        let version = try #require(try a.history(in: .passwords).first)
        try a.connection.bringBack(version.number, .only([.passwords]), at: SyncDevice.moment(30))
        #expect(try a.changes().map(\.item.isTombstone) == [false])
        try b.pull(try a.push(head: 2), head: 2)
        for device in [a, b] {
            #expect(try device.secret("mail", in: .passwords) == "secret")
            #expect(try device.findings() == [])
        }
    }

    @Test("an item with rules, or of a token, is not touched")
    func ruled() throws {
        let (a, b) = (try device(1, .live("mine", at: 10)), try device(2, .live("theirs", at: 20)))
        // No call makes one that is both; a keychain of other software's might have one.
        try a.connection.sqlite.execute("update genp set tkid = 'x'")
        let incoming = try b.changes().map(\.item)
        #expect(try a.pull(incoming) == [.added])
        let count = try a.connection.sqlite.prepare("select count(*) from genp where tkid = 'x'")
        #expect(try count.step() && count.int64(0) == 1)
    }
}
