// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainRequest
import KeychainSecretService
import Testing

@Suite struct SecretCollectionTests {
    @Test("what was stored is read again, by this process and by the next", arguments: [false, true])
    func storing(isInMemory: Bool) throws {
        let bed = try CollectionBed(inMemory: isInMemory)
        let attributes = ["": "", "user": "Zoë", "line\nbreak": "a\u{301}", "xdg:schema": "org.example.Password"]
        let collection = bed.collection()
        let id = try collection.store("top\nsecret", attributes, label: "Mail ✉", type: "text/plain; charset=utf8")
        #expect(SecretID(id)?.text == id)
        for collection in isInMemory ? [collection] : [collection, bed.collection()] {
            if !isInMemory { bed.close() }
            let entry = try #require(try collection.entry(id))
            #expect(entry.label == "Mail ✉" && entry.attributes == attributes)
            #expect(entry.attributes["line\nbreak"].map { Array($0.utf8) } == Array("a\u{301}".utf8))
            #expect(entry.contentType == "text/plain; charset=utf8")
            let age = Date().timeIntervalSince1970 - Double(entry.created)
            #expect(entry.modified == entry.created && (0..<3600).contains(age))
            let secret = try #require(try collection.secret(of: id))
            #expect(secret.0.plain == Array("top\nsecret".utf8) && secret.contentType == "text/plain; charset=utf8")
            #expect(try collection.entries() == [entry])
        }
    }

