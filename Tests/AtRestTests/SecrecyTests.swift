// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct SecrecyTests {
    private static let words = [
        "genp": ["acct", "svce", "labl", "gena", "desc", "icmt", "prot", "alis"],
        "inet": ["acct", "srvr", "labl", "sdmn", "path", "atyp", "desc", "icmt"],
        "cert": ["labl", "subj", "issr", "slnr", "skid", "pkhh"], "keys": ["labl", "klbl", "atag"],
    ]

    /// An item whose every name and whose secret begin with words that stand nowhere else.
    private static func item(_ itemClass: String, _ number: Int) -> [String: Any] {
        var item: [String: Any] = ["class": itemClass, "v_Data": Data("persimmon-v_Data-\(number)".utf8)]
        for key in words[itemClass] ?? [] { item[key] = "persimmon-\(key)-\(number)" }
        if number % 3 == 0 { item["sync"] = true }
        return item
    }

    /// All files of the folder, read by another process.
    private static func files(_ place: KeychainPlace) throws -> [UInt8] {
        try Child.run("sh", "-c", "cat \"$1\"/* \"$1\"/.[!.]* 2>/dev/null || true", "sh", place.folder)
    }

    @Test("no file of the folder tells a secret, a name, or a digest of either, at any moment")
    func nothingTold() throws {
        let place = try KeychainPlace()
        var words = Set(Self.words.values.joined().map { "persimmon-\($0)-" }).union(["persimmon-v_Data-"])
        for number in 0..<60 {
            for itemClass in Self.words.keys { #expect(place.add(Self.item(itemClass, number)) == errSecSuccess) }
        }
        var moments = [("with its log", try Self.files(place))]
        for number in 0..<20 {
            let query = ["class": "genp", "acct": "persimmon-acct-\(number)", "sync": "syna"]
            let secret = Data("persimmon-second-secret-\(number)".utf8)
            #expect(
                place.update(query, ["v_Data": secret, "labl": "persimmon-second-label-\(number)"]) == errSecSuccess)
            let doomed = ["class": "inet", "acct": "persimmon-acct-\(number)", "sync": "syna"]
            #expect(place.delete(doomed) == errSecSuccess)
        }
        words.formUnion(["persimmon-second-secret-", "persimmon-second-label-"])
        moments.append(("after updates and deletions", try Self.files(place)))
        let intruder = try place.intruder()
        try intruder.setBlob([1], of: "genp", row: 30)
        #expect(place.delete(["class": "genp", "acct": "persimmon-acct-29", "sync": "syna"]) == errSecSuccess)
        try intruder.execute("pragma wal_checkpoint(truncate)")
        moments.append(("with a quarantine, folded", try Self.files(place)))
        intruder.close()
        place.reopen()
        moments.append(("closed", try Self.files(place)))

        let whole =
            Self.words.values.joined().map { "persimmon-\($0)-7" } + ["persimmon-v_Data-7", "persimmon-v_Data-0"]
        let digests = try Traces.digests(of: whole, in: place.root)
        #expect(digests.count == whole.count * 6 && digests.allSatisfy { $0.count >= 16 })
        var told: [String] = []
        for (moment, bytes) in moments {
            for word in words {
                for (form, trace) in Traces.of(word) where Traces.contains(bytes, trace) {
                    told.append("\(moment): \(word) as \(form)")
                }
            }
            // Half of a digest is enough to confirm a guess.
            for (index, digest) in digests.enumerated() {
                let start = Array(digest.prefix(10))
                if Traces.contains(bytes, start) || Traces.contains(bytes, Traces.hexadecimal(start)) {
                    told.append("\(moment): digest \(index)")
                }
            }
        }
        #expect(told.isEmpty)
        // The search finds what is there: groups stand in the clear.
        #expect(moments.allSatisfy { Traces.contains($0.1, Array("llavero.open".utf8)) && $0.1.count > 100_000 })
        #expect(try place.check().isEmpty)
    }

    @Test("a trace that is there is seen", arguments: 0..<9)
    func seen(index: Int) {
        let (_, trace) = Traces.of("persimmon-acct-")[index]
        #expect(trace.count >= 12 && Traces.contains([1, 2, 3] + trace + [4], trace))
        #expect(!Traces.contains([1, 2, 3] + trace.dropLast(), trace))
    }
}
