// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSecretService
import TestSeed
import Testing

@Suite struct SecretIndexTests {
    @Test("an index finds what a look at every item finds, whatever was put in and taken out before")
    func likeALook() throws {
        var seed = Seed(for: "SecretIndexTests.likeALook")
        var index = try SecretIndex()
        var items: [SecretID: [String: String]] = [:]
        for step in 0..<3000 {
            let id = SecretID(number: seed.next() % 60)
            if seed.oneIn(3) {
                index.remove(id)
                items[id] = nil
            } else {
                let attributes = Self.attributes(&seed)
                items[id] = attributes
                try index.put(
                    id, attributes, modified: Double(step), entry: PersistentID(high: 1, low: id.number), secret: nil)
            }
            let wanted = Self.attributes(&seed)
            let having = Set(items.filter { $0.value.hasAll(of: wanted) }.map(\.key))
            #expect(try Set(index.having(wanted).map(\.id)) == having)
            let being = Set(items.filter { $0.value.isSameSet(as: wanted) }.map(\.key))
            #expect(try Set(index.being(wanted).map(\.id)) == being)
            #expect(index.count == items.count)
        }
    }

    private static func attributes(_ seed: inout Seed) -> [String: String] {
        var attributes: [String: String] = [:]
        for name in ["a", "b", "c", "xdg:schema"] where seed.oneIn(2) {
            attributes[name] = seed.pick(["1", "2", "org.freedesktop.Secret.Generic"])
        }
        return attributes
    }

    @Test("how much a search looks at does not grow with the number of items")
    func flat() throws {
        var looks: [Int] = []
        for count in [10, 100, 1000, 10_000] {
            var index = try SecretIndex()
            for number in 0..<count {
                let attributes = ["xdg:schema": "org.example", "user": "zoe", "server": "\(number).example.org"]
                try index.put(
                    SecretID(number: UInt64(number)), attributes, modified: Double(number),
                    entry: PersistentID(high: 0, low: UInt64(number)), secret: nil)
            }
            let before = index.looks
            let wanted = ["user": "zoe", "server": "3.example.org", "xdg:schema": "org.example"]
            #expect(try index.having(wanted).count == 1)
            #expect(try index.having(["user": "zoe", "server": "none"]).isEmpty)
            #expect(try index.being(wanted).count == 1)
            looks.append(index.looks - before)
        }
        #expect(Set(looks).count == 1, "\(looks)")
    }

    @Test("names and values that run into each other are not one pair")
    func boundaries() throws {
        var index = try SecretIndex()
        let id = SecretID(number: 1)
        try index.put(id, ["ab": "c"], modified: 0, entry: PersistentID(high: 0, low: 1), secret: nil)
        #expect(try index.having(["a": "bc"]).isEmpty && index.being(["a": "bc"]).isEmpty)
        #expect(try index.having(["ab": "c"]).count == 1 && index.being(["ab": "c"]).count == 1)
    }

    @Test("a name of an item is sixteen small digits", arguments: ["", "1", "0123456789ABCDEF", "+123456789abcdef"])
    func names(text: String) {
        #expect(SecretID(text) == nil)
        #expect(SecretID("00000000000000ff")?.number == 255)
        #expect(SecretID(number: 255).text == "00000000000000ff")
    }
}
