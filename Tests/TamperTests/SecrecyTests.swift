// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct SecrecyTests {
    /// The files of a folder at one moment, each read by another process.
    private static func files(of place: TamperedKeychain) throws -> [(name: String, bytes: [UInt8])] {
        let names = String(decoding: try Child.run(["ls", "-A", place.folder]), as: UTF8.self).split(separator: "\n")
        return try names.map { (String($0), try Child.run(["cat", place.file(String($0))])) }
    }

    @Test("no file of the folder shows a value, a secret, or a digest of either, at any moment")
    func nothingShown() throws {
        let place = try TamperedKeychain()
        for itemClass in Samples.classes {
            for number in 1...3 { #expect(place.add(Samples.item(itemClass, number)) == errSecSuccess) }
        }
        // SHA-1 of all there is to an item, which its owner sees beside the secret.
        let digests = Samples.classes.flatMap { place.everything(of: $0) }.compactMap { $0["sha1"] as? Data }
        var moments = [("after additions", try Self.files(of: place))]
        for itemClass in Samples.classes {
            let one: [String: Any] = ["class": itemClass, "labl": Samples.text("labl", "one")]
            var changes: [String: Any] = ["v_Data": Data(Samples.text("v_Data", "new").utf8)]
            for key in Samples.hidden[itemClass] ?? [] { changes[key] = Samples.text(key, "new") }
            #expect(place.update(one, changes) == errSecSuccess)
            #expect(place.delete(["class": itemClass, "labl": Samples.text("labl", "three")]) == errSecSuccess)
        }
        // Leaves a tombstone.
        let synchronizable: [String: Any] = ["class": "genp", "acct": Samples.text("acct", "four"), "sync": true]
        let content: [String: Any] = ["v_Data": Data(Samples.text("v_Data", "four").utf8), "pdmn": "ck"]
        #expect(place.add(synchronizable.merging(content) { $1 }) == errSecSuccess)
        #expect(place.delete(synchronizable) == errSecSuccess)
        moments.append(("after updates and deletions", try Self.files(of: place)))
        let intruder = try place.intruder()
        try intruder.execute("update genp set data = x'01' where rowid = 1")
        #expect(place.delete(["class": "genp", "acct": Samples.text("acct", "new")]) == errSecSuccess)
        #expect(try intruder.count("quarantine") == 1)
        moments.append(("with a quarantine", try Self.files(of: place)))
        intruder.close()
        place.reopen()
        moments.append(("closed", try Self.files(of: place)))
        #expect(try place.check().isEmpty)

        let keys = Set(Samples.hidden.values.joined()).union(["v_Data"]).sorted()
        let values = keys.flatMap { key in
            ["one", "two", "three", "four", "new"].map { Samples.text(key, $0) }
        }
        var traces = values.flatMap { value in Traces.of(value).map { ("\(value) as \($0.form)", $0.bytes) } }
        // Beginnings common to all, which find what was cut.
        traces += keys.flatMap { key in Traces.of("quetzal/\(key)/").map { ("\(key) as \($0.form)", $0.bytes) } }
        var prints = try Traces.digests(of: values.map { Array($0.utf8) }, in: place.aside)
        #expect(prints.count == values.count * 9 && prints.allSatisfy { $0.count == 10 })
        // Three classes of three: a sensitive key shows none.
        #expect(digests.count == 9 && digests.allSatisfy { $0.count == 20 })
        prints += digests.map { Array($0.prefix(10)) }
        traces += prints.map { ("a digest", $0) } + prints.map { ("a digest in letters", Traces.hexadecimal($0)) }
        let search = TraceSearch(traces)
        var shown: [String] = []
        for (moment, files) in moments {
            for (name, bytes) in files {
                shown += search.found(in: bytes).map { "\(moment), \(name): \($0)" }
            }
        }
        #expect(shown.isEmpty)
        try Self.expectFindable(moments)
    }

    /// What stands in the clear is found by the same search, so the search can fail.
    private static func expectFindable(_ moments: [(String, [(name: String, bytes: [UInt8])])]) throws {
        let search = TraceSearch([("group", Array("tamper.two".utf8)), ("nothing", Array("tamper.six".utf8))])
        for (_, files) in moments {
            let database = files.filter { ["keychain.db", "keychain.db-wal"].contains($0.name) }.flatMap(\.bytes)
            #expect(search.found(in: database) == ["group"] && database.count > 50_000)
            #expect(Set(files.map(\.name)).isSuperset(of: ["keychain.db", "device.key", "keybag.copy"]))
        }
        #expect(moments[0].1.map(\.name).contains("keychain.db-wal"))
        #expect(moments[0].1.map(\.name).contains("keychain.db-shm"))
    }

    @Test("a trace of a value or of its digest is seen where there is one")
    func seen() throws {
        let folder = NSTemporaryDirectory() + "tamper-digests-\(UInt64.random(in: 0...UInt64.max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let digests = try Traces.digests(of: [Array("abc".utf8)], in: folder)
        #expect(digests.map { $0[0] }.count == 9 && digests[3].starts(with: [0xA9, 0x99, 0x3E]))
        for needle in Traces.of("quetzal/labl/").map(\.bytes) + digests {
            let search = TraceSearch([("it", needle)])
            #expect(needle.count >= 10 && search.found(in: [1, 2, 3] + needle + [4]) == ["it"])
            #expect(search.found(in: [1, 2, 3] + needle.dropLast()).isEmpty)
        }
    }
}
