// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Testing

/// What a person changed or removed can be gone back to, for a while (M37, M38).
@Suite("earlier versions of items") struct HistoryTests {
    private let store: ConstrainedStore
    private let scope: GroupFilter
    private static let day: Double = 86_400

    init() throws {
        store = try ConstrainedStore()
        scope = .only([.passwords])
    }

    private func moment(_ now: Double) -> WriteContext {
        WriteContext(now: now) {
            var generator = SystemRandomNumberGenerator()
            return (generator.next(), generator.next(), generator.next(), generator.next())
        }
    }

    private var shown: ShownFactors {
        ShownFactors(
            secrets: store.person, currentFingers: nil, areFingersKnown: true, passwordCost: ConstrainedStore.cost)
    }

    private func caller(_ group: AccessGroup) -> Caller {
        Caller(groups: [group], seesEveryGroup: false, administersKeys: false, program: nil)
    }

    private func predicate(_ account: String) -> ItemPredicate {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    @discardableResult
    private func add(
        _ account: String, _ secret: String, at now: Double, in group: AccessGroup = .passwords,
        _ protection: AccessControl = AccessControl(protection: .whenUnlocked), isSynchronizable: Bool = false
    ) throws -> PersistentReference {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .accessControl(protection), isSynchronizable: isSynchronizable, isTombstone: false,
            secret: SecretValue(copying: Array(secret.utf8)), returning: [.persistentReference], origin: .caller)
        let item = try store.connection.add(
            try Authorization.authorize(request, from: caller(group)), shown, at: moment(now))
        return .item(.genericPassword, item.persistentID)
    }

    private func change(
        _ account: String, to secret: String, at now: Double, in group: AccessGroup = .passwords,
        protection: AccessControl? = nil, isSynchronizable: Bool? = nil
    ) throws {
        let changes = ItemChanges(
            attributes: AttributeList(), group: nil, accessControl: protection, isSynchronizable: isSynchronizable,
            secret: SecretValue(copying: Array(secret.utf8)))
        let request = UpdateRequest(predicate: predicate(account), changes: changes, tombstones: .whenSynchronizable)
        try store.connection.update(
            [try Authorization.authorize(request, from: caller(group))], shown, at: moment(now))
    }

    private func remove(_ account: String, at now: Double, in group: AccessGroup = .passwords) throws {
        let request = DeleteRequest(predicate: predicate(account), tombstones: .whenSynchronizable)
        try store.connection.delete(
            try Authorization.authorize(request, from: caller(group)), store.person, at: moment(now))
    }

    /// The secret that is found now; nil where there is no such item.
    private func found(_ account: String) throws -> (id: PersistentID, secret: SecretValue?)? {
        let request = MatchRequest(predicate: predicate(account), returning: .data, limit: .single)
        let found = try? store.connection.match(
            try Authorization.authorize(request, from: caller(.passwords)), store.person, unmet: .told, now: { 0 })
        guard case .item(let item)? = found?.first else { return nil }
        return (item.persistentID, item.secret)
    }

    private func versions(at now: Double, of reference: PersistentReference? = nil) throws -> [PastVersion] {
        try store.connection.history(of: reference, before: nil, scope, at: now)
    }

    private func secret(of version: PastVersion, at now: Double) throws -> SecretValue? {
        try store.connection.pastVersion(version.number, scope, at: now).item.secret
    }

    @Test("a change and a removal leave what was there, newest first, and the secret only to who asks for one version")
    func kept() throws {
        let reference = try add("a", "one", at: 100)
        try change("a", to: "two", at: 200)
        try remove("a", at: 300)
        let versions = try versions(at: 400, of: reference)
        #expect(versions.map(\.end) == [.removed, .changed])
        #expect(versions.map(\.since) == [200, 100])
        #expect(versions.map(\.until) == [300, 200])
        #expect(versions.allSatisfy { $0.item.secret == nil && $0.item.attributes?[.account] == .string("a") })
        #expect(try secret(of: versions[0], at: 400)?.says("two") == true)
        #expect(try secret(of: versions[1], at: 400)?.says("one") == true)
        #expect(try store.connection.history(of: nil, before: versions[0].number, scope, at: 400).count == 1)
        #expect(try self.versions(at: 400, of: .item(.key, PersistentID(high: 1, low: 2))).isEmpty)
    }

