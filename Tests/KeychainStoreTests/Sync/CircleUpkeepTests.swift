// SPDX-License-Identifier: Apache-2.0

import KeychainAuthorization
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSQLite
import KeychainStore
import Testing

/// What rotations, repairs and restores do with what a keychain keeps of its circle.
@Suite("upkeep of a keychain in a circle") struct CircleUpkeepTests {
    private func sharing(_ accounts: String...) throws -> SyncDevice {
        let device = try SyncDevice().begun()
        for account in accounts { try device.add(account, "x", at: 1) }
        try device.push()
        return device
    }

    @Test("a rotation seals the state again, and no item is marked by being sealed again")
    func rotation() throws {
        let device = try sharing("a", "b", "c")
        try device.change("b", to: "y", at: 2)
        let keys = try device.rotate()
        #expect(try device.state().bytes == [1, 2, 3])
        let old = ClassKeyNames.of(keys, generation: keys.header.generation - 1, .afterFirstUnlock)
        #expect(try device.connection.unused(old).isEmpty)
        while try !device.connection.reseal(atMost: 2).isAtEnd {}
        #expect(try device.state().says([1, 2, 3], version: 1))
        #expect(try device.changes().compactMap { SyncDevice.account($0.item) } == ["b"])
        #expect(try device.connection.unused(old) == old)
        #expect(try device.findings() == [])
    }

    @Test("a repair of a file that is in order takes everything over")
    func repair() throws {
        let device = try sharing("a", "b", "c")
        try device.change("b", to: "y", at: 2)
        let (connection, report) = try device.repaired()
        defer { connection.close() }
        #expect(report.wasWhole && report.savedItems == 3)
        #expect(try connection.check(from: nil, atMost: .max, copyOfKeybag: nil).findings == [])
        guard case .state(let state?) = try SyncDevice.sync(.state(), on: connection),
            case .leaves(let leaves) = try SyncDevice.sync(
                .leaves(of: SyncDevice.view, behind: nil, limit: 9), on: connection),
            case .changes(let changes, _) = try SyncDevice.sync(.changes(behind: 0, limit: 9), on: connection)
        else { throw SyncDevice.Unexpected() }
        #expect(state.bytes == [1, 2, 3])
        #expect(try leaves == device.leaves())
        #expect(changes.compactMap { SyncDevice.account($0.item) } == ["b"])
    }

    @Test("a repair that loses an item keeps the state, and no leaf, so that the circle is read anew")
    func lossyRepair() throws {
        let device = try sharing("a", "b", "c")
        try device.connection.sqlite.execute("update genp set data = x'00' where rowid = 2")
        let (connection, report) = try device.repaired()
        defer { connection.close() }
        #expect(report.savedItems == 2)
        #expect(try connection.check(from: nil, atMost: .max, copyOfKeybag: nil).findings == [])
        guard case .state(let state?) = try SyncDevice.sync(.state(), on: connection),
            case .leaves(let leaves) = try SyncDevice.sync(
                .leaves(of: SyncDevice.view, behind: nil, limit: 9), on: connection),
            case .changes(let changes, _) = try SyncDevice.sync(.changes(behind: 0, limit: 9), on: connection)
        else { throw SyncDevice.Unexpected() }
        #expect(state.bytes == [1, 2, 3])
        #expect(leaves.isEmpty)
        #expect(Set(changes.compactMap { SyncDevice.account($0.item) }) == ["a", "c"])
    }

    @Test("a repair leaves the circle where the state does not open")
    func stateLost() throws {
        let device = try sharing("a")
        try device.connection.sqlite.execute("update sync_state set version = 9")
        let (connection, _) = try device.repaired()
        defer { connection.close() }
        #expect(try connection.check(from: nil, atMost: .max, copyOfKeybag: nil).findings == [])
        guard case .state(nil) = try SyncDevice.sync(.state(), on: connection) else { throw SyncDevice.Unexpected() }
    }

