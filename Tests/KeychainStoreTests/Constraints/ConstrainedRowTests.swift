// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainSQLite
import KeychainStore
import Testing

/// Rows of constrained items, changed by somebody who has the database and no key, read by somebody who shows everything.
@Suite struct ConstrainedRowTests {
    private typealias Guard = ConstrainedStore.Guard

    /// A blob's parts: header, metadata key, metadata envelope with its length, secret key, secret envelope.
    private static func parts(_ blob: [UInt8]) -> [[UInt8]] {
        let length = blob[48..<52].reversed().reduce(0) { $0 << 8 | Int($1) }
        let cuts = [0, 8, 48, 52 + length, 92 + length, blob.count]
        return zip(cuts, cuts.dropFirst()).map { Array(blob[$0..<$1]) }
    }

    /// Two constrained items and one that demands nobody, in rows 1, 2 and 3.
    private static func store(_ guarding: Guard, _ other: Guard) throws -> ConstrainedStore {
        try ConstrainedStore()
            .add("a", "the first secret", try ConstrainedStore.control(guarding.flags))
            .add("b", "the second secret", try ConstrainedStore.control(other.flags))
            .add("c", "the open secret", AccessControl(protection: .whenUnlocked))
    }

    /// How many of some changed blobs of row 1 a find reads, or answers with anything but an error; and what it changes.
    private static func troubles(_ blobs: [[UInt8]], in store: ConstrainedStore) throws -> [String] {
        var troubles: [String] = []
        let own = try store.blob(1)
        for (index, blob) in blobs.enumerated() where blob != own {
            try store.setBlob(blob, 1)
            let before = try store.everything()
            for shown in [store.person, .none] {
                if (try? store.find("a", shown)) != nil { troubles.append("blob \(index) is read") }
            }
            if try store.everything() != before { troubles.append("blob \(index): something stored was changed") }
        }
        try store.setBlob(own, 1)
        #expect(try store.find("a", store.person)?.says("the first secret") == true)
        return troubles
    }

    @Test(
        "an envelope of another item, or of one that demands nobody, is none of this one's",
        arguments: Guard.allCases, Guard.allCases)
    func swapped(guarding: ConstrainedStore.Guard, other: ConstrainedStore.Guard) throws {
        let store = try Self.store(guarding, other)
        let own = Self.parts(try store.blob(1))
        var blobs: [[UInt8]] = []
        for row in [Int64(2), 3] {
            let theirs = Self.parts(try store.blob(row))
            blobs += (1..<32).map { choice in
                own.indices.flatMap { choice >> $0 & 1 == 0 ? own[$0] : theirs[$0] }
            }
        }
        #expect(try Self.troubles(blobs, in: store).isEmpty)
    }

    @Test("the constraints of an older version of an item do not fit a newer one, or the other way round")
    func olderConstraints() throws {
        let store = try Self.store(.passcode, .password)
        let older = try store.opened(row: 1)
        let olderBlob = try store.blob(1)
        // The same item, written again: only what binds the parts to each other tells the two apart.
        try store.seal(older.attributes, older.sealed, row: 1)
        let (one, two) = (Self.parts(olderBlob), Self.parts(try store.blob(1)))
        let mixtures = (1..<31).map { choice in one.indices.flatMap { choice >> $0 & 1 == 0 ? one[$0] : two[$0] } }
            // The headers are equal, so some of these are one of the two.
            .filter { $0 != olderBlob }
        #expect(try Self.troubles(mixtures, in: store).isEmpty)
    }

    @Test(
        "a row whose protection class was changed is not read, be it in its column, its blob or both",
        arguments: Guard.allCases)
    func otherClass(guarding: ConstrainedStore.Guard) throws {
        let store = try Self.store(guarding, .passcode)
        let own = try store.blob(1)
        for accessibility in Accessibility.allCases where accessibility != .whenUnlocked {
            var blob = own
            blob[3] = accessibility.rawValue
            #expect(try Self.troubles([blob], in: store).isEmpty)
            try store.sqlite.execute("update genp set pdmn = '\(accessibility.name)' where rowid = 1")
            for blob in [own, blob] {
                try store.setBlob(blob, 1)
                let before = try store.everything()
                for shown in [store.person, .none] { #expect((try? store.find("a", shown)) == nil) }
                #expect(try store.everything() == before)
            }
            try store.setBlob(own, 1)
            try store.sqlite.execute("update genp set pdmn = 'ak' where rowid = 1")
        }
        #expect(try store.find("a", store.person)?.says("the first secret") == true)
    }

    @Test("a row under another reference, group or table column is not read", arguments: Guard.allCases)
    func otherColumns(guarding: ConstrainedStore.Guard) throws {
        let changes = [
            "persistref = x'000102030405060708090a0b0c0d0e0f'", "syncid = x'000102030405060708090a0b0c0d0e0f'",
            "sync = 1", "tkid = 'token'", "vwht = 'view'", "musr = x'01'", "ggrp = 'group'",
        ]
        for change in changes {
            let store = try Self.store(guarding, .passcode)
            try store.sqlite.execute("update genp set \(change) where rowid = 1")
            let before = try store.everything()
            for shown in [store.person, .none] { #expect((try? store.find("a", shown)) == nil, "\(change)") }
            #expect(try store.everything() == before, "\(change)")
        }
    }

    @Test("with any byte of the row changed, or cut short anywhere, nothing is read and nothing is lost")
    func everyByte() throws {
        let store = try Self.store(.both, .passcode)
        let own = try store.blob(1)
        let flips = own.indices.map { index in
            var blob = own
            blob[index] ^= 1 << UInt8(index % 8)
            return blob
        }
        let cuts = stride(from: 0, to: own.count, by: 3).map { Array(own[..<$0]) } + [Array(own.dropLast())]
        let longer = [1, 16, 4096].map { own + [UInt8](repeating: 0, count: $0) }
        #expect(own.count > 400)
        #expect(try Self.troubles(flips + cuts + longer, in: store).isEmpty)
    }
}