    @Test("undelete brings the item back under its reference, and takes the version with it")
    func undelete() throws {
        let reference = try add("a", "one", at: 100)
        try remove("a", at: 200)
        #expect(try found("a") == nil)
        let version = try #require(try versions(at: 300).first)
        try store.connection.bringBack(version.number, scope, at: moment(300))
        let back = try #require(try found("a"))
        #expect(reference == .item(.genericPassword, back.id))
        #expect(back.secret?.says("one") == true)
        #expect(try versions(at: 400).isEmpty)
        #expect(throws: StoreError.self) { try store.connection.bringBack(version.number, scope, at: moment(400)) }
    }

    @Test("an earlier version takes the place of the current one, which becomes a version")
    func restore() throws {
        try add("a", "one", at: 100)
        try change("a", to: "two", at: 200)
        let version = try #require(try versions(at: 300).first)
        try store.connection.bringBack(version.number, scope, at: moment(300))
        #expect(try found("a")?.secret?.says("one") == true)
        let now = try versions(at: 400)
        #expect(now.count == 1)
        #expect(try secret(of: now[0], at: 400)?.says("two") == true)
    }

    @Test(
        "an item stays shared, or of this device alone, as it is when an earlier version comes back",
        arguments: [true, false])
    func sharing(isShared: Bool) throws {
        try add(
            "a", "one", at: 100, AccessControl(protection: .whenUnlockedThisDeviceOnly), isSynchronizable: !isShared)
        try change(
            "a", to: "two", at: 200, protection: AccessControl(protection: .whenUnlocked), isSynchronizable: isShared)
        let version = try #require(try versions(at: 300).first)
        try store.connection.bringBack(version.number, scope, at: moment(300))
        #expect(try found("a")?.secret?.says("one") == true)
        let statement = try store.sqlite.prepare("select sync, pdmn from genp where tomb = 0")
        defer { statement.reset() }
        #expect(try statement.step())
        #expect(statement.int64(0) == (isShared ? 1 : 0))
        // What is shared has to be able to leave this device.
        #expect(statement.text(1) == (isShared ? "ak" : "aku"))
        #expect(try !statement.step())
    }

    @Test("where another item has taken the name, nothing is changed")
    func taken() throws {
        try add("a", "one", at: 100)
        try remove("a", at: 200)
        try add("a", "another", at: 300)
        let version = try #require(try versions(at: 400).first)
        do {
            try store.connection.bringBack(version.number, scope, at: moment(400))
            Issue.record("two items of one name")
        } catch {
            guard case .duplicate = error else { throw error }
        }
        #expect(try found("a")?.secret?.says("another") == true)
        #expect(try versions(at: 400).count == 1)
    }

    @Test("where what has taken the name cannot be read, that goes into quarantine")
    func takenByDamage() throws {
        try add("a", "one", at: 100)
        try remove("a", at: 200)
        try add("a", "another", at: 300)
        try store.sqlite.execute(
            "update genp set data = cast(substr(data, 1, length(data) - 1) || case when substr(data, -1) = x'00' then x'01' else x'00' end as blob)"
        )
        let version = try #require(try versions(at: 400).first)
        try store.connection.bringBack(version.number, scope, at: moment(400))
        #expect(try found("a")?.secret?.says("one") == true)
        let statement = try store.sqlite.prepare("select count(*) from quarantine")
        defer { statement.reset() }
        #expect(try statement.step() && statement.int64(0) == 1)
    }

    @Test("going back lets go of no other version where five are kept, and gives no number twice")
    func restoreOfFull() throws {
        try add("a", "0", at: 100)
        for number in 1...5 { try change("a", to: "\(number)", at: 100 + Double(number)) }
        let version = try #require(try versions(at: 200).first)
        try store.connection.bringBack(version.number, scope, at: moment(200))
        #expect(try found("a")?.secret?.says("4") == true)
        let left = try versions(at: 300)
        for (version, said) in zip(left, ["5", "3", "2", "1", "0"]) {
            #expect(try secret(of: version, at: 300)?.says(said) == true)
        }
        #expect(left.count == 5)
        #expect(!left.contains { $0.number == version.number })
    }

