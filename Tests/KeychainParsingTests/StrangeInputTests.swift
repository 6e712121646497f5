// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A program's own kind of array, whose second value is made anew for each answer.
private final class OwnArray: NSArray {
    private let first = NSDate(timeIntervalSince1970: 5)

    override var count: Int { 2 }
    override func object(at index: Int) -> Any { index == 0 ? first : "made" }
}

/// A program's own kind of dictionary: it answers through its methods alone.
private final class OwnDictionary: NSDictionary {
    private var content: [(key: NSString, value: AnyObject)] = []

    convenience init(_ content: [(key: NSString, value: AnyObject)]) {
        self.init()
        self.content = content
    }

    override var count: Int { content.count }
    override func object(forKey aKey: Any) -> Any? { content.first { $0.key.isEqual(aKey) }?.value }
    override func keyEnumerator() -> NSEnumerator { NSArray(array: content.map(\.key)).objectEnumerator() }
}

@Suite struct StrangeInputTests {
    @Test("a dictionary that answers through its methods alone is copied whole")
    func ownKind() {
        let own = OwnDictionary([("acct", "ada" as NSString), ("port", NSNumber(value: 80))])
        let copy = NSMutableDictionary(dictionary: own)
        #expect(copy.count == 2 && copy["acct"] as? String == "ada" && copy["port"] as? Int == 80)
        #expect(NSDictionary(dictionary: own).count == 2)
    }

    @Test("Core Foundation's functions read a dictionary that answers through its methods alone")
    func ownKindByFunctions() throws {
        let own = OwnDictionary([("acct", "ada" as NSString), ("port", NSNumber(value: 80))])
        let key = "acct" as NSString
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(key).toOpaque())
        let value = try #require(CFDictionaryGetValue(own, pointer))
        #expect(Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue() as? String == "ada")
        #expect(CFDictionaryContainsKey(own, pointer) && CFDictionaryGetCount(own) == 2)
        var (keys, values) = (
            [UnsafeRawPointer?](repeating: nil, count: 2), [UnsafeRawPointer?](repeating: nil, count: 2)
        )
        CFDictionaryGetKeysAndValues(own, &keys, &values)
        // The keys are made for the answer, and nothing would hold them.
        #expect(keys.allSatisfy { $0 == nil } && values.allSatisfy { $0 != nil })
        #expect(!CFPropertyListIsValid(own, .xmlFormat_v1_0) && CFPropertyListCreateDeepCopy(nil, own, 0) == nil)
        let array = OwnArray()
        #expect(CFArrayGetValueAtIndex(array, 0) != nil && CFArrayGetValueAtIndex(array, 1) == nil)
        #expect(CFDictionaryCreateMutableCopy(nil, 0, own)?.count == 2 && CFDictionaryCreateCopy(nil, own) != nil)
    }

    nonisolated(unsafe) private static let values: [NSObject] = [
        "a\0b" as NSString, "" as NSString, NSString(string: String(repeating: "\u{1F511}", count: 50_000)),
        Data([0xFF, 0xFE, 0]) as NSData, Data() as NSData, NSMutableString(string: "mutable"),
        NSNumber(value: Int64.min),
        NSMutableData(data: Data([1])), NSNumber(value: 2.0),
    ]

    @Test("what is strange but allowed comes back as it was given", arguments: values.indices)
    func comesBack(index: Int) throws {
        let value = Self.values[index]
        let keychain = try IsolatedKeychain(.temporaryFolder)
        let item: NSDictionary = ["class": "genp", "acct": value, "labl": value, "r_Attributes": true]
        var result: CFTypeRef?
        let statuses = keychain.use {
            [SecItemAdd(item, nil), SecItemAdd(item, nil), SecItemCopyMatching(item, &result)]
        }
        #expect(statuses == [errSecSuccess, errSecDuplicateItem, errSecSuccess])
        let found = result as? NSDictionary
        #expect(
            found?.object(forKey: "acct") as? NSObject == value && found?.object(forKey: "labl") as? NSObject == value)
        #expect(try keychain.check().isEmpty)
    }

    @Test("ten megabytes are stored, changed and read, and a thousand keys refused")
    func large() throws {
        let keychain = try IsolatedKeychain(.temporaryFolder)
        let first = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let second = Data(first.reversed())
        let item: NSDictionary = ["class": "genp", "acct": first, "v_Data": first, "r_Data": true]
        let tooMany = NSMutableDictionary()
        for index in 0..<1000 { tooMany.setObject("x", forKey: "m_Key\(index)" as NSString) }
        tooMany.setObject("genp", forKey: "class" as NSString)
        var result: CFTypeRef?
        let statuses = keychain.use {
            [
                SecItemAdd(item, nil),
                SecItemUpdate(["class": "genp"] as NSDictionary, ["v_Data": second, "labl": second] as NSDictionary),
                SecItemCopyMatching(item, &result), SecItemCopyMatching(tooMany, nil), SecItemAdd(tooMany, nil),
                SecItemDelete(tooMany), SecItemUpdate(tooMany, tooMany),
            ]
        }
        #expect(statuses == [0, 0, 0, errSecParam, errSecParam, errSecParam, errSecParam])
        #expect(result as? Data == second)
        #expect(try keychain.check().isEmpty)
    }

    @Test("a dictionary of the program's own class works, and one that repeats a key or breaks its word is refused")
    func ownDictionary() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        let pairs: [(key: NSString, value: AnyObject)] = [("class", "genp" as NSString), ("acct", "a" as NSString)]
        let repeating = OwnDictionary(pairs + [("acct", "b" as NSString)])
        let statuses = keychain.use {
            [
                SecItemAdd(OwnDictionary(pairs), nil), SecItemCopyMatching(OwnDictionary(pairs), nil),
                SecItemAdd(repeating, nil),
            ]
        }
        #expect(statuses == [errSecSuccess, errSecSuccess, errSecParam])
        #expect(try keychain.check().isEmpty)
    }
}
