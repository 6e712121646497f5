// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainModel
import KeychainRequest
import KeychainSecretService
import KeychainSystem
import Testing

@Suite struct NoticedChangesTests {
    /// A keychain whose changes are written down.
    private final class Listening: ItemObserver {
        private let events = ForkSafeMutex<[ItemEvent]>([])

        func saw(_ events: [ItemEvent]) { self.events.withLock { $0 += events } }

        func take() -> KeychainChanges {
            KeychainChanges(
                events.withLock { events in
                    defer { events = [] }
                    return events.filter(\.isChange)
                }, isIncomplete: false)
        }
    }

    private let bed: CollectionBed
    private let listening = Listening()
    private let mine: SecretCollection
    private let theirs: SecretCollection

    init() throws {
        let bed = try CollectionBed()
        self.bed = bed
        var caller = CollectionBed.service
        caller.observer = listening
        let observed = caller
        let session: @Sendable () throws(KeychainError) -> any KeychainSession = { () throws(KeychainError) in
            try bed.host.session(for: observed)
        }
        mine = SecretCollection(session)
        theirs = SecretCollection(session)
    }

    @Test("what the collection did itself is no news")
    func own() throws {
        _ = try mine.search([:])
        let id = try mine.store("a", ["a": "1"])
        #expect(try mine.noticed(listening.take()).isEmpty)
        _ = try mine.store("b", ["a": "1"], replacing: true)
        #expect(try mine.setLabel("b", of: id) && mine.setAttributes(["b": "1"], of: id))
        #expect(try mine.noticed(listening.take()).isEmpty)
        #expect(try mine.text(id) == "b")
        #expect(try mine.delete(id))
        #expect(try mine.noticed(listening.take()).isEmpty)
    }

    @Test("what others did is told, and found from then on")
    func others() throws {
        let kept = try mine.store("kept", ["a": "1"])
        #expect(try mine.search(["a": "1"]) == [kept])
        _ = listening.take()
        let id = try theirs.store("a", ["a": "1"])
        #expect(try mine.noticed(listening.take()) == [.made(id)])
        #expect(try mine.search(["a": "1"]) == [id, kept] && mine.text(id) == "a")
        #expect(try theirs.setAttributes(["a": "2"], of: kept))
        #expect(try mine.noticed(listening.take()) == [.changed(kept)])
        #expect(try mine.search(["a": "2"]) == [kept] && mine.search(["a": "1"]) == [id])
        #expect(try theirs.delete(id))
        #expect(try mine.noticed(listening.take()) == [.removed(id)])
        #expect(try mine.search([:]) == [kept])
    }

    @Test("where not all is known that was done, everything is looked at", arguments: [false, true])
    func incomplete(isForgotten: Bool) throws {
        let ids = try (0..<3).map { try mine.store("\($0)", ["a": "1"]) }
        _ = try mine.search([:])
        #expect(try theirs.setLabel("new", of: ids[0]) && theirs.delete(ids[1]))
        let made = try theirs.store("new", ["a": "1"])
        if isForgotten { mine.forgetIndex() }
        let changes = KeychainChanges(isForgotten ? listening.take().events : [], isIncomplete: !isForgotten)
        #expect(
            try Set(mine.noticed(changes)) == [.changed(ids[0]), .removed(ids[1]), .made(made)])
        #expect(try mine.search(["a": "1"]) == [made, ids[0], ids[2]])
        #expect(try mine.noticed(changes).isEmpty)
    }

    @Test("an item that somebody else puts back, its secret first, is found with its secret")
    func secretFirst() throws {
        let id = try mine.store("a", ["a": "1"])
        #expect(try mine.text(id) == "a")
        let rows = try bed.rows(.whenUnlocked) + bed.rows(.afterFirstUnlock)
        for row in rows { try bed.remove(row) }
        _ = try mine.noticed(KeychainChanges(rows.map { event(.deleted, $0) }, isIncomplete: false))
        #expect(try mine.search([:]).isEmpty)
        for row in rows {
            let row = try bed.putBack(row)
            _ = try mine.noticed(KeychainChanges([event(.added, row)], isIncomplete: false))
        }
        #expect(try mine.search(["a": "1"]) == [id])
        #expect(try mine.text(id) == "a" && mine.secrets(of: [id]).count == 1)
    }

    private func event(_ kind: ItemEvent.Kind, _ row: FoundItem) -> ItemEvent {
        ItemEvent(kind, .genericPassword, group: "llavero.secret-service", row.persistentID)
    }

    @Test("an item whose secret a person removed with a tool is gone")
    func removedSecret() throws {
        let id = try mine.store("a", ["a": "1"])
        // From then on it is known which secret is whose.
        #expect(try mine.text(id) == "a")
        _ = listening.take()
        let row = try #require(try bed.rows(.whenUnlocked).first)
        try bed.remove(row)
        let removed = KeychainChanges([event(.deleted, row)], isIncomplete: false)
        #expect(try mine.noticed(removed) == [.removed(id)])
        #expect(try mine.secret(of: id) == nil && mine.entry(id) == nil && mine.search([:]).isEmpty)
        #expect(try bed.rows(.afterFirstUnlock).isEmpty)
    }

    @Test("a secret that is missing and was not removed is told by its item, and may be put back")
    func missingSecret() throws {
        let id = try mine.store("a", ["a": "1"])
        #expect(try mine.text(id) == "a")
        _ = listening.take()
        let row = try #require(try bed.rows(.whenUnlocked).first)
        try bed.remove(row)
        let changed = KeychainChanges([event(.updated, row)], isIncomplete: false)
        #expect(try mine.noticed(changed).isEmpty)
        #expect(refusal { try mine.secret(of: id) } == .notAvailable)
        #expect(try theirs.setSecret(SecretValue(copying: [1]), contentType: "", of: id))
        #expect(try mine.noticed(listening.take()) == [.changed(id)])
        #expect(try mine.secret(of: id)?.0.plain == [1])
    }

    @Test("what is done in other groups is nobody's news here")
    func otherGroups() throws {
        let id = try mine.store("a", ["a": "1"])
        let entry = try #require(try bed.rows(.afterFirstUnlock).first)
        let events = [
            ItemEvent(.deleted, .genericPassword, group: "llavero.open", entry.persistentID),
            ItemEvent(.deleted, .internetPassword, group: "llavero.secret-service", entry.persistentID),
            ItemEvent(.found, .genericPassword, group: "llavero.secret-service", entry.persistentID),
        ]
        #expect(try mine.noticed(KeychainChanges(events, isIncomplete: false)).isEmpty)
        #expect(try mine.search([:]) == [id])
    }
}