    @Test("a synchronized item comes back over its tombstone, later than its deletion")
    func tombstone() throws {
        try add("a", "one", at: 100, isSynchronizable: true)
        try remove("a", at: 200)
        let version = try #require(try versions(at: 300).first)
        try store.connection.bringBack(version.number, scope, at: moment(150))
        #expect(try found("a")?.secret?.says("one") == true)
        let statement = try store.sqlite.prepare("select count(*), max(tomb), max(mdat) from genp")
        defer { statement.reset() }
        #expect(try statement.step())
        #expect(statement.int64(0) == 1)
        #expect(statement.int64(1) == 0)
        #expect(statement.double(2) > 200)
    }

    @Test("nothing is kept of programs' items, of what is bound to a passcode, or under rules")
    func never() throws {
        let (open, bound) = (try #require(AccessGroup("llavero.open")), AccessControl.self)
        try add("program", "one", at: 100, in: open)
        try change("program", to: "two", at: 200, in: open)
        try remove("program", at: 300, in: open)
        try add("akpu", "one", at: 100, bound.init(protection: .whenPasscodeSetThisDeviceOnly))
        try change("akpu", to: "two", at: 200)
        try remove("akpu", at: 300)
        try add("ruled", "one", at: 100, try ConstrainedStore.control(.devicePasscode))
        try change("ruled", to: "two", at: 200)
        try remove("ruled", at: 300)
        let statement = try store.sqlite.prepare("select count(*) from past")
        defer { statement.reset() }
        #expect(try statement.step())
        #expect(statement.int64(0) == 0)
    }

    @Test("five versions of an item are kept, thirty days")
    func bounded() throws {
        try add("a", "0", at: 0)
        for number in 1...8 { try change("a", to: "\(number)", at: Double(number) * Self.day) }
        let versions = try versions(at: 9 * Self.day)
        #expect(versions.count == 5)
        #expect(try secret(of: versions[4], at: 9 * Self.day)?.says("3") == true)
        #expect(try self.versions(at: 36 * Self.day).count == 3)
        #expect(throws: StoreError.self) {
            try store.connection.pastVersion(versions[4].number, scope, at: 36 * Self.day)
        }
        // Sixteen that are kept take away as many that are too old by the clock of them all.
        for (round, left) in [5 + 16, 3 + 32].enumerated() {
            for _ in 0..<16 {
                try add("b\(round)", "b", at: 36 * Self.day)
                try remove("b\(round)", at: 36 * Self.day)
            }
            #expect(try count() == left)
        }
    }

    @Test("a version is kept however large it is, and each part of a list has little in memory")
    func large() throws {
        let (first, second) = (String(repeating: "1", count: 3 << 20), String(repeating: "2", count: 70_000))
        let reference = try add("a", first, at: 100)
        try change("a", to: second, at: 200)
        try remove("a", at: 300)
        let newest = try versions(at: 400, of: reference)
        #expect(newest.map(\.since) == [200, 100])
        #expect(newest.allSatisfy { $0.item.secret == nil })
        #expect(try secret(of: newest[0], at: 400)?.says(second) == true)
        #expect(try secret(of: newest[1], at: 400)?.says(first) == true)
        // Behind one of more than a mebibyte begins another part.
        try change("b", to: first, from: second, at: 350)
        try change("b", to: second, at: 360)
        let part = try versions(at: 400)
        #expect(part.map(\.since) == [350])
        #expect(try store.connection.history(of: nil, before: part[0].number, scope, at: 400).count == 3)
        try store.connection.bringBack(newest[1].number, scope, at: moment(400))
        #expect(try found("a")?.secret?.says(first) == true)
    }

    private func change(_ account: String, to secret: String, from first: String, at now: Double) throws {
        try add(account, first, at: now - 10)
        try change(account, to: secret, at: now)
    }

    @Test("of large versions the oldest go that are too much of one item, and the newest stays")
    func largeOfOne() throws {
        let large = String(repeating: "a", count: 70_000)
        let reference = try add("a", large, at: 100)
        try add("b", large, at: 100)
        for account in ["b", "a"] { try change(account, to: large, at: 200) }
        try store.sqlite.execute(
            "update past set row = zeroblob(\(PastVersion.mostLargeBytesOfOne)) where id = (select max(id) from past)")
        try change("a", to: large, at: 300)
        #expect(try versions(at: 400, of: reference).map(\.since) == [200])
        #expect(try count() == 2)
    }

