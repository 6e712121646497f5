// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import KeychainRequest
import KeychainWire
import Testing

/// What no parser makes does not get in, whoever says it.
@Suite struct RefusalTests {
    private static let number = [3, 0]
    private static let request = [3, 1]
    private static let predicate = request + [0]

    private func query(_ queriedClass: QueriedClass = .stored(.genericPassword)) throws -> WireBytes {
        let predicate = ItemPredicate(
            queriedClass: queriedClass, attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let request = MatchRequest(predicate: predicate, returning: [], limit: .single)
        return try WireBytes(WireMessage(number: 1, .call(.match(request))))
    }

    @Test("another version, another direction, another call is refused")
    func envelope() throws {
        let query = try query()
        #expect(try query.refusal(setting: [0], .number(2)) == .wrongVersion)
        #expect(try query.refusal(setting: [2], .number(3)) == .unknownNumber)
        #expect(try query.refusal(setting: [2], .number(2)) != nil)
        for number: Int64 in [0, 99, -1, .max] {
            #expect(try query.refusal(setting: Self.number, .number(number)) == .unknownNumber)
        }
    }

    @Test("a part too many, too few or of another type is refused", arguments: [[], [3], request, predicate])
    func parts(path: [Int]) throws {
        let query = try query()
        let more = try query.refusal(changing: path) { list in
            guard case .array(let parts) = list else { return list }
            return .array(parts + [.null])
        }
        #expect(more == .wrongParts)
        let fewer = try query.refusal(changing: path) { list in
            guard case .array(let parts) = list else { return list }
            return .array(parts.dropLast())
        }
        #expect(fewer == .wrongParts)
        #expect(try query.refusal(setting: path, .string("")) == .wrongParts)
        #expect(try query.refusal(setting: path, .array([])) == .wrongParts)
    }

    @Test(
        "a number outside its few is refused",
        arguments: [
            ([0, 0], [0, 6, -1]), ([0, 3], [0, 4]), ([0, 5], [0, 5, 13]), ([1], [-1, 32, 256]), ([3, 1], [0, 4]),
        ])
    func numbers(path: [Int], numbers: [Int64]) throws {
        let query = try query()
        for number in numbers {
            let refusal = try query.refusal(setting: Self.request + path, .number(number))
            #expect(refusal == .unknownNumber || refusal == .outOfRange)
        }
    }

    @Test("a limit is never spelled another way", arguments: [-1, 0, 1, Int64.min])
    func limit(number: Int64) throws {
        let limit = PropertyList.array([.number(3), .number(number)])
        #expect(try query().refusal(setting: Self.request + [2], limit) == .outOfRange)
    }

    @Test("what has no order of rows has no parts")
    func listInParts() throws {
        func refusal(setting path: [Int], _ value: PropertyList) throws -> WireError? {
            let match = MatchRequest(
                predicate: ItemPredicate(
                    queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
                    synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: []),
                returning: [], limit: .single)
            let keychain = try #require(KeychainUUID([UInt8](repeating: 1, count: 16)))
            let request = try #require(MatchPageRequest(match, from: MatchPosition(in: keychain, row: 7)))
            return try WireBytes(WireMessage(number: 1, .call(.matchPage(request)))).refusal(
                setting: Self.request + path, value)
        }
        #expect(try refusal(setting: [1], .null) == nil)
        #expect(try refusal(setting: [1, 1], .number(.min)) == nil)
        #expect(try refusal(setting: [1, 0], .data([UInt8](repeating: 1, count: 15))) == .outOfRange)
        #expect(try refusal(setting: [1], .number(7)) == .wrongParts)
        // An identity, a list of items, no item at all.
        #expect(try refusal(setting: [0, 0, 0], .number(5)) == .contradiction)
        #expect(try refusal(setting: [0, 0, 6], .array([])) == .contradiction)
        #expect(try refusal(setting: [0, 2], .array([.number(1)])) == .contradiction)
    }

    @Test("an attribute that no query of the class has is refused")
    func attributes() throws {
        let text = PropertyList.string("ak")
        func refusal(_ attributes: [String: PropertyList]) throws -> WireError? {
            try query().refusal(setting: Self.predicate + [1], .dictionary(attributes))
        }
        #expect(try refusal(["svce": text, "acct": text, "labl": text]) == nil)
        // Of another class, of a field of their own, of the store's alone.
        for key in ["srvr", "kcls", "pdmn", "agrp", "accc", "sync", "tomb", "UUID"] {
            #expect(try refusal([key: text]) == .contradiction)
        }
        #expect(try refusal(["none": text]) == .wrongParts)
        #expect(try refusal(["service": text]) == .wrongParts)
    }

    @Test("a value that an attribute does not take is refused")
    func values() throws {
        func refusal(_ key: String, _ value: PropertyList) throws -> WireError? {
            try query().refusal(setting: Self.predicate + [1], .dictionary([key: value]))
        }
        for value in [PropertyList.data([]), .number(1), .date(0)] {
            #expect(try refusal("vwht", value) == .outOfRange)
        }
        #expect(try refusal("svce", .date(0)) == .outOfRange)
        #expect(try refusal("cdat", .number(0)) == .outOfRange)
        #expect(try refusal("crtr", .data([1])) == .outOfRange)
        #expect(try refusal("crtr", .string("80")) == .outOfRange)
        #expect(try refusal("crtr", .string("080")) == nil)
        #expect(try refusal("sha1", .data([1])) == .outOfRange)
        #expect(try refusal("musr", .data([1])) == .outOfRange)
        #expect(try refusal("svce", .boolean(true)) == .wrongParts)
        #expect(try refusal("svce", .array([])) == .wrongParts)
    }

    @Test("items are named in the class that is asked for")
    func designations() throws {
        func refusal(_ items: PropertyList...) throws -> WireError? {
            try query(.stored(.key)).refusal(setting: Self.predicate + [6], .array(items))
        }
        func persistent(_ parts: PropertyList...) -> PropertyList { .array([.number(1), .array(parts)]) }
        let id = PropertyList.array([.number(1), .number(2)])
        let token = persistent(.number(4))
        let key = persistent(.number(1), .number(4), id)
        #expect(try refusal() == nil)
        #expect(try refusal(key, key) == nil)
        #expect(try refusal(token) == nil)
        #expect(try refusal(token, key) == .contradiction)
        #expect(try refusal(persistent(.number(1), .number(3), id)) == .contradiction)
        #expect(try refusal(persistent(.number(2), id)) == .contradiction)
        #expect(try refusal(persistent(.number(3), .number(3))) == .contradiction)
        #expect(try refusal(persistent(.number(3), .number(4))) == nil)
        #expect(try refusal(persistent(.number(5))) == .unknownNumber)
        // What would name every key.
        #expect(try refusal(.array([.number(2), .number(4), .dictionary([:])])) == .contradiction)
        let label = PropertyList.dictionary(["klbl": .data([1])])
        #expect(try refusal(.array([.number(2), .number(4), label])) == nil)
        #expect(try refusal(.array([.number(2), .number(3), label])) == .contradiction)
    }

    @Test("a condition is about something that items of the class have")
    func filters() throws {
        func refusal(_ queriedClass: QueriedClass, _ filter: PropertyList...) throws -> WireError? {
            try query(queriedClass).refusal(setting: Self.predicate + [7], .array([.array(filter)]))
        }
        #expect(try refusal(.stored(.internetPassword), .number(1), .string("host")) == nil)
        #expect(try refusal(.stored(.genericPassword), .number(1), .string("host")) == .contradiction)
        #expect(try refusal(.stored(.key), .number(2), .date(0)) == nil)
        #expect(try refusal(.stored(.key), .number(2), .number(0)) == .wrongParts)
        #expect(try refusal(.stored(.certificate), .number(2), .null) == .contradiction)
        let valid = PropertyList.array([.number(1), .null])
        #expect(try refusal(.identity, .number(4), valid) == nil)
        #expect(try refusal(.stored(.key), .number(4), valid) == .contradiction)
        let noNames = PropertyList.array([.number(4), .array([])])
        #expect(try refusal(.identity, .number(4), noNames) == .contradiction)
    }

    @Test("a text that is looked for is loose, whole, and folded already")
    func texts() throws {
        func refusal(_ text: String, _ position: Int64, _ ignored: Int64, _ key: Attribute = .label) throws
            -> WireError?
        {
            let pattern = PropertyList.array([.string(text), .number(position), .number(ignored)])
            let filter = PropertyList.array([.number(3), .number(Int64(key.rawValue)), pattern])
            return try query().refusal(setting: Self.predicate + [7], .array([filter]))
        }
        #expect(try refusal("a", 4, 1) == nil)
        #expect(try refusal("A", 4, 1) == .malformed)
        #expect(try refusal("a", 4, 0) == .contradiction)
        #expect(try refusal("a", 1, 1) == .contradiction)
        #expect(try refusal("a", 4, 8) == .outOfRange)
        #expect(try refusal("a", 5, 1) == .unknownNumber)
        #expect(try refusal("a", 4, 1, .server) == .contradiction)
        #expect(try refusal("a", 4, 1, .creator) == .contradiction)
        #expect(try refusal(String(repeating: "a", count: 70_000), 4, 1) == .outOfRange)
    }
}
