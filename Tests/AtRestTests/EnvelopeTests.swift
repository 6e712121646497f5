// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct EnvelopeTests {
    /// A blob in its two halves: header and attributes, and the secret.
    private static func halves(_ blob: [UInt8]) -> (attributes: [UInt8], secret: [UInt8]) {
        let count = blob[48..<52].reversed().reduce(0) { $0 << 8 | Int($1) }
        return (Array(blob[..<(52 + count)]), Array(blob[(52 + count)...]))
    }

    private static var query: [String: Any] { ["class": "genp", "acct": "anna"] }

    private static func secret(_ place: KeychainPlace) -> String? {
        place.find(query).items.first?["v_Data"].flatMap { $0 as? Data }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("halves of two versions of an item do not fit together")
    func versions() throws {
        let place = try KeychainPlace()
        #expect(place.add(Self.query.merging(["v_Data": Data("old".utf8), "labl": "old"]) { $1 }) == errSecSuccess)
        let intruder = try place.intruder()
        let old = try intruder.blob(of: "genp", row: 1)
        #expect(place.update(Self.query, ["v_Data": Data("new".utf8), "labl": "new"]) == errSecSuccess)
        let new = try intruder.blob(of: "genp", row: 1)
        for mixed in [
            Self.halves(old).attributes + Self.halves(new).secret,
            Self.halves(new).attributes + Self.halves(old).secret,
            Array(new[..<8] + old[8..<48] + new[48...]), Array(Self.halves(new).secret),
        ] {
            try intruder.setBlob(mixed, of: "genp", row: 1)
            #expect(Self.secret(place) == nil)
            #expect(try !place.check().isEmpty)
        }
        // The whole old blob is a true statement of an earlier day; the columns, which moved on, betray it.
        try intruder.setBlob(old, of: "genp", row: 1)
        #expect(try !place.check().isEmpty)
        #expect(place.find(Self.query.merging(["labl": "new"]) { $1 }).items.isEmpty)
        try intruder.setBlob(new, of: "genp", row: 1)
        #expect(Self.secret(place) == "new")
        #expect(try place.check().isEmpty)
    }

    @Test("a blob, or half of one, from another row or another keychain is no item here")
    func strangers() throws {
        let place = try KeychainPlace()
        let other = try KeychainPlace()
        for (target, word) in [(place, "mine"), (other, "theirs")] {
            #expect(target.add(Self.query.merging(["v_Data": Data(word.utf8)]) { $1 }) == errSecSuccess)
            #expect(target.add(["class": "genp", "acct": "bert", "v_Data": Data("bert's".utf8)]) == errSecSuccess)
        }
        let intruder = try place.intruder()
        let mine = try intruder.blob(of: "genp", row: 1)
        for stranger in [try intruder.blob(of: "genp", row: 2), try other.intruder().blob(of: "genp", row: 1)] {
            for mixed in [
                stranger, Self.halves(mine).attributes + Self.halves(stranger).secret,
                Self.halves(stranger).attributes + Self.halves(mine).secret,
            ] {
                try intruder.setBlob(mixed, of: "genp", row: 1)
                #expect(Self.secret(place) == nil)
                #expect(try !place.check().isEmpty)
            }
        }
        // A whole row of another keychain, with its reference and its hashes.
        let columns = try intruder.names(ofColumnsOf: "genp")
        let theirs = try other.intruder()
        let values = try columns.map { try theirs.literal($0, of: "genp", row: 1) }
        try intruder.execute(
            "insert into genp(\(columns.joined(separator: ", "))) values(\(values.joined(separator: ", ")))")
        try intruder.setBlob(mine, of: "genp", row: 1)
        #expect(Self.secret(place) == "mine" && place.find(["class": "genp"]).items.count == 2)
        #expect(try place.check().count == 1)
    }
}