    @Test("any bytes are a secret", arguments: [0, 1, 1 << 10, 3 << 20])
    func bytes(count: Int) throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let made = try collection.create(
            label: "", attributes: [:], contentType: "", secret: SecretValue(copying: bytes), replacing: false)
        let secret = try #require(try bed.collection().secret(of: made.id))
        #expect(secret.0.plain == bytes && secret.contentType == "")
        #expect(try collection.secrets(of: [made.id])[made.id]?.0.plain == bytes)
    }

    @Test("many and long attributes come back as they were")
    func manyAttributes() throws {
        let bed = try CollectionBed()
        let attributes = Dictionary(
            uniqueKeysWithValues: (0..<300).map { ("name \($0)", String(repeating: "ä", count: 1000)) })
        let id = try bed.collection().store("a", attributes)
        #expect(try bed.collection().entry(id)?.attributes == attributes)
        #expect(try bed.collection().search(attributes) == [id])
    }

    @Test("there is nothing where nothing was stored")
    func nothing() throws {
        let collection = try CollectionBed().collection()
        #expect(try collection.entries().isEmpty)
        #expect(try collection.search([:]).isEmpty && collection.search(["a": "b"]).isEmpty)
        for id in ["0123456789abcdef", "0123456789ABCDEF", "1", "", "../../etc/passwd"] {
            #expect(try collection.entry(id) == nil && collection.secret(of: id) == nil)
            #expect(try !collection.delete(id) && !collection.setLabel("a", of: id))
            #expect(try !collection.setAttributes([:], of: id))
            #expect(try !collection.setSecret(SecretValue(copying: [1]), contentType: "", of: id))
        }
        #expect(try collection.secrets(of: ["0123456789abcdef", "1"]).isEmpty)
    }

    // MARK: Searching

    @Test("a search finds the items that have all that it names, byte for byte")
    func searching() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let first = try collection.store("1", ["a": "1"])
        let second = try collection.store("2", ["a": "1", "b": "2"])
        let third = try collection.store("3", ["a": "2", "b": "2", "é": "x"])
        for collection in [collection, bed.collection()] {
            #expect(try collection.search([:]) == [third, second, first])
            #expect(try collection.search(["a": "1"]) == [second, first])
            #expect(try collection.search(["b": "2"]) == [third, second])
            #expect(try collection.search(["a": "1", "b": "2"]) == [second])
            #expect(try collection.search(["a": "1", "b": "1"]).isEmpty)
            #expect(try collection.search(["A": "1"]).isEmpty && collection.search(["a": "1 "]).isEmpty)
            #expect(try collection.search(["é": "x"]) == [third])
            #expect(try collection.search(["e\u{301}": "x"]).isEmpty)
        }
    }

    @Test("what was changed last comes first")
    func order() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let ids = try (0..<4).map { try collection.store("\($0)", ["a": "1"]) }
        #expect(try collection.setLabel("new", of: ids[1]))
        let wanted = [ids[1], ids[3], ids[2], ids[0]]
        #expect(try collection.search(["a": "1"]) == wanted && collection.search([:]) == wanted)
        #expect(try collection.entries().map(\.id) == wanted)
        #expect(try bed.collection().search(["a": "1"]) == wanted)
    }

    // MARK: Replacing

    @Test("only an item with exactly these attributes is replaced")
    func replacing() throws {
        let bed = try CollectionBed()
        let sets = [["a": "1"], ["a": "1", "b": "2"], ["a": "1", "b": "2", "c": "3"], [:]]
        let ids = try sets.map { try bed.collection().store("old", $0, replacing: true) }
        #expect(Set(ids).count == 4)
        for (set, id) in zip(sets, ids) {
            let collection = bed.collection()
            let before = try #require(try collection.entry(id))
            let made = try collection.create(
                label: "new", attributes: set, contentType: "a/b", secret: SecretValue(copying: Array("new".utf8)),
                replacing: true)
            #expect(made.id == id && made.replaced)
            let after = try #require(try collection.entry(id))
            #expect(after.label == "new" && after.contentType == "a/b" && after.attributes == set)
            #expect(after.created == before.created)
            #expect(try collection.text(id) == "new" && collection.search([:]).first == id)
        }
        #expect(try bed.collection().entries().count == 4)
    }

    @Test("no schema and the general one are one set of attributes")
    func generalSchema() throws {
        let collection = try CollectionBed().collection()
        let id = try collection.store("1", ["a": "1", "xdg:schema": "org.freedesktop.Secret.Generic"], replacing: true)
        #expect(try collection.store("2", ["a": "1"], replacing: true) == id)
        #expect(try collection.entry(id)?.attributes == ["a": "1"])
        #expect(try collection.store("3", ["a": "1", "xdg:schema": "org.example.Other"], replacing: true) != id)
        #expect(try collection.text(id) == "2")
    }

    @Test("who replaces nothing makes another item of the same attributes")
    func duplicates() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let attributes = ["service": "imap.example.org", "user": "zoe"]
        let ids = try (1...3).map { try collection.store("\($0)", attributes) }
        #expect(Set(ids).count == 3)
        #expect(try ids.map { try collection.text($0) } == ["1", "2", "3"])
        // Of several, the one that was changed last is replaced.
        #expect(try collection.setLabel("touched", of: ids[0]))
        #expect(try collection.store("new", attributes, replacing: true) == ids[0])
        #expect(try ids.map { try bed.collection().text($0) } == ["new", "2", "3"])
    }

    @Test("programs that replace an item at once make one")
    func replacingAtOnce() async throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<16 {
                group.addTask { try collection.store("\(number)", ["a": "1"], replacing: true) }
            }
            var made: Set<String> = []
            for try await id in group { made.insert(id) }
            #expect(made.count == 1)
        }
        #expect(try bed.collection().entries().count == 1)
    }

    // MARK: Changing

    @Test("what is changed about an item leaves the rest as it was")
    func changing() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let other = try collection.store("other", ["user": "zoe", "server": "a"])
        let id = try collection.store("secret", ["user": "zoe"], label: "label", type: "text/plain")
        let created = try #require(try collection.entry(id)).created
        #expect(try collection.setLabel("", of: id))
        #expect(try collection.setAttributes(["user": "zoe", "server": "a"], of: id))
        #expect(try collection.setSecret(SecretValue(copying: [0, 1]), contentType: "x/y", of: id))
        for collection in [collection, bed.collection()] {
            let entry = try #require(try collection.entry(id))
            #expect(entry.label == "" && entry.attributes == ["user": "zoe", "server": "a"])
            #expect(entry.contentType == "x/y" && entry.created == created)
            #expect(try collection.secret(of: id)?.0.plain == [0, 1])
            #expect(try collection.search(["user": "zoe"]) == [id, other])
            #expect(try collection.search(["server": "a"]) == [id, other])
            #expect(try collection.text(other) == "other")
        }
    }

    @Test("what is removed is gone, with both of its rows")
    func removing() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let ids = try (0..<3).map { try collection.store("\($0)", ["a": "1"]) }
        #expect(try collection.delete(ids[1]))
        #expect(try !collection.delete(ids[1]))
        for collection in [collection, bed.collection()] {
            #expect(try collection.entry(ids[1]) == nil && collection.secret(of: ids[1]) == nil)
            #expect(try collection.search(["a": "1"]) == [ids[2], ids[0]])
        }
        #expect(try bed.rows(nil).count == 4)
    }

    // MARK: What people see

    @Test("people see an item once, by the names that its attributes have for its place and its user")
    func shown() throws {
        let bed = try CollectionBed()
        _ = try bed.collection().store("a", ["server": "imap.example.org", "user": "zoe"], label: "Mail")
        let rows = try bed.rows(nil)
        let visible = rows.filter { $0.attributes?[.isInvisible] != .number(1) }
        #expect(rows.count == 2 && visible.count == 1)
        #expect(visible.first?.attributes?[.label] == .string("Mail"))
        #expect(visible.first?.attributes?[.service] == .string("imap.example.org"))
        #expect(visible.first?.attributes?[.account] == .string("zoe"))
        #expect(Set(rows.map { $0.attributes?[.accessGroup] }) == [.string("llavero.secret-service")])
    }

    @Test("an item whose secret somebody removed says so, and takes a new one")
    func withoutSecret() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let id = try collection.store("a", ["user": "zoe"])
        for row in try bed.rows(.whenUnlocked) { try bed.remove(row) }
        for collection in [collection, bed.collection()] {
            #expect(try collection.entry(id)?.attributes == ["user": "zoe"])
            #expect(refusal { try collection.secret(of: id) } == .notAvailable)
            #expect(try collection.secrets(of: [id]).isEmpty)
        }
        #expect(try collection.setLabel("new", of: id))
        #expect(try collection.setSecret(SecretValue(copying: [7]), contentType: "x", of: id))
        for collection in [collection, bed.collection()] {
            #expect(try collection.secret(of: id)?.0.plain == [7])
            #expect(try collection.entry(id)?.label == "new")
        }
    }

    @Test("a secret whose entry is gone is no item")
    func withoutEntry() throws {
        let bed = try CollectionBed()
        let id = try bed.collection().store("a", ["user": "zoe"])
        for row in try bed.rows(.afterFirstUnlock) { try bed.remove(row) }
        let collection = bed.collection()
        #expect(try collection.entries().isEmpty && collection.search([:]).isEmpty)
        #expect(try collection.entry(id) == nil && collection.secret(of: id) == nil && !collection.delete(id))
        #expect(try bed.rows(.whenUnlocked).count == 1)
    }

    @Test("what others did is seen once the collection is told that they did")
    func others() throws {
        let bed = try CollectionBed()
        let (mine, theirs) = (bed.collection(), bed.collection())
        #expect(try mine.search([:]).isEmpty)
        let id = try theirs.store("a", ["a": "1"])
        mine.forgetIndex()
        #expect(try mine.search(["a": "1"]) == [id])
        #expect(try theirs.delete(id))
        // It is not told yet, and looks all the same.
        #expect(try mine.search(["a": "1"]).isEmpty && mine.secret(of: id) == nil)
    }
}