    @Test("how many items of a view live, and which tombstones are old, is told by view")
    func counting() throws {
        let device = try sharing("a", "b", "c", "d")
        for (account, time) in [("b", 20.0), ("c", 10.0)] { try device.remove(account, at: time) }
        try device.push(head: 2)
        let ids = try ["a", "b"].map { try SyncDevice.leaf(item(named: $0)).id }
        guard case .live(1, of: 2) = try device.sync(.live(of: SyncDevice.view, among: ids)) else {
            throw SyncDevice.Unexpected()
        }
        func tombstones(before date: Double, limit: Int = 9) throws -> [Double] {
            guard
                case .tombstones(let found) = try device.sync(
                    .tombstones(of: SyncDevice.view, before: date, limit: limit))
            else { throw SyncDevice.Unexpected() }
            return found.map(\.date)
        }
        #expect(try tombstones(before: .infinity) == [10, 20])
        #expect(try tombstones(before: 20) == [10])
        #expect(try tombstones(before: .infinity, limit: 1) == [10])
        // A column that somebody changed proposes, and the seal says no.
        try device.connection.sqlite.execute("update genp set mdat = 1 where tomb = 1")
        #expect(try tombstones(before: 5) == [])
        try device.lock()
        #expect(try tombstones(before: .infinity) == [])
    }

    @Test(
        "a restore brings nothing to what a keychain keeps of its circle, and takes nothing from it",
        arguments: [false, true])
    func restoring(replaces: Bool) throws {
        let device = try SyncDevice()
        let id = try device.add("seed", "own", at: 1, in: .sync, isSynchronizable: false)
        try device.add("other", "x", at: 1, isSynchronizable: false)
        let backup = [
            backedUp("planted", in: .sync, PersistentID(high: 1, low: 1)), backedUp("seed", in: .sync, id),
            backedUp("seed", in: SyncDevice.group, id),
            backedUp("new", in: SyncDevice.group, PersistentID(high: 1, low: 2)),
        ]
        let request = RestoreRequest(items: backup, replaces: replaces, isWhole: true, isRehearsal: false)
        let (outcomes, removed) = try device.connection.restore(request, .every, at: SyncDevice.moment(9))
        #expect(outcomes == [.refused, .refused, .kept, .added])
        #expect(removed.count == (replaces ? 1 : 0))
        #expect(try device.secret("planted", in: .sync) == nil)
        #expect(try device.secret("seed", in: .sync) == "own")
        #expect(try device.connection.retain([], .every, isRehearsal: false, at: SyncDevice.moment(9)).count > 0)
        #expect(try device.secret("seed", in: .sync) == "own")
    }

    /// An item as a backup that somebody made has it.
    private func backedUp(_ account: String, in group: AccessGroup, _ id: PersistentID) -> FoundItem {
        let protection = Accessibility.whenUnlocked
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        attributes[.service] = .string("")
        attributes[.accessGroup] = .string(group.name)
        attributes[.accessible] = .string(protection.name)
        attributes[.multiUser] = .emptyData
        (attributes[.synchronizable], attributes[.tombstone]) = (.number(0), .number(0))
        (attributes[.creationDate], attributes[.modificationDate]) = (.date(8), .date(8))
        return FoundItem(
            itemClass: .genericPassword, persistentID: id, attributes: attributes,
            accessControl: AccessControl(protection: protection), secret: SecretValue(copying: Array("bad".utf8)))
    }

    private func item(named account: String) -> SyncItem {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        return SyncItem(itemClass: .genericPassword, attributes: attributes, secret: nil)
    }

    @Test("the generation of a secret stays with it, and what later versions know stays with the item")
    func facts() throws {
        let (device, source) = (try SyncDevice(1).begun(), try sharing("a"))
        try source.change("a", to: "x1", at: 2)
        let came = try #require(try source.changes().first?.item)
        let shared = SyncItem(
            itemClass: came.itemClass, attributes: came.attributes, secret: came.secret, secretGeneration: 4,
            later: [9, 8])
        #expect(try device.pull([shared]) == [.added])
        func change() throws -> SyncItem { try #require(try device.changes().last?.item) }
        // No caller sees it.
        try device.change("a", to: "x1", at: 3)
        #expect(try change().secretGeneration == 4 && change().later == [9, 8])
        #expect(try change().attributes[.circleFacts] == nil)
        try device.change("a", to: "x2", at: 4)
        #expect(try change().secretGeneration == 0 && change().later == [9, 8])
        try device.remove("a", at: 5)
        #expect(try change().secretGeneration == 0 && change().later == [])
        #expect(try device.findings() == [])
    }
}

private enum ClassKeyNames {
    static func of(
        _ keys: UnlockedKeybag, generation: UInt32, _ accessibility: Accessibility
    ) -> Set<ClassKeyName> {
        guard case .available(let found) = keys.availability(of: accessibility, generation: generation) else {
            return []
        }
        return [found.name]
    }
}