    @Test("what large versions may take together is counted from the newest on")
    func largeTogether() {
        var large = LargeVersions()
        let third = PastVersion.mostLargeBytesOfOne / 3 + 1
        let isKept = [true, true, true, false].map { isOfTheItem in large.keep(bytes: third, ofTheItem: isOfTheItem) }
        #expect(isKept == [true, true, false, true])
        let room = (PastVersion.mostLargeBytes - 3 * third) / third
        let others = (0..<room + 2).map { _ in large.keep(bytes: third, ofTheItem: false) }
        #expect(others == Array(repeating: true, count: room) + [false, false])
        var largest = LargeVersions()
        let isLargestKept = largest.keep(bytes: PastVersion.mostLargeBytes + 1, ofTheItem: true)
        #expect(isLargestKept)
    }

    /// How many versions the file has, shown or not.
    private func count() throws -> Int64 {
        let statement = try store.sqlite.prepare("select count(*) from past")
        defer { statement.reset() }
        guard try statement.step() else { return 0 }
        return statement.int64(0)
    }

    @Test("what was removed under a clock that was far behind can be brought back under the right one")
    func clockBehind() throws {
        try add("a", "one", at: 900 * Self.day)
        try remove("a", at: 0)
        for _ in 0..<40 {
            try add("b", "b", at: 1000 * Self.day)
            try remove("b", at: 1000 * Self.day)
        }
        let version = try #require(try versions(at: 1000 * Self.day).last)
        #expect(try secret(of: version, at: 1000 * Self.day)?.says("one") == true)
        try store.connection.bringBack(version.number, scope, at: moment(1000 * Self.day))
        #expect(try found("a")?.secret?.says("one") == true)
    }

    @Test("a clock that is far ahead for a while takes no version away")
    func clockAhead() throws {
        try add("a", "one", at: 100)
        try remove("a", at: 200)
        for _ in 0..<16 {
            try add("b", "b", at: 400 * Self.day)
            try remove("b", at: 400 * Self.day)
        }
        let version = try #require(try versions(at: 300).last)
        #expect(try secret(of: version, at: 300)?.says("one") == true)
    }

    @Test("who does not see the group sees no version, and can bring nothing back")
    func scoped() throws {
        try add("a", "one", at: 100)
        try remove("a", at: 200)
        let number = try #require(try versions(at: 300).first).number
        let other = GroupFilter.only([try #require(AccessGroup("llavero.open"))])
        #expect(try store.connection.history(of: nil, before: nil, other, at: 300).isEmpty)
        #expect(throws: StoreError.self) { try store.connection.pastVersion(number, other, at: 300) }
        #expect(throws: StoreError.self) { try store.connection.bringBack(number, other, at: moment(300)) }
        #expect(try store.connection.forgetHistory(of: nil, other) == 0)
        #expect(try versions(at: 300).count == 1)
    }

    @Test("what is forgotten is gone")
    func forgotten() throws {
        let first = try add("a", "one", at: 100)
        try add("b", "two", at: 100)
        for account in ["a", "b"] { try remove(account, at: 200) }
        #expect(try store.connection.forgetHistory(of: first, scope) == 1)
        #expect(try versions(at: 300).map { $0.item.attributes?[.account] } == [.string("b")])
        #expect(try store.connection.forgetHistory(of: nil, scope) == 1)
        #expect(try versions(at: 300).isEmpty)
    }

    @Test("a version whose columns were changed from outside is passed over, and not brought back")
    func changed() throws {
        try add("a", "one", at: 100)
        try add("b", "two", at: 100)
        for account in ["a", "b"] { try remove(account, at: 200) }
        let number = try #require(try versions(at: 300).last).number
        // The row of one under the number of the other, and a row that is none.
        for sql in [
            "update past set row = (select row from past order by id desc limit 1) where id = \(number)",
            "update past set row = x'00' where id = \(number)",
        ] {
            try store.sqlite.execute(sql)
            #expect(try versions(at: 300).count == 1)
            #expect(throws: StoreError.self) { try store.connection.bringBack(number, scope, at: moment(300)) }
        }
    }
}
