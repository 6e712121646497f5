// SPDX-License-Identifier: Apache-2.0

import KeychainWrappers
import Security
import Testing

@Suite struct MyKeychainTests {
    @Test("an object is one password whose service and account are the name, readable after first unlock")
    func layout() throws {
        try onFreshKeychain { _ in
            #expect(MyKeychain.save("S", data: "object"))
            let items = stored()
            #expect(items.count == 1)
            #expect(items.first?[kSecAttrService] as? String == "S")
            #expect(items.first?[kSecAttrAccount] as? String == "S")
            #expect(items.first?[kSecAttrAccessible] as? NSString == kSecAttrAccessibleAfterFirstUnlock)
        }
    }

    @Test("saving again replaces the object, in place")
    func replacing() throws {
        try onFreshKeychain { keychain in
            keychain.setClock(Date(timeIntervalSinceReferenceDate: 0))
            #expect(MyKeychain.save("S", data: "old"))
            keychain.advanceClock(by: 60)
            #expect(MyKeychain.save("S", data: "new"))
            #expect(MyKeychain.load("S", as: String.self) == "new")
            #expect(stored().count == 1)
            #expect(stored().first?[kSecAttrCreationDate] as? Date == Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    @Test("services do not see each other's objects")
    func services() throws {
        try onFreshKeychain { _ in
            #expect(MyKeychain.save("A", data: "a"))
            #expect(MyKeychain.save("B", data: "b"))
            #expect(MyKeychain.delete("A"))
            #expect(MyKeychain.load("A", as: String.self) == nil)
            #expect(MyKeychain.load("B", as: String.self) == "b")
        }
    }

    @Test("what a property list can hold is saved and loaded as it was")
    func propertyLists() throws {
        try onFreshKeychain { _ in
            let object: NSDictionary = [
                "name": "Ada", "count": 3, "born": Date(timeIntervalSinceReferenceDate: 7), "raw": Data([0, 255]),
                "more": ["a", ["b": "c"]],
            ]
            #expect(MyKeychain.save("S", data: object))
            #expect(MyKeychain.load("S", as: NSDictionary.self) == object)
            #expect(MyKeychain.load("S", as: [String: Any].self)?["name"] as? String == "Ada")
        }
    }

    @Test("an object of one's own class is loaded when the class is named, inside another object too")
    func ownClass() throws {
        try onFreshKeychain { _ in
            #expect(MyKeychain.save("S", data: Badge(number: 7)))
            #expect(MyKeychain.load("S", as: Badge.self)?.number == 7)
            #expect(MyKeychain.save("S", data: [Badge(number: 8)]))
            #expect(MyKeychain.load("S", as: [Badge].self, containing: [Badge.self])?.first?.number == 8)
        }
    }

    @Test("an object of a class that was not named is never created, and the log says so without its value")
    func unexpectedClass() throws {
        try onFreshKeychain { _ in
            #expect(MyKeychain.save("S", data: [Badge(number: 7), "swordfish"] as [Any]))
            let lines = linesOfLoading(NSArray.self, from: "S")
            #expect(lines == ["MyKeychain: load: the stored value cannot be read as NSArray"])
        }
    }

    @Test("an archive of another type than the expected one is nothing")
    func otherType() throws {
        try onFreshKeychain { _ in
            #expect(MyKeychain.save("S", data: "text"))
            #expect(linesOfLoading(NSDictionary.self, from: "S").count == 1)
        }
    }

    @Test(
        "bytes that are no archive are nothing, and one line says so without them",
        arguments: [Data(), Data("swordfish".utf8), Data("bplist00swordfish".utf8)])
    func unreadable(bytes: Data) throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrService: "S", kSecAttrAccount: "S", kSecValueData: bytes])
            let lines = linesOfLoading(NSString.self, from: "S")
            #expect(lines.count == 1)
            #expect(lines.allSatisfy { !$0.contains("swordfish") && !$0.contains("\"S\"") })
        }
    }

    @Test("an item without data is nothing, and the log says so")
    func withoutData() throws {
        try onFreshKeychain { _ in
            addDirectly([kSecAttrService: "S", kSecAttrAccount: "S"])
            #expect(linesOfLoading(NSString.self, from: "S").count == 1)
        }
    }

    @Test("nothing is logged when there is nothing to load, and deleting nothing is fine")
    func nothingThere() throws {
        try onFreshKeychain { _ in
            #expect(linesOfLoading(NSString.self, from: "S") == [])
            #expect(MyKeychain.delete("S"))
        }
    }

    @Test("what cannot be archived is not saved, and what was there stays")
    func unarchivable() throws {
        struct Plain {}
        try onFreshKeychain { _ in
            #expect(MyKeychain.save("S", data: "old"))
            for object: Any in [Plain(), [Plain()], ["key": Plain()], NSObject()] {
                var lines: [String] = []
                #expect(!MyKeychain.save("S", data: object) { lines.append($0) })
                #expect(lines.count == 1)
            }
            #expect(MyKeychain.load("S", as: String.self) == "old")
        }
    }

    @Test("before the first unlock nothing is saved or loaded, and the log tells that from an empty keychain")
    func locked() throws {
        try onFreshKeychain { keychain in
            #expect(MyKeychain.save("S", data: "object"))
            keychain.lockState = .beforeFirstUnlock
            let lines = linesOfLoading(NSString.self, from: "S")
            #expect(lines.count == 1)
            #expect(lines.first?.contains("\(errSecInteractionNotAllowed)") == true)
            #expect(!MyKeychain.save("S", data: "other") { _ in })
            keychain.lockState = .locked
            #expect(MyKeychain.load("S", as: String.self) == "object")
            keychain.lockState = .unlocked
        }
    }

    @Test("of many tasks that save for one service at once, all succeed and one object remains")
    func manyTasks() async throws {
        let keychain = try IsolatedKeychain(.inMemory, entitlements: Entitlements(keychainAccessGroups: ["G1"]))
        await keychain.use {
            await withTaskGroup(of: Bool.self) { group in
                for index in 0..<40 { group.addTask { MyKeychain.save("S", data: "object \(index)") } }
                for await isSaved in group { #expect(isSaved) }
            }
            #expect(stored().count == 1)
            #expect(MyKeychain.load("S", as: String.self)?.hasPrefix("object ") == true)
        }
        #expect(try keychain.check() == [])
    }

    private func linesOfLoading<Object>(_ type: Object.Type, from service: String) -> [String] {
        var lines: [String] = []
        let object = MyKeychain.load(service, as: type, containing: []) { lines.append($0) }
        #expect(object == nil)
        return lines
    }
}

/// An object with a class of its own.
final class Badge: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let number: Int

    init(number: Int) { self.number = number }

    init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "number") }

    func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}
