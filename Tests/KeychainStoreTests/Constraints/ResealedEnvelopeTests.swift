// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainStore
import Testing

/// Envelopes changed by somebody who has the keys of the classes, and seals them again as if nothing were wrong.
@Suite struct ResealedEnvelopeTests {
    private typealias Guard = ConstrainedStore.Guard

    private static func bytes(_ secret: SecretValue) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: secret.bytes, count: secret.count))
    }

    private static func fields(_ secret: SecretValue) throws -> [String: PropertyList] {
        guard case .dictionary(let fields) = try PropertyList(decoding: bytes(secret)) else {
            throw CodingError.wrongType
        }
        return fields
    }

    private static func list(_ fields: [String: PropertyList]) throws -> SecretValue {
        SecretValue(copying: try PropertyList.dictionary(fields).encoded())
    }

    /// Two items with their secrets in rows 1 and 2.
    private static func store(_ guarding: Guard) throws -> ConstrainedStore {
        try ConstrainedStore()
            .add("a", "the first secret", try ConstrainedStore.control(guarding.flags))
            .add("b", "the second secret", try ConstrainedStore.control(guarding.flags))
    }

    /// What goes wrong when row 1 holds each of some envelopes in turn, and a person shows everything.
    private static func troubles(_ envelopes: [SecretValue], in store: ConstrainedStore) throws -> [String] {
        let own = try store.opened(row: 1)
        var troubles: [String] = []
        for (index, envelope) in envelopes.enumerated() {
            try store.seal(own.attributes, envelope, row: 1)
            let before = try store.everything()
            do {
                _ = try store.find("a", store.person)
                troubles.append("envelope \(index) is opened")
            } catch {
                guard error is StoreError else { throw error }
            }
            if try store.everything() != before { troubles.append("envelope \(index): something was changed") }
        }
        try store.seal(own.attributes, own.sealed, row: 1)
        #expect(try store.find("a", store.person)?.says("the first secret") == true)
        return troubles
    }

    @Test(
        "an envelope with one part of another's does not open: id, ways, key and content are one",
        arguments: Guard.allCases)
    func mixed(guarding: ConstrainedStore.Guard) throws {
        let store = try Self.store(guarding)
        let (one, two) = (try Self.fields(store.opened(row: 1).sealed), try Self.fields(store.opened(row: 2).sealed))
        let names = ["id", "ways", "sealed"]
        var envelopes: [SecretValue] = []
        for choice in 1..<7 {
            var fields = one
            for (bit, name) in names.enumerated() where choice >> bit & 1 == 1 { fields[name] = two[name] }
            envelopes.append(try Self.list(fields))
        }
        #expect(try Self.troubles(envelopes, in: store).isEmpty)
    }

    @Test(
        "an envelope under another item-key id, or without one of its fields, does not open", arguments: Guard.allCases)
    func otherFields(guarding: ConstrainedStore.Guard) throws {
        let store = try Self.store(guarding)
        let own = try Self.fields(store.opened(row: 1).sealed)
        var envelopes: [SecretValue] = []
        func add(_ name: String, _ value: PropertyList?) throws {
            var fields = own
            fields[name] = value
            envelopes.append(try Self.list(fields))
        }
        for name in own.keys { try add(name, nil) }
        try add("id", .data([UInt8](repeating: 3, count: 16)))
        try add("v", .number(2))
        try add("more", .number(1))
        let cheap: PropertyList = .dictionary(["log2N": .number(10), "r": .number(1), "p": .number(1)])
        try add("cost", own["cost"] == nil ? cheap : nil)
        try add("cost", cheap)
        try add("cost", .dictionary(["log2N": .number(63), "r": .number(1), "p": .number(1)]))
        try add("ways", .array([]))
        #expect(try Self.troubles(envelopes, in: store).isEmpty)
    }

    @Test("a way that says it needs less, or another point, opens nothing", arguments: Guard.allCases)
    func otherWays(guarding: ConstrainedStore.Guard) throws {
        let store = try Self.store(guarding)
        let own = try Self.fields(store.opened(row: 1).sealed)
        let theirs = try Self.fields(store.opened(row: 2).sealed)
        guard case .array(let ways)? = own["ways"], case .dictionary(let way)? = ways.first,
            case .array(let otherWays)? = theirs["ways"], case .dictionary(let other)? = otherWays.first
        else { throw CodingError.wrongType }
        var changed: [[String: PropertyList]] = []
        for bits in 0..<8 where way["factors"] != .number(Int64(bits)) {
            var next: [String: PropertyList] = ["factors": .number(Int64(bits)), "key": way["key"] ?? .null]
            if bits & 1 != 0 { next["point"] = way["point"] ?? .data([UInt8](repeating: 9, count: 32)) }
            if bits & 4 != 0 { next["set"] = .data([UInt8](repeating: 7, count: 32)) }
            changed.append(next)
        }
        if way["point"] != nil { changed.append(way.merging(["point": other["point"] ?? .null]) { $1 }) }
        changed.append(way.merging(["key": other["key"] ?? .null]) { $1 })
        let envelopes = try changed.map { way in
            try Self.list(own.merging(["ways": .array([.dictionary(way)])]) { $1 })
        }
        #expect(try Self.troubles(envelopes, in: store).isEmpty)
    }

    @Test("with any byte of the envelope changed, or cut short anywhere, it does not open", arguments: Guard.allCases)
    func everyByte(guarding: ConstrainedStore.Guard) throws {
        let store = try Self.store(guarding)
        let own = Self.bytes(try store.opened(row: 1).sealed)
        var envelopes = own.indices.flatMap { index in
            (0..<8).map { bit in
                var bytes = own
                bytes[index] ^= 1 << UInt8(bit)
                return bytes
            }
        }
        #expect(own.count > 120)
        for envelope in envelopes {
            let opened = try? FactorEnvelope(decoding: SecretValue(copying: envelope)).open(
                with: store.person, store.keys)
            #expect(opened == nil)
        }
        envelopes = own.indices.map { Array(own[..<$0]) } + [own + [0], own + own]
        envelopes += own.indices.map { index in
            var bytes = own
            bytes[index] ^= 1 << UInt8(index % 8)
            return bytes
        }
        #expect(try Self.troubles(envelopes.map { SecretValue(copying: $0) }, in: store).isEmpty)
    }

    @Test("a context remembers an envelope by its bytes: changed ones give no other secret", arguments: Guard.allCases)
    func remembered(guarding: ConstrainedStore.Guard) throws {
        let store = try Self.store(guarding)
        let person = store.rememberingPerson
        func opened(_ bytes: [UInt8]) -> [UInt8]? {
            let secret = try? person.envelope(in: SecretValue(copying: bytes)).open(with: person, store.keys)
            return (secret ?? nil).map(Self.bytes)
        }
        let own = Self.bytes(try store.opened(row: 1).sealed)
        let other = Self.bytes(try store.opened(row: 2).sealed)
        for _ in 0..<2 {
            #expect(opened(own) == Array("the first secret".utf8))
            #expect(opened(other) == Array("the second secret".utf8))
        }
        // The wrapped key takes no part once the key is remembered, so there a changed byte gives the same secret.
        var same = 0
        for index in own.indices {
            var bytes = own
            bytes[index] ^= 1 << UInt8(index % 8)
            guard let secret = opened(bytes) else { continue }
            #expect(secret == Array("the first secret".utf8))
            same += 1
        }
        #expect(same <= 3 * 40)
        #expect(opened(own) == Array("the first secret".utf8))
    }
}
