// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct EnvelopeTests {
    /// A blob's parts: header, metadata key, metadata envelope with its length, secret key, secret envelope.
    private static func parts(_ blob: [UInt8]) -> [[UInt8]] {
        let length = blob[48..<52].reversed().reduce(0) { $0 << 8 | Int($1) }
        let cuts = [0, 8, 48, 52 + length, 92 + length, blob.count]
        return zip(cuts, cuts.dropFirst()).map { Array(blob[$0..<$1]) }
    }

    /// Every blob that can be put together from the parts of two, except the two themselves.
    private static func mixtures(_ one: [UInt8], _ two: [UInt8]) -> [[UInt8]] {
        let one = parts(one)
        let two = parts(two)
        return (0..<32).map { choice in
            one.indices.flatMap { choice >> $0 & 1 == 0 ? one[$0] : two[$0] }
        }.filter { $0 != one.joined().map { $0 } && $0 != two.joined().map { $0 } }
    }

    /// What is wrong with what a program gets when row 1 holds each of some blobs in turn.
    private static func troubles(
        _ blobs: [[UInt8]], in place: TamperedKeychain, after earlier: Baseline? = nil
    ) throws -> [String] {
        let intruder = try place.intruder()
        let own = try intruder.blob()
        let baseline = earlier.map { Baseline(place, after: $0) } ?? Baseline(place, "genp")
        var troubles: [String] = []
        for (index, blob) in blobs.enumerated() {
            try intruder.setBlob(blob)
            troubles += baseline.troubles(place, asking: "acct").map { "blob \(index): \($0)" }
            if place.find(["class": "genp", "acct": Samples.text("acct", "one")]).status != errSecItemNotFound {
                troubles.append("blob \(index) is read")
            }
            if try !place.check().contains(where: { $0.hasPrefix("generic password 1: ") }) {
                troubles.append("blob \(index): check() is content")
            }
        }
        try intruder.setBlob(own)
        #expect(Baseline(place, "genp").items == baseline.items)
        #expect(try place.check().isEmpty)
        return troubles
    }

    private static func twoItems(_ itemClass: String = "genp") throws -> TamperedKeychain {
        let place = try TamperedKeychain()
        for number in [1, 3] { #expect(place.add(Samples.item(itemClass, number)) == errSecSuccess) }
        return place
    }

    @Test("parts of two versions of an item do not fit together")
    func versions() throws {
        let place = try Self.twoItems()
        let intruder = try place.intruder()
        let old = try intruder.blob()
        let earlier = Baseline(place, "genp")
        let query = ["class": "genp", "acct": Samples.text("acct", "one")]
        let changes: [String: Any] = ["labl": "quetzal/labl/younger", "v_Data": Data("quetzal/v_Data/younger".utf8)]
        #expect(place.update(query, changes) == errSecSuccess)
        let mixtures = Self.mixtures(old, try intruder.blob())
        // The headers are equal, so half of the 30 are twins.
        #expect(Set(mixtures).count == 14)
        #expect(try Self.troubles(mixtures, in: place, after: earlier).isEmpty)
    }

    @Test("a blob, or any part of one, from another row or another keychain is no item here")
    func strangers() throws {
        let place = try Self.twoItems()
        let other = try Self.twoItems()
        let intruder = try place.intruder()
        let own = try intruder.blob()
        for stranger in [try intruder.blob(row: 2), try other.intruder().blob()] {
            let blobs = Self.mixtures(own, stranger) + [stranger]
            #expect(Set(blobs).count == 15)
            #expect(try Self.troubles(blobs, in: place).isEmpty)
        }
    }

    @Test("a whole row from another keychain, or under another reference, is no item", arguments: Samples.classes)
    func wholeRows(itemClass: String) throws {
        let place = try Self.twoItems(itemClass)
        let other = try Self.twoItems(itemClass)
        let intruder = try place.intruder()
        let baseline = Baseline(place, itemClass)
        var foreign = try other.intruder().values(of: itemClass, row: 1)
        // With this keychain's hashes, as an intruder would copy them, so that the row is looked at when asked for.
        let own = try intruder.values(of: itemClass, row: 1)
        let kept: Set = ["persistref", "syncid", "data"]
        for column in own.keys where !kept.contains(column) { foreign[column] = own[column] }
        var moved = own
        moved["persistref"] = "x'000102030405060708090a0b0c0d0e0f'"
        for row in [foreign, moved] {
            try intruder.execute("delete from \(itemClass) where rowid = 1")
            try intruder.insert(row, into: itemClass, row: 1)
            #expect(baseline.troubles(place, asking: "labl").isEmpty)
            #expect(place.everything(of: itemClass) == [baseline.items[1]])
            #expect(try place.check() == ["\(Samples.words(itemClass)) 1: cannot be read"])
        }
    }

    @Test("an item of one class is none of another", arguments: Samples.classes, Samples.classes)
    func otherClass(from: String, to: String) throws {
        if from == to { return }
        let place = try TamperedKeychain()
        for itemClass in [from, to] { #expect(place.add(Samples.item(itemClass, 1)) == errSecSuccess) }
        let intruder = try place.intruder()
        let row = try intruder.values(of: from, row: 1)
        for column in ["persistref", "syncid", "data"] {
            try intruder.execute("update \(to) set \(column) = \(row[column] ?? "null") where rowid = 1")
            #expect(place.everything(of: to).isEmpty && place.everything(of: from).count == 1)
            #expect(try place.check() == ["\(Samples.words(to)) 1: cannot be read"])
        }
    }
}
