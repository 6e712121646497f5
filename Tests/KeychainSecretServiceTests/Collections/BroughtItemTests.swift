// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSecretService
import Testing

@Suite struct BroughtItemTests {
    private static func item(
        _ secret: String, _ attributes: [String: String], created: UInt64, modified: UInt64
    ) -> BroughtItem {
        BroughtItem(
            label: "from elsewhere", attributes: attributes, contentType: "text/plain",
            secret: SecretValue(copying: Array(secret.utf8)), created: created, modified: modified)
    }

    @Test("an item that is brought keeps its times")
    func times() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        guard
            case .added(let id) = try collection.bring(
                Self.item(
                    "a", ["user": "zoe", "server": "example.org"], created: 1_000_000_000, modified: 1_500_000_000))
        else { throw KeychainError(.internalError, "it was not added") }
        for collection in [collection, bed.collection()] {
            let entry = try #require(try collection.entry(id))
            #expect(entry.created == 1_000_000_000 && entry.modified == 1_500_000_000)
            #expect(entry.label == "from elsewhere" && entry.attributes == ["user": "zoe", "server": "example.org"])
            let secret = try #require(try collection.secret(of: id))
            #expect(secret.0.plain == Array("a".utf8) && secret.contentType == "text/plain")
            #expect(try collection.search(["user": "zoe"]) == [id])
        }
        // It is as any other from now on.
        #expect(try collection.store("b", ["user": "zoe", "server": "example.org"], replacing: true) == id)
        let entry = try #require(try bed.collection().entry(id))
        #expect(entry.created == 1_000_000_000 && entry.modified > 1_500_000_000)
        #expect(try bed.collection().text(id) == "b")
        #expect(try collection.delete(id) && bed.rows(nil).isEmpty)
    }

    @Test("of two items with the same attributes the one that was changed last counts")
    func newest() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        guard case .added(let id) = try collection.bring(Self.item("1", ["a": "1"], created: 10, modified: 20)) else {
            throw KeychainError(.internalError, "it was not added")
        }
        #expect(try collection.bring(Self.item("2", ["a": "1"], created: 5, modified: 30)) == .replaced(id))
        #expect(try collection.text(id) == "2")
        #expect(try collection.entry(id)?.created == 5 && collection.entry(id)?.modified == 30)
        #expect(try collection.bring(Self.item("3", ["a": "1"], created: 1, modified: 29)) == .kept(id))
        #expect(try collection.bring(Self.item("2", ["a": "1"], created: 5, modified: 30)) == .kept(id))
        #expect(try collection.text(id) == "2" && collection.entry(id)?.created == 5)
        #expect(try bed.rows(nil).count == 2)
        // What was stored here today is newer than all of it.
        let own = try collection.store("own", ["b": "1"])
        #expect(try collection.bring(Self.item("old", ["b": "1"], created: 1, modified: 2)) == .kept(own))
    }

    @Test("items that people would know by the same names are brought beside each other")
    func sameNames() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let stored = try collection.store("0", ["user": "zoe", "server": "example.org"])
        for number in 1...3 {
            let attributes = ["user": "zoe", "server": "example.org", "n": "\(number)"]
            let outcome = try collection.bring(Self.item("\(number)", attributes, created: 1, modified: 1))
            guard case .added(let id) = outcome else { throw KeychainError(.internalError, "it was not added") }
            #expect(try bed.collection().text(id) == "\(number)")
        }
        #expect(try bed.collection().text(stored) == "0")
        #expect(try bed.collection().entries().count == 4)
    }

    @Test("nothing is brought into a locked keychain")
    func locked() throws {
        let bed = try CollectionBed(passcode: true)
        try bed.lock()
        let item = Self.item("1", ["a": "1"], created: 1, modified: 1)
        #expect(refusal { try bed.collection().bring(item) } == .interactionNotAllowed)
        try bed.unlock()
        #expect(try bed.collection().entries().isEmpty && bed.rows(nil).isEmpty)
    }
}
