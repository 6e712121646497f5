// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import KeychainRequest
import KeychainWire
import Testing

/// What would change the keychain otherwise than a parser lets it be changed does not get in.
@Suite struct ChangeRefusalTests {
    private static let request = [3, 1]
    private static let id = PropertyList.array([.number(1), .number(2)])
    /// Interaction, among the terms.
    private static let skipping = PropertyList.array([.null, .number(3), .null, .null, .null])

    private func item(_ itemClass: ItemClass) -> AddRequest {
        AddRequest(
            itemClass: itemClass, attributes: AttributeList(), group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false, secret: nil, returning: [],
            origin: .caller)
    }

    private func predicate(_ queriedClass: QueriedClass) -> ItemPredicate {
        ItemPredicate(
            queriedClass: queriedClass, attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }

    private func bytes(_ call: WireCall) throws -> WireBytes { try WireBytes(WireMessage(number: 1, .call(call))) }

    @Test("nobody but the engine says that a key is the enclave's")
    func enclave() throws {
        var request = item(.key)
        request.origin = .enclave
        #expect(throws: WireError.unwritable) { try WireMessage(number: 1, .call(.add(request))).bytes() }
        let add = try bytes(.add(item(.key)))
        #expect(try add.refusal(setting: Self.request + [8], Self.id) == nil)
        for origin in [PropertyList.number(1), .array([.number(2)]), .boolean(true), .array([])] {
            #expect(try add.refusal(setting: Self.request + [8], origin) == .wrongParts)
        }
        let token = PropertyList.dictionary(["tkid": .string("com.apple.setoken")])
        #expect(try add.refusal(setting: Self.request + [1], token) == .contradiction)
        #expect(try add.refusal(setting: Self.request + [1], .dictionary(["tkid": .string("")])) == nil)
    }

    @Test("what is synchronizable has no access control flags, and any protection class (D9)")
    func synchronizable() throws {
        for protection in [Accessibility.whenUnlocked, .whenUnlockedThisDeviceOnly] {
            var request = item(.genericPassword)
            request.protection = .accessControl(AccessControl(protection: protection))
            #expect(try bytes(.add(request)).refusal(setting: Self.request + [4], .boolean(true)) == nil)
        }
        var request = item(.genericPassword)
        request.protection = .accessControl(
            try #require(AccessControl(protection: .whenUnlocked, flags: .userPresence)))
        #expect(try bytes(.add(request)).refusal(setting: Self.request + [4], .boolean(true)) == .contradiction)
    }

    @Test("several items are some items, and an identity is a certificate and a key")
    func several() throws {
        let pair = AddAllRequest.Entry.identity(certificate: item(.certificate), key: item(.key))
        let all = try bytes(.addAll(AddAllRequest(entries: [pair], returning: [])))
        #expect(try all.refusal(setting: Self.request + [0], .array([])) == .contradiction)
        #expect(try all.refusal(setting: Self.request + [0, 0, 2, 0], .number(3)) == .contradiction)
        #expect(try all.refusal(setting: Self.request + [0, 0, 1, 0], .number(4)) == .contradiction)
        #expect(try all.refusal(setting: Self.request + [0, 0, 0], .number(1)) == .wrongParts)
    }

    @Test("of several updates there is at least one, and each is looked at as one alone")
    func severalUpdates() throws {
        let all = try bytes(.updateAll(UpdateAllRequest([change(predicate(.stored(.key)))])))
        #expect(try all.refusal(setting: Self.request + [0], .array([])) == .contradiction)
        #expect(try all.refusal(setting: Self.request + [0, 0, 2], .number(4)) != nil)
        let label = Self.request + [0, 0, 1, 0]
        #expect(try all.refusal(setting: label, .dictionary(["labl": .string("a")])) == nil)
        #expect(try all.refusal(setting: label, .dictionary(["mdat": .date(0)])) == .contradiction)
    }

    /// An update that changes nothing.
    private func change(_ predicate: ItemPredicate) -> UpdateRequest {
        let changes = ItemChanges(
            attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil, secret: nil)
        return UpdateRequest(predicate: predicate, changes: changes, tombstones: .never)
    }

    @Test("whoever changes something passes over nobody")
    func skipping() throws {
        let predicate = predicate(.stored(.key))
        let calls: [(WireCall, Int)] = [
            (.add(item(.key)), 10), (.addAll(AddAllRequest(entries: [.item(item(.key))], returning: [])), 2),
            (.update(change(predicate)), 3),
            (.updateAll(UpdateAllRequest([change(predicate)])), 1),
            (.delete(DeleteRequest(predicate: predicate, tombstones: .never)), 2),
        ]
        for (call, index) in calls {
            #expect(try bytes(call).refusal(setting: Self.request + [index], Self.skipping) == .contradiction)
        }
        let match = MatchRequest(predicate: predicate, returning: [], limit: .all)
        #expect(try bytes(.match(match)).refusal(setting: Self.request + [3], Self.skipping) == nil)
    }

    @Test("what is changed or removed is not chosen by a search key")
    func searchKeys() throws {
        var predicate = predicate(.stored(.internetPassword))
        predicate.filters = [.hostOrSubdomain("example.org")]
        let calls: [WireCall] = [
            .update(change(predicate)), .updateAll(UpdateAllRequest([change(predicate)])),
            .delete(DeleteRequest(predicate: predicate, tombstones: .never)),
        ]
        for call in calls { #expect(WireBytes.refusal(of: try bytes(call).bytes()) == .contradiction) }
        let match = MatchRequest(predicate: predicate, returning: [], limit: .all)
        #expect(WireBytes.refusal(of: try bytes(.match(match)).bytes()) == nil)
    }

    @Test("an update changes what an item of the class has, and nothing that is the engine's to say")
    func update() throws {
        let changes = ItemChanges(
            attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil, secret: nil)
        func refusal(_ queriedClass: QueriedClass, _ key: String, _ value: PropertyList) throws -> WireError? {
            let request = UpdateRequest(
                predicate: predicate(queriedClass), changes: changes, tombstones: .whenSynchronizable)
            return try bytes(.update(request)).refusal(setting: Self.request + [1, 0], .dictionary([key: value]))
        }
        #expect(try refusal(.stored(.key), "klbl", .data([1])) == nil)
        #expect(try refusal(.stored(.key), "svce", .data([1])) == .contradiction)
        #expect(try refusal(.identity, "labl", .string("a")) == nil)
        #expect(try refusal(.identity, "klbl", .data([1])) == .contradiction)
        for (key, value) in [
            ("musr", PropertyList.data([])), ("sha1", .data([UInt8](repeating: 0, count: 20))), ("mdat", .date(0)),
            ("tkid", .string("")), ("UUID", .data([])), ("agrp", .string("a")),
        ] { #expect(try refusal(.stored(.key), key, value) == .contradiction) }
    }

    @Test("the halves of an identity get no data in common")
    func identityData() throws {
        let changes = ItemChanges(
            attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil,
            secret: SecretValue(copying: [1, 2]))
        let request = UpdateRequest(predicate: predicate(.stored(.key)), changes: changes, tombstones: .never)
        let update = try bytes(.update(request))
        #expect(try update.refusal(setting: Self.request + [0, 0], .number(4)) == nil)
        #expect(try update.refusal(setting: Self.request + [0, 0], .number(5)) == .contradiction)
    }
}
